import type { Intent } from '../../gateway/port/port.ts';
import { abandoned } from '../../gateway/port/unavailable.ts';
import type { Gate } from '../../store/gate.ts';
import type { Store } from '../../store/store.ts';
import type { SharedPort } from '../server/connections.ts';
import { callsOver, type Send } from './calls.ts';
import type { ForPrimary, ForWorker } from './worker-link.ts';

/** The services of the primary for its workers. */
export interface PrimaryServices {
  /** Commits with the writes of all workers. */
  readonly write: Store['write'];
  /** Whether the primary can write. */
  readonly ready: () => Promise<boolean>;
  readonly importQueue: Pick<Gate, 'run'>;
  readonly sharedPort: SharedPort;
}

/** A worker's side. */
export const linkToPrimary = (send: Send, own: Omit<ForPrimary, 'makeRoom'>) => {
  let makeRoom: ForPrimary['makeRoom'] = () => {};
  const link = callsOver<ForWorker>(send, { ...own, makeRoom: (address?: string) => makeRoom(address) });
  const { call, tell } = link;
  let lastImport = 0;
  const services: PrimaryServices = {
    write: (intent: Intent) => call('write', intent),
    ready: () => call('ready'),
    importQueue: {
      run: async (read, caller) => {
        const { signal, client } = caller ?? {};
        lastImport += 1;
        const place = lastImport;
        // A client that has gone away releases its place at once; the primary then responds with a refusal.
        const leave = (): void => tell('leave', place);
        signal?.addEventListener('abort', leave);
        try {
          await call('lineUp', place, client).catch((error: unknown) => {
            throw signal?.aborted ? abandoned() : error;
          });
          if (signal?.aborted) throw abandoned();
          return await read();
        } finally {
          signal?.removeEventListener('abort', leave);
          leave();
        }
      },
    },
    sharedPort: {
      opened: (address) => tell('opened', address),
      closed: (address) => tell('closed', address),
      onCrowd: (make) => {
        makeRoom = make;
      },
      together: () => call('together'),
    },
  };
  return { ...services, tell, heard: link.heard };
};
