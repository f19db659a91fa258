/** The connections of all workers, counted together. */

export interface ConnectionLimits {
  /** Of all workers together. */
  readonly most: number;
  /** Of one address, at all workers together. */
  readonly mostOfClient: number | undefined;
}

/** The connections of each worker, and how many of them it was told to close. */
type Counts = Map<number, { open: number; leaving: number }>;

/** @param makeRoom has a worker close the oldest connection on which nothing is requested, of an address if there is one */
export const connectionCounts = (
  { most, mostOfClient = most }: ConnectionLimits,
  makeRoom: (worker: number, address: string | undefined) => void,
) => {
  /** Of each address, and of all connections together. */
  const all = new Map<string | undefined, Counts>();

  const open = (worker: number, address: string | undefined, limit: number): void => {
    const counts: Counts = all.get(address) ?? new Map();
    all.set(address, counts);
    const count = counts.get(worker) ?? { open: 0, leaving: 0 };
    counts.set(worker, count);
    count.open += 1;
    const byStaying = [...counts]
      .map(([each, { open: opened, leaving }]) => [each, opened - leaving] as const)
      .toSorted(([, a], [, b]) => b - a);
    if (byStaying.reduce((sum, [, staying]) => sum + staying, 0) <= limit) return;
    const [[fullest] = [worker]] = byStaying;
    const crowd = counts.get(fullest);
    if (crowd) crowd.leaving += 1;
    makeRoom(fullest, address);
  };
  const forget = (worker: number, address: string | undefined): void => {
    const counts = all.get(address);
    counts?.delete(worker);
    if (counts?.size === 0) all.delete(address);
  };
  const close = (worker: number, address: string | undefined): void => {
    const count = all.get(address)?.get(worker);
    if (!count) return;
    count.open -= 1;
    // Any connection that closes makes room.
    count.leaving = Math.max(0, count.leaving - 1);
    if (count.open === 0) forget(worker, address);
  };
  return {
    opened: (worker: number, address: string | undefined): void => {
      open(worker, undefined, most);
      if (address !== undefined) open(worker, address, mostOfClient);
    },
    closed: (worker: number, address: string | undefined): void => {
      close(worker, undefined);
      if (address !== undefined) close(worker, address);
    },
    /** All connections of a worker are closed. */
    gone: (worker: number): void => {
      for (const address of [...all.keys()]) forget(worker, address);
    },
  };
};
