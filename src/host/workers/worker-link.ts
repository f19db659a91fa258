import type { Intent, Outcome } from '../../gateway/port/port.ts';
import type { Gate } from '../../store/gate.ts';
import type { Store } from '../../store/store.ts';
import type { Collect } from '../metrics/family.ts';
import { callsOver, type Send } from './calls.ts';
import { type ConnectionLimits, connectionCounts } from './connection-counts.ts';

/** What a worker says once it accepts connections: at this origin, and each tree at this address, by language tag. */
export interface Serving {
  readonly origin: string;
  readonly trees: ReadonlyMap<string, string>;
}

/** What the primary does for a worker. */
export type ForWorker = {
  readonly serving: (where: Serving) => void;
  readonly write: (intent: Intent) => Promise<Outcome>;
  readonly ready: () => Promise<boolean>;
  /** Resolves once all others wait, too. */
  readonly together: () => Promise<void>;
  /** Resolves once an import has a place. */
  readonly lineUp: (place: number, client: string | undefined) => Promise<void>;
  /** An import is over, or its client has gone away. */
  readonly leave: (place: number) => void;
  /** Without an address where nobody counts it. */
  readonly opened: (address: string | undefined) => void;
  readonly closed: (address: string | undefined) => void;
};

/** What a worker does for its primary. */
export type ForPrimary = {
  readonly stop: () => void;
  /** Reads secrets and keys again. */
  readonly reload: () => void;
  /** @returns what it has measured */
  readonly measure: Collect;
  /** Closes a connection, of an address if there is one. */
  readonly makeRoom: (address: string | undefined) => void;
};

/** What all workers share in the primary. */
export interface PrimaryState {
  readonly store: Pick<Store, 'write' | 'ready'>;
  readonly importQueue: Pick<Gate, 'run'>;
  readonly limits: ConnectionLimits;
}

/** The line of imports, as one worker's stand in it. */
const lineOf = (queue: Pick<Gate, 'run'>) => {
  /** Ends the wait, or frees the place, of each. */
  const ends = new Map<number, () => void>();
  const leave = (place: number): void => {
    ends.get(place)?.();
    ends.delete(place);
  };
  return {
    lineUp: (place: number, client: string | undefined): Promise<void> =>
      new Promise((granted, refused) => {
        const waiting = new AbortController();
        const over = Promise.withResolvers<void>();
        ends.set(place, () => {
          waiting.abort();
          over.resolve();
        });
        const take = (): Promise<void> => {
          granted();
          return over.promise;
        };
        queue.run(take, { signal: waiting.signal, client }).catch(refused);
      }),
    leave,
    leaveAll: (): void => {
      for (const place of [...ends.keys()]) leave(place);
    },
  };
};

/** The primary's side. @returns a function that links a worker; `serving` is called once it serves */
export const workerLinks = ({ store, importQueue, limits }: PrimaryState) => {
  const links = new Map<number, ReturnType<typeof callsOver<ForPrimary>>>();
  const connections = connectionCounts(limits, (worker, address) => links.get(worker)?.tell('makeRoom', address));
  /** Of the workers that wait for each other. */
  const waiting = new Map<number, () => void>();
  const goTogether = (): void => {
    if (waiting.size < links.size) return;
    for (const go of waiting.values()) go();
    waiting.clear();
  };
  return (worker: number, send: Send, serving: ForWorker['serving'] = () => {}) => {
    const { leaveAll, ...line } = lineOf(importQueue);
    const services: ForWorker = {
      serving,
      write: store.write,
      ready: async () => store.ready(true),
      together: () =>
        new Promise((go) => {
          waiting.set(worker, go);
          goTogether();
        }),
      ...line,
      opened: (address) => connections.opened(worker, address),
      closed: (address) => connections.closed(worker, address),
    };
    const link = callsOver<ForPrimary>(send, services);
    links.set(worker, link);
    return {
      ...link,
      /** The worker has ended. */
      gone: (): void => {
        links.delete(worker);
        waiting.delete(worker);
        goTogether();
        leaveAll();
        connections.gone(worker);
        link.gone();
      },
    };
  };
};
