import type { Catalogue } from '../../../gateway/model/catalogue.ts';
import type { Intent, Outcome } from '../../../gateway/port/port.ts';
import { threadOf } from '../../threads/thread.ts';

/** What the thread is started with. */
export interface Work {
  readonly location: string;
  readonly catalogue: Catalogue;
}

/** A batch to commit; or to fold the log, to try whether anything can be written, or to forget deletions before a change. */
export type WriterRequest = readonly Intent[] | 'fold' | 'try' | number;

export type Writer = ReturnType<typeof writerThread>;

/**
 * A thread that writes, so that neither the disk nor the upkeep of nine indexes per row blocks the event loop. The first
 * write starts it.
 *
 * @param work the database's file, and what it keeps
 */
export const writerThread = (work: Work) => {
  const thread = threadOf<WriterRequest>(new URL('./writer-worker.ts', import.meta.url), { workerData: work });
  return {
    /** As `committer` does. */
    commit: (intents: readonly Intent[]): Promise<readonly Outcome[] | undefined> => thread.ask(intents),
    /** Folds the log into the database. @returns whether nothing prevented it */
    fold: (): Promise<boolean> => thread.ask('fold'),
    /** Writes no item. @returns whether the lock was free. @throws as `commit` does */
    tryWriting: (): Promise<boolean> => thread.ask('try'),
    /** @returns `undefined` where another connection has the lock */
    forget: (before: number): Promise<true | undefined> => thread.ask(before),
    /** Resolves once the thread's connection is closed. */
    close: thread.close,
  };
};
