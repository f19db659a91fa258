import { statfsSync, statSync } from 'node:fs';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import type { ImportOutcome } from '../../gateway/model/import.ts';
import type { Intent, Outcome } from '../../gateway/port/port.ts';
import { describeCause, OutcomeUnknown, Unavailable, unavailable } from '../../gateway/port/unavailable.ts';
import type { ApplyOptions } from '../imports/import-rows.ts';
import type { ImportWork } from '../imports/import-run.ts';
import type { ListStreams } from '../streams.ts';
import { WriteLog } from '../watch.ts';
import { WAL_LIMIT } from './connection.ts';
import { Thread, ThreadEnded } from './thread.ts';
import type { Work, WriterServices } from './writer-worker.ts';

const CHECK_MS = 1_000;
const MIB = 1_048_576;
/** Bytes of free disk from which on a write can be expected to succeed. */
const ENOUGH = MIB;
/** Bytes by which a log that could not be checkpointed grows before that is tried again. */
const GROWTH = 262_144;

/** Bytes up to which the log is never too large. */
const LEAST = 262_144;
/** MiB of new objects of the thread that writes, nearly all of which are garbage soon. */
const YOUNG = 8;

interface FileWriterOptions {
  readonly path: string;
  readonly catalogue: Catalogue;
  readonly lists: Pick<ListStreams, 'endAll'>;
  readonly walLimit: number;
  readonly warn: (line: string) => void;
}

/** A thread that ends while it writes may have written, or not. */
function throwUnknown(error: unknown): never {
  throw error instanceof ThreadEnded ? new OutcomeUnknown({ cause: error.cause }) : error;
}

/** Writes to a file in a thread, as long as the file is in its place, and keeps its log small. */
export class FileWriter {
  readonly #options: FileWriterOptions;
  readonly #thread: Thread<WriterServices>;
  readonly #log: WriteLog;
  readonly #openedFile: string;
  #importing: ApplyOptions | undefined;
  #checkedAt = performance.now();
  #isThere = true;
  #isFailing = false;
  #triedSize = 0;

  constructor(options: FileWriterOptions) {
    const { path: location, catalogue } = options;
    const thread = {
      workerData: { location, catalogue } satisfies Work,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG },
    };
    this.#options = options;
    this.#thread = new Thread(new URL('./writer-worker.ts', import.meta.url), thread, (rows) =>
      this.#importing?.onProgress(rows),
    );
    this.#log = new WriteLog(this.#warn);
    this.#openedFile = this.#identify();
  }

  readonly commit = (intents: readonly Intent[]): Promise<readonly Outcome[] | undefined> =>
    this.#write(() => this.#thread.ask('commit', [intents]).catch(throwUnknown));

  readonly importRows = async (work: ImportWork, options: ApplyOptions): Promise<ImportOutcome | undefined> => {
    const { signal } = options;
    const stopped = new Int32Array(new SharedArrayBuffer(4));
    const stop = (): void => void Atomics.store(stopped, 0, 1);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    this.#importing = options;
    const apply = () => this.#thread.ask('importRows', [work, stopped]).catch(throwUnknown);
    try {
      const outcome = await this.#write(apply, signal);
      // The commit has folded the log, but only the next one would cut it.
      if (walSize(this.#options.path) > WAL_LIMIT) await this.#thread.ask('fold', []).catch(() => {});
      return outcome;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  };

  async forgetDeletions(before: number): Promise<void> {
    await this.#write(() => this.#thread.ask('forget', [before]));
  }

  /** @param age milliseconds for which an earlier look counts. @returns whether the file that was opened is still in its place */
  isThere(age = CHECK_MS): boolean {
    const now = performance.now();
    if (this.#isThere && now - this.#checkedAt < age) return true;
    this.#checkedAt = now;
    const wasThere = this.#isThere;
    this.#isThere = this.#identify() === this.#openedFile;
    const { path } = this.#options;
    if (wasThere && !this.#isThere) {
      this.#warn(
        `is gone from its place: nothing is written any more. Put it back, or stop the service, remove ${path}-wal and ${path}-shm, put the right file in place and start it again`,
      );
    }
    if (!wasThere && this.#isThere) this.#warn('is there again');
    return this.#isThere;
  }

  async takesWrites(): Promise<boolean> {
    if (!this.isThere(0)) return false;
    const isEnough = freeSpaceFor(this.#options.path) >= ENOUGH;
    if (isEnough && !this.#isFailing) return true;
    try {
      // A trial is smaller than most writes, so that after a failure it proves nothing without room.
      if ((await this.#thread.ask('tryWriting', [])) && isEnough) this.#reportOutcome(undefined);
    } catch (error) {
      this.#reportOutcome(error);
    }
    return !this.#isFailing;
  }

  close(): Promise<void> {
    return this.#thread.terminate();
  }

  readonly #warn = (line: string): void => this.#options.warn(`${this.#options.path}: ${line}`);

  async #write<T>(work: () => Promise<T | undefined>, signal?: AbortSignal): Promise<T | undefined> {
    if (!this.isThere()) throw unavailable(new Error(`${this.#options.path} is gone from its place`));
    try {
      const result = await work();
      if (result !== undefined) this.#reportOutcome(undefined);
      return result;
    } catch (error) {
      // The database takes writes although nobody waits for this one any more, or a temporary file takes none.
      const isFault = error instanceof Unavailable && error.reason !== 'files' && !signal?.aborted;
      if (isFault) this.#reportOutcome(error);
      throw error;
    } finally {
      // The thread folds the log again before the next write, and reports a failure then.
      this.#makeRoom().catch(() => {});
    }
  }

  #identify(): string {
    const stats = statSync(this.#options.path, { bigint: true, throwIfNoEntry: false });
    return `${stats?.dev} ${stats?.ino}`;
  }

  #reportOutcome(error: unknown): void {
    this.#isFailing = error !== undefined;
    if (this.#isFailing) this.#log.failed(describeCause(error));
    else this.#log.succeeded();
  }

  async #makeRoom(): Promise<void> {
    const { path, walLimit, lists } = this.#options;
    const size = walSize(path);
    if (size <= LEAST || size <= Math.min(walLimit, (freeSpaceFor(path) + size) / 2)) {
      this.#triedSize = 0;
      return;
    }
    // Readers of other processes may prevent it; then it is not tried before every commit.
    if (size - this.#triedSize < GROWTH) return;
    this.#triedSize = size;
    if (await this.#thread.ask('fold', [])) return;
    const count = lists.endAll('the write-ahead log had to be folded (DATABASE_LOG_LIMIT)');
    if (count === 0) return;
    const mib = Math.ceil(size / MIB);
    this.#warn(`the write-ahead log has ${mib} MiB; ${count} lists that kept it from shrinking were broken off`);
    await this.#thread.ask('fold', []);
  }
}

export function walSize(location: string): number {
  return statSync(`${location}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

function freeSpaceFor(location: string): number {
  const { bavail, bsize } = statfsSync(location);
  return bavail * bsize;
}
