/** Runs in the threads of imports into a file. */
import { workerData } from 'node:worker_threads';
import { unavailable } from '../../../gateway/port/unavailable.ts';
import { answerImports } from '../../imports/answer-imports.ts';
import { type Connection, connect } from '../connection/connection.ts';
import { prepareWriting } from '../schema/schema.ts';
import { checkpoint, WAL_LIMIT, walSize } from '../schema/wal.ts';
import { begin } from '../writes/writes.ts';
import { sqliteImport } from './imports.ts';

/** Milliseconds after which the import is given up because another connection has the lock: another import takes its time. */
const GIVE_UP_MS = 120_000;

/**
 * KiB of pages that are kept: the rows of an import are scattered over the indexes, and what is not kept is written twice. A sort
 * takes as much again.
 */
const CACHE = 16_384;

/** Waits for the lock, which is free between two batches of writes. */
const waitForLock = (connection: Connection, pause: () => void): void => {
  const deadline = performance.now() + GIVE_UP_MS;
  while (!begin(connection)) {
    pause();
    if (performance.now() > deadline) throw unavailable(new Error('the database is locked'));
  }
};

answerImports((course) => {
  const { location, pause } = course;
  const connection = connect(location);
  prepareWriting(connection);
  const { add, apply, nextChanges } = sqliteImport(connection, workerData, 'import', course);
  return {
    add,
    apply: (idempotency) => {
      connection.exec(`PRAGMA cache_size = -${CACHE}`);
      const outcome = apply(idempotency, () => waitForLock(connection, pause));
      // The commit has folded it, but only the next one would cut it.
      if (walSize(location) > WAL_LIMIT) checkpoint(connection);
      return outcome;
    },
    nextChanges,
    close: connection.close,
  };
});
