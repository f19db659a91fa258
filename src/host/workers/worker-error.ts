/** A worker ended before all of them served; it has logged why. */
export class WorkerError extends Error {}
