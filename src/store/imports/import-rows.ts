/** Reads a file whole, and only then has a database apply its rows, all in one step. */
import type {
  ImportChanges,
  ImportOptions,
  ImportOutcome,
  ImportRules,
  ItemChange,
  Rejection,
} from '../../gateway/model/import.ts';
import { abandoned, refuseAs, unavailable } from '../../gateway/port/unavailable.ts';
import { ConcurrencyLimiter } from '../../util/concurrency-limiter.ts';
import { BatchWriter, batchesIn, UnnamedFile } from '../../util/unnamed-file.ts';
import type { Store } from '../store.ts';
import type { ImportEvents, ImportWork } from './import-run.ts';

/** How a database applies rows. */
export interface ApplyOptions {
  readonly onRejected: (rejections: readonly Rejection[]) => void;
  readonly onProgress: (rows: number) => void;
  /** Aborted if the import must end. */
  readonly signal: AbortSignal;
}

export type ApplyRows = (work: ImportWork, options: ApplyOptions) => Promise<ImportOutcome>;

/**
 * @param check throws if the import must end
 * @returns events that pass on what happens some rows at a time, and a function to call before anything is stored
 */
export const eventsFor = (
  { changes: fd }: ImportWork,
  { onRejected, onProgress }: Omit<ApplyOptions, 'signal'>,
  check: () => void,
) => {
  const changes = fd === undefined ? undefined : new BatchWriter<ItemChange>(fd);
  let rejections: Rejection[] = [];
  const pass = (): void => {
    if (rejections.length > 0) onRejected(rejections);
    rejections = [];
  };
  const events: ImportEvents = {
    onRejected: (rejection) => void rejections.push(rejection),
    onProgress: (rows) => {
      pass();
      onProgress(rows);
      check();
    },
    onChange: changes && ((change) => inFiles(() => changes.add(change))),
  };
  return {
    events,
    complete: (): void => {
      pass();
      inFiles(() => changes?.flush());
    },
  };
};

/** @throws Unavailable if the disk takes no more */
function inFiles(write: () => void): void {
  try {
    write();
  } catch (error) {
    throw unavailable(error, 'files');
  }
}

const rulesIn = (options: ImportOptions): ImportRules => {
  const { parents, onDuplicate, rejectsMissing, isLenient, mostRejected, isCheck, deletionShare, mostErrors } = options;
  return { parents, onDuplicate, rejectsMissing, isLenient, mostRejected, isCheck, deletionShare, mostErrors };
};

/** @returns a file with new keys; `undefined` if none is needed */
const newKeys = (count: number, assignKey: () => string): UnnamedFile | undefined => {
  if (count === 0) return undefined;
  const file = new UnnamedFile();
  const writer = new BatchWriter<string>(file.fd);
  for (let at = 0; at < count; at++) writer.add(assignKey());
  writer.flush();
  return file;
};

const changesIn = (file: UnnamedFile): ImportChanges => ({
  batches: () => batchesIn<ItemChange>(file.fd),
  close: () => file.close(),
});

/** The imports into a database. */
export class Imports {
  readonly #apply: ApplyRows;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor(apply: ApplyRows) {
    this.#apply = apply;
  }

  readonly importRows: Store['importRows'] = (...sent) => {
    const outcome = this.#import(...sent);
    this.#running.add(outcome);
    void outcome.catch(() => {}).then(() => this.#running.delete(outcome));
    return outcome;
  };

  /** Ends all imports. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#running);
  }

  async #import(...[collection, source, options]: Parameters<Store['importRows']>): Promise<ImportOutcome> {
    const { file, ...summary } = await source.read();
    let changes: UnnamedFile | undefined;
    let keys: UnnamedFile | undefined;
    let hasChanges = false;
    try {
      if (options.listsChanges) changes = new UnnamedFile();
      if (options.unkeyed && summary.unkeyed > 0 && summary.keyed === 0) throw options.unkeyed;
      keys = newKeys(summary.assigned, options.assignKey);
      const work: ImportWork = {
        ...summary,
        collection: collection.id,
        rules: rulesIn(options),
        file: file.fd,
        newKeys: keys?.fd,
        changes: changes?.fd,
        idempotency: options.isCheck ? undefined : options.idempotency?.(),
      };
      const outcome = await this.#applied(work, options);
      if (outcome.kind !== 'checked' && (outcome.kind !== 'imported' || outcome.earlier)) return outcome;
      if (!changes) return outcome;
      hasChanges = true;
      return { ...outcome, changes: changesIn(changes) };
    } finally {
      for (const each of [file, keys]) each?.close();
      if (!hasChanges) changes?.close();
    }
  }

  async #applied(work: ImportWork, { signal, onRejected, onProgress }: ImportOptions) {
    const closing = this.#closing.signal;
    const throwIfAborted = (): void => {
      if (signal?.aborted) throw abandoned();
      if (closing.aborted) throw unavailable(new Error('the database is closed'));
    };
    throwIfAborted();
    try {
      return await this.#apply(work, {
        onRejected: (rejections) => {
          for (const { row, error } of rejections) onRejected(row, error);
        },
        onProgress: (rows) => onProgress?.(rows),
        signal: AbortSignal.any(signal ? [signal, closing] : [closing]),
      });
    } catch (error) {
      throwIfAborted();
      throw error;
    }
  }
}

/** The most imports at one time: each has files on the disk. */
export const IMPORTS_AT_ONCE = 8;
/** The most whose files arrive, wait or are worked on. */
export const MOST_IMPORTS = 100;
/** Milliseconds after which an import that still waits is given up. */
const GIVE_UP = 60_000;

/** Many files may arrive, but few are read and stored at a time: slow clients do not hold up others. */
export class ImportQueue {
  readonly #all: ConcurrencyLimiter;
  readonly #running: ConcurrencyLimiter;

  /** @param share is the part of all imports that one client may have */
  constructor(share: number) {
    const refuse = refuseAs('imports');
    this.#all = new ConcurrencyLimiter({ limit: MOST_IMPORTS, refuse }, share);
    this.#running = new ConcurrencyLimiter({ limit: IMPORTS_AT_ONCE, queue: MOST_IMPORTS, timeout: GIVE_UP, refuse });
  }

  /** @returns the same function, whose imports wait */
  wrap(importRows: Store['importRows']): Store['importRows'] {
    return (collection, source, options) => {
      const { signal, client } = options;
      const run = async () => {
        await source.receive?.();
        return this.#running.run(() => importRows(collection, source, options), { signal });
      };
      return this.#all.run(run, { signal, client });
    };
  }
}
