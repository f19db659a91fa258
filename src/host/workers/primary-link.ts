import type { Outcome } from '../../gateway/port/port.ts';
import { abandoned, type Reason, Unavailable } from '../../gateway/port/unavailable.ts';
import type { Gate } from '../../store/gate.ts';
import type { Store } from '../../store/store.ts';
import type { SharedPort } from '../server/connections.ts';
import type { FromWorker, Result, ToWorker } from './messages.ts';
import { deserializeError } from './serialized-error.ts';

/** The services of the primary for its workers. */
export interface PrimaryServices {
  /** Commits with the writes of all workers. */
  readonly write: Store['write'];
  /** Whether the primary can write. */
  readonly ready: () => Promise<boolean>;
  readonly importQueue: Pick<Gate, 'run'>;
  readonly sharedPort: SharedPort;
}

interface Link extends PrimaryServices {
  readonly heard: (message: Exclude<ToWorker, { kind: 'stop' | 'reload' | 'measure' }>) => void;
}

/** A worker's side. @param tell sends a message to the primary */
export const linkToPrimary = (tell: (message: FromWorker) => void): Link => {
  const writes = new Map<number, (settled: Result<Outcome>) => void>();
  const probes = new Map<number, (isReady: boolean) => void>();
  const meetings = new Map<number, (all: undefined) => void>();
  const places = new Map<number, (refused: Reason | undefined) => void>();
  let makeRoom: (address: string | undefined) => void = () => {};
  let last = 0;

  /** Sends a request, whose id the response repeats. */
  const ask = <T>(answers: Map<number, (answer: T) => void>, question: (id: number) => FromWorker): Promise<T> =>
    new Promise((resolve) => {
      const id = ++last;
      answers.set(id, resolve);
      tell(question(id));
    });
  const answer = <T>(answers: Map<number, (answer: T) => void>, id: number, value: T): void => {
    answers.get(id)?.(value);
    answers.delete(id);
  };

  return {
    write: async (intent) => {
      const settled = await ask(writes, (id) => ({ kind: 'write', id, intent }));
      if ('fault' in settled) throw deserializeError(settled.fault);
      return settled.value;
    },
    ready: () => ask(probes, (id) => ({ kind: 'ready', id })),
    importQueue: {
      run: async (read, caller) => {
        const { signal, client } = caller ?? {};
        let place = 0;
        const granted = ask(places, (id) => {
          place = id;
          return { kind: 'import', id, client };
        });
        // A client that has gone away releases its place at once; the primary then responds with a refusal.
        const leave = (): void => tell({ kind: 'import-over', id: place });
        signal?.addEventListener('abort', leave);
        try {
          const refused = await granted;
          if (signal?.aborted) throw abandoned();
          if (refused !== undefined) throw new Unavailable(refused);
          return await read();
        } finally {
          signal?.removeEventListener('abort', leave);
          leave();
        }
      },
    },
    sharedPort: {
      opened: (address) => tell({ kind: 'opened', address }),
      closed: (address) => tell({ kind: 'closed', address }),
      onCrowd: (make) => {
        makeRoom = make;
      },
      together: () => ask(meetings, (id) => ({ kind: 'together', id })),
    },
    heard: (message) => {
      switch (message.kind) {
        case 'written':
          return answer(writes, message.id, message.settled);
        case 'ready':
          return answer(probes, message.id, message.isReady);
        case 'together':
          return answer(meetings, message.id, undefined);
        case 'import-place':
          return answer(places, message.id, message.refused);
        case 'make-room':
          return makeRoom(message.address);
      }
    },
  };
};
