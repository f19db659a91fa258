/** Reads a file whole, and only then has a database apply its rows, all in one step. */
import type { ImportOptions, ImportOutcome } from '../../gateway/model/import.ts';
import { abandoned, refuseAs, unavailable } from '../../gateway/port/unavailable.ts';
import { ConcurrencyLimiter } from '../../util/concurrency-limiter.ts';
import { BatchWriter, UnnamedFile } from '../../util/unnamed-file.ts';
import type { Store } from '../store.ts';
import type { ImportWork } from './import-run.ts';

export interface ApplyOptions {
  readonly onProgress: (rows: number) => void;
  readonly signal: AbortSignal;
}

export class Imports {
  readonly #apply;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor(apply: (work: ImportWork, options: ApplyOptions) => Promise<ImportOutcome>) {
    this.#apply = apply;
  }

  readonly importRows: Store['importRows'] = (...request) => {
    const outcome = this.#import(...request);
    this.#running.add(outcome);
    void outcome.catch(() => {}).then(() => this.#running.delete(outcome));
    return outcome;
  };

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#running);
  }

  async #import(...[collection, source, options]: Parameters<Store['importRows']>): Promise<ImportOutcome> {
    const { file, ...summary } = await source.read();
    let keys: UnnamedFile | undefined;
    try {
      if (options.unkeyed && summary.unkeyed > 0 && summary.keyed === 0) throw options.unkeyed;
      keys = assignKeys(summary.assigned, options.assignKey);
      return await this.#applyUnlessEnded(
        {
          ...summary,
          collection: collection.routeId,
          rules: pickRules(options),
          file: file.fd,
          newKeys: keys?.fd,
          changes: options.changes?.fd,
          rejections: options.rejections?.fd,
          idempotency: options.isCheck ? undefined : options.idempotency?.(),
        },
        options,
      );
    } finally {
      file.close();
      keys?.close();
    }
  }

  async #applyUnlessEnded(work: ImportWork, { signal, onProgress = () => {} }: ImportOptions): Promise<ImportOutcome> {
    const closing = this.#closing.signal;
    const throwIfEnded = (): void => {
      if (signal?.aborted) throw abandoned();
      if (closing.aborted) throw unavailable(new Error('the database is closed'));
    };
    throwIfEnded();
    try {
      return await this.#apply(work, { onProgress, signal: AbortSignal.any(signal ? [signal, closing] : [closing]) });
    } catch (error) {
      throwIfEnded();
      throw error;
    }
  }
}

/** @returns what a thread is sent of the options, which may have more, and functions */
function pickRules(options: ImportOptions): ImportWork['rules'] {
  const { parents, onDuplicate, rejectsMissing, overwritesStale, isLenient, isCheck } = options;
  const { mostRejected, deletionShare } = options;
  return { parents, onDuplicate, rejectsMissing, overwritesStale, isLenient, mostRejected, isCheck, deletionShare };
}

function assignKeys(count: number, assignKey: () => string): UnnamedFile | undefined {
  if (count === 0) return undefined;
  const file = new UnnamedFile();
  const writer = new BatchWriter<string>(file.fd);
  for (let at = 0; at < count; at++) writer.add(assignKey());
  writer.flush();
  return file;
}

/** The most imports at one time: each has files on the disk. */
export const IMPORTS_AT_ONCE = 8;
/** The most whose files arrive, wait or are worked on. */
export const MOST_IMPORTS = 100;
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
