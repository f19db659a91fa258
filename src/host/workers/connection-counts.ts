/** The connections of all workers, counted together. */

export interface ConnectionLimits {
  /** Of all workers together. */
  readonly most: number;
  /** Of one address, at all workers together. */
  readonly mostOfClient: number | undefined;
}

export type ConnectionCounts = ReturnType<typeof connectionCounts>;

/** The connections of a worker, and how many of them it was told to close. */
type Counter = ReturnType<typeof counter>;

const counter = (most: number, makeRoom: (worker: number) => void) => {
  const counts = new Map<number, { open: number; leaving: number }>();
  const staying = (): number => counts.values().reduce((sum, { open, leaving }) => sum + open - leaving, 0);
  const fullest = (): number | undefined =>
    [...counts].toSorted(([, a], [, b]) => b.open - b.leaving - (a.open - a.leaving))[0]?.[0];

  return {
    opened: (worker: number): void => {
      const count = counts.get(worker) ?? { open: 0, leaving: 0 };
      counts.set(worker, count);
      count.open += 1;
      if (staying() <= most) return;
      const crowded = fullest() ?? worker;
      const crowd = counts.get(crowded);
      if (crowd) crowd.leaving += 1;
      makeRoom(crowded);
    },
    closed: (worker: number): void => {
      const count = counts.get(worker);
      if (!count) return;
      count.open -= 1;
      // Any connection that closes makes room.
      count.leaving = Math.max(0, count.leaving - 1);
      if (count.open === 0) counts.delete(worker);
    },
    gone: (worker: number): void => void counts.delete(worker),
    isEmpty: (): boolean => counts.size === 0,
  };
};

/** @param makeRoom has a worker close the oldest connection on which nothing is requested, of an address if there is one */
export const connectionCounts = (
  { most, mostOfClient }: ConnectionLimits,
  makeRoom: (worker: number, address: string | undefined) => void,
) => {
  const all = counter(most, (worker) => makeRoom(worker, undefined));
  const clients = new Map<string, Counter>();
  const clientAt = (address: string): Counter => {
    const known = clients.get(address);
    if (known) return known;
    const client = counter(mostOfClient ?? most, (worker) => makeRoom(worker, address));
    clients.set(address, client);
    return client;
  };
  const forgetIfEmpty = (address: string): void => {
    if (clients.get(address)?.isEmpty()) clients.delete(address);
  };
  return {
    opened: (worker: number, address: string | undefined): void => {
      all.opened(worker);
      if (address !== undefined) clientAt(address).opened(worker);
    },
    closed: (worker: number, address: string | undefined): void => {
      all.closed(worker);
      if (address === undefined) return;
      clients.get(address)?.closed(worker);
      forgetIfEmpty(address);
    },
    /** All connections of a worker are closed. */
    gone: (worker: number): void => {
      all.gone(worker);
      for (const [address, client] of clients) {
        client.gone(worker);
        forgetIfEmpty(address);
      }
    },
  };
};
