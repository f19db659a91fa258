import type { ImportOptions } from '../../gateway/model/import.ts';
import { refuseAs } from '../../gateway/port/unavailable.ts';
import { ConcurrencyLimiter } from '../../util/concurrency-limiter.ts';
import type { Store } from '../store.ts';

/** The most imports at one time: each has files on the disk. */
export const IMPORTS_AT_ONCE = 8;
/** The most that wait or are worked on. */
export const MOST_WAITING = 100;
/** Milliseconds after which an import that still waits is given up. */
const GIVE_UP = 60_000;

/** A signal that is never aborted, for imports that no client waits for. */
const { signal: never } = new AbortController();

/** @param share the share of all places that one client may take */
export const importQueue = (share: number): ConcurrencyLimiter =>
  new ConcurrencyLimiter(
    {
      limit: IMPORTS_AT_ONCE,
      queue: MOST_WAITING - IMPORTS_AT_ONCE,
      timeout: GIVE_UP,
      refuse: refuseAs('imports'),
    },
    share,
  );

/**
 * Imports wait for a place. One whose file has not begun to arrive takes no place, so that slow clients do not hold up
 * others.
 */
export const withImportQueue =
  (importRows: Store['importRows'], queue: Pick<ConcurrencyLimiter, 'run'>): Store['importRows'] =>
  async (collection, source, options: ImportOptions) => {
    const { signal = never, client } = options;
    await source.arrived;
    return queue.run(() => importRows(collection, source, options), { signal, client });
  };
