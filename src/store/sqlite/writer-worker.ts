/** Runs in the thread that writes, so that neither the disk nor the upkeep of indexes blocks the event loop. */
import { workerData } from 'node:worker_threads';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import type { ImportOutcome } from '../../gateway/model/import.ts';
import { abandoned } from '../../gateway/port/unavailable.ts';
import { lowerPriority } from '../../util/thread-priority.ts';
import type { ImportWork } from '../imports/import-run.ts';
import { forgetDeletions } from '../sql/system-tables.ts';
import { checkpoint, connect } from './connection.ts';
import { prepareWriting } from './schema.ts';
import { sendProgress, serve } from './thread.ts';
import { Committer, importRows, tryWriting } from './writes.ts';

export interface Work {
  readonly location: string;
  readonly catalogue: Catalogue;
}

/** KiB of pages that are cached while many rows are written, which are scattered over the indexes; and SQLite's default. */
const IMPORT_CACHE = 16_384;
const CACHE = 2_000;

lowerPriority();
const { location, catalogue } = workerData as Work;
const connection = connect(location);
prepareWriting(connection);

const services = {
  commit: new Committer(connection, catalogue).commit,
  /** @param stopped is not 0 once the import must end. @returns `undefined` if another connection has the lock */
  importRows: (work: ImportWork, stopped: Int32Array): ImportOutcome | undefined => {
    const onProgress = (rows: number): void => {
      sendProgress(rows);
      if (Atomics.load(stopped, 0) !== 0) throw abandoned();
    };
    connection.exec(`PRAGMA cache_size = -${IMPORT_CACHE}`);
    try {
      return importRows(connection, catalogue, work, onProgress);
    } finally {
      connection.exec(`PRAGMA cache_size = -${CACHE}`);
    }
  },
  fold: (): boolean => checkpoint(connection),
  tryWriting: (): boolean => tryWriting(connection),
  forget: (before: number) => connection.tryTransaction(() => connection.rows(forgetDeletions(before))),
};

export type WriterServices = typeof services;

serve(services);
