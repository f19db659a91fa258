/** A database in a file: threads read what is slow, write and import. */
import { realpathSync } from 'node:fs';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import type { ImportOutcome } from '../../gateway/model/import.ts';
import type { Intent } from '../../gateway/port/port.ts';
import { Unavailable } from '../../gateway/port/unavailable.ts';
import type { ApplyOptions } from '../imports/import-rows.ts';
import type { ImportWork } from '../imports/import-run.ts';
import { readChange } from '../sql/system-tables.ts';
import { threadOf } from '../threads/thread.ts';
import { type Connection, connect, READ_VERSION } from './connection/connection.ts';
import type { SqliteOptions } from './connection/options.ts';
import { type LongReadsOptions, readsOfFile } from './reads/long-reads.ts';
import { walSize } from './schema/wal.ts';
import { FileWrites } from './writes/file-writes.ts';
import type { ImportNews, Work, WriterServices } from './writes/writer-worker.ts';

/** By default, in bytes. */
const MOST_WAL = 268_435_456;

/** MiB of new objects of the thread that writes, nearly all of which are garbage soon. */
const YOUNG = 8;

/** KiB of pages that the reading connection caches. */
const CACHE = 16_384;

interface FileOptions extends Pick<SqliteOptions, 'walLimit' | 'report'> {
  /** The first connection to the file. */
  readonly main: Connection;
  readonly location: string;
  readonly catalogue: Catalogue;
  readonly slow: LongReadsOptions;
}

/** What a database in a file does in another way than one in memory. */
export type Database = ReturnType<typeof inFile>;

export const inFile = ({ main, location, catalogue, slow, walLimit = MOST_WAL, report = () => {} }: FileOptions) => {
  const path = realpathSync(location);
  // The last connection to close folds the log into the file, unless it can only read.
  const reader = connect(path, { readOnly: true });
  reader.exec(`PRAGMA cache_size = -${CACHE}`);
  reader.row(readChange, []);
  const workerData = { location: path, catalogue } satisfies Work;
  const writer = threadOf<WriterServices, ImportNews>(new URL('./writes/writer-worker.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG },
  });
  const long = readsOfFile(path, slow);
  const { write, isThere, takesWrites } = new FileWrites({ path, writer, lists: long, walLimit, report });
  /** One at a time. */
  const importRows = async (
    work: ImportWork,
    { onRejected, onProgress, signal }: ApplyOptions,
  ): Promise<ImportOutcome | undefined> => {
    const stopped = new Int32Array(new SharedArrayBuffer(4));
    const stop = (): void => void Atomics.store(stopped, 0, 1);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    writer.listen((news) => {
      if ('rejected' in news) onRejected(news.rejected);
      else onProgress(news.rows);
    });
    let end: unknown;
    const ask = (): Promise<ImportOutcome | undefined> =>
      writer.ask('importRows', [work, stopped]).catch((error: unknown) => {
        // The database takes writes although nobody waits for this one any more, or its changes cannot be listed.
        if (!signal.aborted && !(error instanceof Unavailable && error.reason === 'imports')) throw error;
        end = error;
        return undefined;
      });
    try {
      const outcome = await write(ask);
      if (end !== undefined) throw end;
      return outcome;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  };

  return {
    reader,
    commit: (intents: readonly Intent[]) => write(() => writer.ask('commit', [intents])),
    forget: async (before: number): Promise<void> => void (await write(() => writer.ask('forget', [before]))),
    importRows,
    long,
    /** A statement whose result differs after every commit. */
    version: READ_VERSION,
    /** Bytes of the log. */
    walBytes: (): number | undefined => walSize(path),
    /** Whether it can be read, or also written. */
    isReady: async (toWrite: boolean): Promise<boolean> =>
      main.row(readChange, []) !== undefined && (!toWrite || (await takesWrites())),
    /** Called when nothing is read or written any more. */
    close: async (): Promise<void> => {
      await writer.close();
      // The log beside a file that is not ours stays as it is: the last one to close would take it away, unless it can only read.
      for (const connection of isThere(0) ? [reader, main] : [main, reader]) connection.close();
    },
  };
};
