/** A worker ended before all of them served; it has said why. */
export class WorkerError extends Error {}
