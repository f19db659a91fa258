import type { Catalogue } from '../../../gateway/model/catalogue.ts';
import type { ImportOptions, ImportOutcome } from '../../../gateway/model/import.ts';
import type { Idempotency } from '../../../gateway/model/precondition.ts';
import { unavailable } from '../../../gateway/port/unavailable.ts';
import { outOfMemory, Problem } from '../../../gateway/texts/problem.ts';
import type { ImportRequest, Rejection } from '../../imports/apply-row.ts';
import { idempotencyOf, requestOf, type StagedBatch, stage, throwIfAborted } from '../../imports/stage.ts';
import type { Store } from '../../store.ts';
import { threadOf } from '../threads/thread.ts';
import type { FileWatch } from '../watch/file-watch.ts';

/** What the thread is started with. */
export interface ImportWork {
  readonly location: string;
  readonly catalogue: Catalogue;
  readonly request: ImportRequest;
  /** Two numbers: whether the import must end (not 0), and how many messages of rejected rows were read. */
  readonly shared: Int32Array;
}

/** Rows, or what to do with them once all are there. */
export type ImportOrder = StagedBatch | { readonly idempotency: Idempotency | undefined };

/** How it goes while rows are staged and applied; whether it asks for the note. */
export type ImportNews =
  | { readonly rejected: readonly Rejection[] }
  | { readonly done: number }
  | { readonly isAsking: true };

/** What it asks for. */
export interface ImportNote {
  readonly note: string;
}

/** MiB of the thread's heap, and of new objects until it looks which are garbage: nearly all of them are. */
const HEAP = 48;
const YOUNG = 8;

/** The places in `shared`. */
export const STOPPED = 0;
export const READ = 1;

const importThread = (work: ImportWork, heap: number, { onRejected, onProgress, note = () => '' }: ImportOptions) => {
  const resourceLimits = { maxOldGenerationSizeMb: heap, maxYoungGenerationSizeMb: YOUNG };
  const file = new URL('./import-worker.ts', import.meta.url);
  const thread = threadOf<ImportOrder, ImportNews>(file, { workerData: work, resourceLimits }, (news) => {
    if ('rejected' in news) {
      for (const { row, error } of news.rejected) onRejected(row, error);
      Atomics.add(work.shared, READ, 1);
      Atomics.notify(work.shared, READ);
    } else if ('done' in news) onProgress?.('applying', news.done);
    else thread.tell({ note: note() } satisfies ImportNote);
  });

  const ask = <R>(order: ImportOrder, buffers?: readonly ArrayBuffer[]): Promise<R> =>
    thread.ask<R>(order, buffers).catch((error: Error) => {
      throw outOfMemory(error.cause, heap) ?? error;
    });
  let staged: Promise<unknown> = Promise.resolve();
  return {
    /** Resolves once the chunk before is staged, so that not many wait in memory. */
    add: async (batch: StagedBatch): Promise<void> => {
      const before = staged;
      staged = ask(batch, [batch.bytes.buffer]);
      // Thrown where it is awaited.
      staged.catch(() => {});
      await before;
    },
    apply: async (idempotency: Idempotency | undefined): Promise<ImportOutcome | undefined> => {
      await staged;
      return await ask<ImportOutcome>({ idempotency });
    },
    /** Resolves once nothing of the thread is left. */
    close: thread.close,
  };
};

interface FileImportsOptions {
  readonly location: string;
  readonly catalogue: Catalogue;
  readonly write: FileWatch['write'];
  /** MiB of a thread. */
  readonly heap?: number;
}

/** Each import has a thread of its own, so that neither reading the rows again nor writing them blocks the event loop. */
export const fileImports = ({ location, catalogue, write, heap = HEAP }: FileImportsOptions) => {
  const running = new Set<Promise<unknown>>();
  const closing = new AbortController();

  const run: Store['importRows'] = async (collection, rows, options) => {
    const shared = new Int32Array(new SharedArrayBuffer(8));
    const stop = (): void => void Atomics.store(shared, STOPPED, 1);
    const request = requestOf(collection, options);
    const thread = importThread({ location, catalogue, request, shared }, heap, options);
    const ends = [closing.signal, ...(options.signal ? [options.signal] : [])];
    for (const signal of ends) signal.addEventListener('abort', stop);
    try {
      await stage(collection, rows, options, async (batch) => {
        if (closing.signal.aborted) throw unavailable(new Error('the database is closed'));
        await thread.add(batch);
      });
      let end: unknown;
      const outcome = await write(() =>
        thread.apply(idempotencyOf(options)).catch((error: unknown) => {
          // The database takes writes although nobody waits for this one any more, or its file takes too much.
          if (Atomics.load(shared, STOPPED) === 0 && !(error instanceof Problem)) throw error;
          end = error;
          return undefined;
        }),
      );
      if (outcome === undefined) throw end ?? unavailable(new Error('the database is locked'));
      return outcome;
    } catch (error) {
      throwIfAborted(options.signal);
      throw error;
    } finally {
      for (const signal of ends) signal.removeEventListener('abort', stop);
      await thread.close();
    }
  };
  return {
    importRows: (...sent: Parameters<Store['importRows']>): Promise<ImportOutcome> => {
      const outcome = run(...sent);
      const over = outcome.then(
        () => {},
        () => {},
      );
      running.add(over);
      void over.then(() => running.delete(over));
      return outcome;
    },
    /** Ends all imports, which may take as long as their last step. */
    close: async (): Promise<void> => {
      closing.abort();
      await Promise.all(running);
    },
  };
};
