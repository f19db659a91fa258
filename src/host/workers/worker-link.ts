import type { Intent, Outcome } from '../../gateway/port/port.ts';
import type { Store } from '../../store/store.ts';
import type { Collect } from '../metrics/family.ts';
import { callsOver, type Send } from './calls.ts';

/** What a worker says once it accepts connections: at this origin, and each tree at this address, by language tag. */
export interface Serving {
  readonly origin: string;
  readonly trees: ReadonlyMap<string, string>;
}

/** What the primary does for a worker. */
export type ForWorker = {
  readonly serving: (where: Serving) => void;
  /** Commits with the writes of all workers. */
  readonly write: (intent: Intent) => Promise<Outcome>;
  /** Whether the primary can write. */
  readonly ready: () => Promise<boolean>;
  /** Resolves once all others wait, too. */
  readonly together: () => Promise<void>;
};

/** What a worker does for its primary. */
export type ForPrimary = {
  readonly stop: () => void;
  /** Reads secrets and keys again. */
  readonly reload: () => void;
  /** @returns what it has measured */
  readonly measure: Collect;
};

/** What a worker has of its primary. */
export type PrimaryServices = Pick<ForWorker, 'write' | 'ready' | 'together'>;

/** A worker's side. */
export const linkToPrimary = (send: Send, own: ForPrimary) => {
  const { call, tell, heard } = callsOver<ForWorker>(send, own);
  const services: PrimaryServices = {
    write: (intent) => call('write', intent),
    ready: () => call('ready'),
    together: () => call('together'),
  };
  return { ...services, tell, heard };
};

/** The primary's side. @returns a function that links a worker; `serving` is called once it serves */
export const workerLinks = (store: Pick<Store, 'write' | 'ready'>) => {
  const links = new Set<number>();
  /** Of the workers that wait for each other. */
  const waiting = new Map<number, () => void>();
  const goTogether = (): void => {
    if (waiting.size < links.size) return;
    for (const go of waiting.values()) go();
    waiting.clear();
  };
  return (worker: number, send: Send, serving: ForWorker['serving'] = () => {}) => {
    const services: ForWorker = {
      serving,
      write: store.write,
      ready: async () => store.ready(true),
      together: () =>
        new Promise((go) => {
          waiting.set(worker, go);
          goTogether();
        }),
    };
    const link = callsOver<ForPrimary>(send, services);
    links.add(worker);
    return {
      ...link,
      /** The worker has ended. */
      gone: (): void => {
        links.delete(worker);
        waiting.delete(worker);
        goTogether();
        link.gone();
      },
    };
  };
};
