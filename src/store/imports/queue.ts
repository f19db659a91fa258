import type { FileRow, ImportOptions } from '../../model/import.ts';
import type { Store } from '../port.ts';
import { type ReadQueue, readQueue } from '../read-queue.ts';

/** The most imports at one time: each takes a thread or a connection, and some memory. */
export const IMPORTS_AT_ONCE = 8;
/** The most that wait or are worked on. */
export const MOST_WAITING = 100;
/** Milliseconds after which an import that still waits is given up. */
const GIVE_UP = 60_000;

/** Yields to the event loop: otherwise rows that have arrived already would hold up everything else. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

type Chunks = AsyncIterator<readonly FileRow[]>;

async function* withFirst(
  first: IteratorResult<readonly FileRow[]>,
  rest: Chunks,
): AsyncGenerator<readonly FileRow[], void, undefined> {
  try {
    for (let each = first; !each.done; each = await rest.next()) {
      yield each.value;
      await turn();
    }
  } finally {
    await rest.return?.();
  }
}

/** A signal that is never aborted, for imports that no client waits for. */
const { signal: never } = new AbortController();

/** @param share the share of all slots that one client may take */
export const importQueue = (share: number): ReadQueue =>
  readQueue({ most: MOST_WAITING, atOnce: IMPORTS_AT_ONCE, giveUpMs: GIVE_UP, share, reason: 'imports' });

/**
 * Imports wait for their turn. One whose first rows have not arrived takes no place, so that slow clients do not hold up
 * others.
 */
export const withImportQueue =
  (importRows: Store['importRows'], queue: ReadQueue): Store['importRows'] =>
  async (collection, rows, options: ImportOptions) => {
    const { signal = never, client } = options;
    const rest = rows[Symbol.asyncIterator]();
    const first = await rest.next();
    try {
      return await queue.run(() => importRows(collection, withFirst(first, rest), options), { signal, client });
    } finally {
      await rest.return?.();
    }
  };
