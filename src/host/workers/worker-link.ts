import { Unavailable } from '../../gateway/port/unavailable.ts';
import type { Gate } from '../../store/gate.ts';
import type { Store } from '../../store/store.ts';
import { type ConnectionCounts, type ConnectionLimits, connectionCounts } from './connection-counts.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import type { Metering } from './metering.ts';
import { serializeError } from './serialized-error.ts';

/** What all workers share in the primary. */
export interface PrimaryState {
  readonly store: Pick<Store, 'write' | 'ready'>;
  readonly importQueue: Pick<Gate, 'run'>;
  readonly limits: ConnectionLimits;
  /** `undefined` where nothing is measured. */
  readonly metering?: Metering | undefined;
}

type Tell = (message: ToWorker) => void;

/** Handles the messages of one worker. */
export interface WorkerLink {
  readonly heard: (message: Exclude<FromWorker, { kind: 'serving' }>) => void;
  /** The worker has ended. */
  readonly gone: () => void;
}

/** The primary's side of a link. */
const linkTo = (
  worker: number,
  {
    store,
    importQueue,
    metering,
    connections,
    meet,
  }: Omit<PrimaryState, 'limits'> & { readonly connections: ConnectionCounts; readonly meet: (go: () => void) => void },
  tell: Tell,
): WorkerLink => {
  /** Ends the wait, or frees the place, of each import. */
  const imports = new Map<number, () => void>();

  const write = async ({ id, intent }: Extract<FromWorker, { kind: 'write' }>): Promise<void> => {
    try {
      tell({ kind: 'written', id, settled: { value: await store.write(intent) } });
    } catch (error) {
      tell({ kind: 'written', id, settled: { fault: serializeError(error) } });
    }
  };
  const ready = async ({ id }: Extract<FromWorker, { kind: 'ready' }>): Promise<void> =>
    tell({ kind: 'ready', id, isReady: await store.ready(true) });
  const lineUp = async ({ id, client }: Extract<FromWorker, { kind: 'import' }>): Promise<void> => {
    const waiting = new AbortController();
    const over = Promise.withResolvers<void>();
    imports.set(id, () => {
      waiting.abort();
      over.resolve();
    });
    const take = (): Promise<void> => {
      tell({ kind: 'import-place', id, refused: undefined });
      return over.promise;
    };
    try {
      await importQueue.run(take, { signal: waiting.signal, client });
    } catch (error) {
      tell({ kind: 'import-place', id, refused: error instanceof Unavailable ? error.reason : 'imports' });
    }
  };
  const leave = (id: number): void => {
    imports.get(id)?.();
    imports.delete(id);
  };

  return {
    heard: (message) => {
      switch (message.kind) {
        case 'write':
          return void write(message);
        case 'ready':
          return void ready(message);
        case 'together':
          return meet(() => tell(message));
        case 'import':
          return void lineUp(message);
        case 'import-over':
          return leave(message.id);
        case 'measured':
          return metering?.measured(worker, message.families);
        case 'opened':
        case 'closed':
          return connections[message.kind](worker, message.address);
      }
    },
    gone: () => {
      for (const id of [...imports.keys()]) leave(id);
      connections.gone(worker);
      metering?.gone(worker);
    },
  };
};

/** @returns a function that makes the link to a worker; `tell` sends it messages */
export const workerLinks = ({ limits, ...rest }: PrimaryState): ((worker: number, tell: Tell) => WorkerLink) => {
  const tellers = new Map<number, Tell>();
  const connections = connectionCounts(limits, (worker, address) =>
    tellers.get(worker)?.({ kind: 'make-room', address }),
  );
  /** Of the workers that wait for each other. */
  const waiting = new Map<number, () => void>();
  const goTogether = (): void => {
    if (waiting.size < tellers.size) return;
    for (const go of waiting.values()) go();
    waiting.clear();
  };
  const meetAs = (worker: number) => (go: () => void) => {
    waiting.set(worker, go);
    goTogether();
  };
  return (worker, tell) => {
    tellers.set(worker, tell);
    rest.metering?.started(worker, () => tell({ kind: 'measure' }));
    const link = linkTo(worker, { ...rest, connections, meet: meetAs(worker) }, tell);
    return {
      ...link,
      gone: () => {
        tellers.delete(worker);
        waiting.delete(worker);
        goTogether();
        link.gone();
      },
    };
  };
};
