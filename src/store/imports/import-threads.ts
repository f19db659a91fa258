/** Imports run in threads of their own, so that neither planning the rows nor writing them blocks the event loop. */
import type { ImportOptions, ImportOutcome } from '../../gateway/model/import.ts';
import type { Idempotency } from '../../gateway/model/precondition.ts';
import { unavailable } from '../../gateway/port/unavailable.ts';
import { outOfMemory, type Problem } from '../../gateway/texts/problem.ts';
import { idlePool } from '../../util/idle.ts';
import type { Store } from '../store.ts';
import { type Thread, threadOf } from '../threads/thread.ts';
import type { ImportNews, ImportServices, ImportWork } from './answer-imports.ts';
import { idempotencyOf, listChanges, requestOf, type StagedBatch, stage, throwIfAborted } from './stage.ts';

/** MiB of a thread's heap, and of new objects until it looks which are garbage: nearly all of them are. */
const HEAP = 48;
const YOUNG = 8;
/** Threads that wait for another import: to start one takes more than a small file does. */
const IDLE = 1;
/** Imports whose thread starts while the first rows are read: whoever imports alone. More of them take 25 MiB each, whatever they send. */
const EARLY = 1;

interface ImportThreadsOptions {
  /** Runs in each thread, by `answerImports`. */
  readonly file: URL;
  readonly workerData: unknown;
  readonly location: () => string;
  /** Runs what writes. */
  readonly write: (work: () => Promise<ImportOutcome | undefined>) => Promise<ImportOutcome | undefined>;
  /** MiB of a thread. */
  readonly heap?: number;
}

/** Has a thread import. */
const importIn = (
  thread: Thread<ImportServices, ImportNews>,
  work: ImportWork,
  { onRejected, onProgress }: ImportOptions,
) => {
  thread.listen((news) => {
    if ('rejected' in news) for (const { row, error } of news.rejected) onRejected(row, error);
    else onProgress?.('applying', news.done);
  });
  let staged: Promise<unknown> = thread.ask('begin', [work]);
  // Thrown where it is awaited, as all that follow it.
  staged.catch(() => {});
  return {
    thread,
    /** Resolves once the chunk before is staged, so that not many wait in memory. */
    add: async (batch: StagedBatch): Promise<void> => {
      const before = staged;
      staged = thread.ask('add', [batch], [batch.bytes.buffer]);
      staged.catch(() => {});
      await before;
    },
    apply: async (idempotency: Idempotency | undefined): Promise<ImportOutcome | undefined> => {
      await staged;
      return await thread.ask('apply', [idempotency]);
    },
  };
};

export const importThreads = ({ file, workerData, location, write, heap = HEAP }: ImportThreadsOptions) => {
  const resourceLimits = { maxOldGenerationSizeMb: heap, maxYoungGenerationSizeMb: YOUNG };
  const threads = idlePool(
    IDLE,
    () => threadOf<ImportServices, ImportNews>(file, { workerData, resourceLimits }),
    (thread) => thread.close(),
  );
  const tooLarge = (error: unknown): Problem | undefined => outOfMemory((error as Error).cause, heap);
  const running = new Set<Promise<unknown>>();
  const closing = new AbortController();

  const run: Store['importRows'] = async (collection, rows, options) => {
    const stopped = new Int32Array(new SharedArrayBuffer(4));
    const stop = (): void => {
      Atomics.store(stopped, 0, 1);
      Atomics.notify(stopped, 0);
    };
    const ends = [closing.signal, ...(options.signal ? [options.signal] : [])];
    for (const signal of ends) signal.addEventListener('abort', stop);
    const work = { location: location(), request: requestOf(collection, options), stopped };
    let begun: ReturnType<typeof importIn> | undefined;
    /** A file that may have to wait until others are read takes no thread before it has rows. */
    const importing = () => {
      begun ??= importIn(threads.take(), work, options);
      return begun;
    };
    let isSound = false;
    try {
      if (running.size < EARLY) importing();
      await stage(collection, rows, options, async (batch) => {
        if (closing.signal.aborted) throw unavailable(new Error('the database is closed'));
        await importing().add(batch);
      });
      let end: unknown;
      const outcome = await write(() =>
        importing()
          .apply(idempotencyOf(options))
          .catch((error: unknown) => {
            // The database takes writes although nobody waits for this one any more, or its file takes too much.
            if (Atomics.load(stopped, 0) === 0 && !tooLarge(error)) throw error;
            end = error;
            return undefined;
          }),
      );
      if (outcome === undefined) throw end ?? unavailable(new Error('the database is locked'));
      await listChanges(outcome, options, () => importing().thread.ask('nextChanges', []));
      isSound = true;
      return outcome;
    } catch (error) {
      throwIfAborted(options.signal);
      throw tooLarge(error) ?? error;
    } finally {
      for (const signal of ends) signal.removeEventListener('abort', stop);
      stop();
      if (begun && isSound) threads.giveBack(begun.thread);
      else await begun?.thread.close();
    }
  };
  return {
    importRows: (...sent: Parameters<Store['importRows']>): Promise<ImportOutcome> => {
      const outcome = run(...sent);
      running.add(outcome);
      void outcome.catch(() => {}).then(() => running.delete(outcome));
      return outcome;
    },
    /** Ends all imports, which may take as long as their last step. */
    close: async (): Promise<void> => {
      closing.abort();
      await Promise.allSettled(running);
      await threads.endAll();
    },
  };
};
