/** Runs in the thread of one import: its rows wait here, and are then applied. */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { ImportRequest, Rejection } from '../../imports/apply-row.ts';
import { isDry } from '../../imports/dry-rows.ts';
import { openSpool, type Packed } from '../../imports/spool.ts';
import type { ImportOutcome } from '../../port.ts';
import { abandoned, unavailable } from '../../unavailable.ts';
import { connect } from '../connection/connection.ts';
import { fold, foldSizeSetter, MOST, sizeOf } from '../schema/log.ts';
import { logMark } from '../schema/log-mark.ts';
import { prepareWriting } from '../schema/schema.ts';
import { faultOf } from '../writes/fault.ts';
import { begin } from '../writes/writes.ts';
import { applyImport } from './apply-import.ts';
import { type ImportMessage, type ImportOrder, type ImportWork, READ, STOPPED } from './import-thread.ts';

const { location, catalogue, shared } = workerData as ImportWork;
const spool = openSpool();

const tell = (message: ImportMessage): void => parentPort?.postMessage(message);

/** Milliseconds between two tries for the lock, and the age at which the import is given up: another one takes its time. */
const RETRY_MS = 5;
const GIVE_UP_MS = 120_000;

/** KiB of pages that are kept: the rows of an import are scattered over the indexes, and what is not kept is written twice. */
const CACHE = 32_768;

const checkStopped = (): void => {
  if (Atomics.load(shared, STOPPED) !== 0) throw abandoned();
};

/** Waits for the lock, which is free between two batches of writes. */
const waitForLock = (connection: ReturnType<typeof connect>): void => {
  const deadline = performance.now() + GIVE_UP_MS;
  while (!begin(connection)) {
    checkStopped();
    if (performance.now() > deadline) throw unavailable(new Error('the database is locked'));
    Atomics.wait(shared, STOPPED, 0, RETRY_MS);
  }
};

/** Asks for the note, while the transaction is open. */
const note = (): string => {
  tell({ isAsking: true });
  for (;;) {
    checkStopped();
    const received = parentPort && receiveMessageOnPort(parentPort);
    if (received) return (received.message as { readonly note: string }).note;
    Atomics.wait(shared, STOPPED, 0, RETRY_MS);
  }
};

/** Messages of rejected rows that wait to be read: a million rows may be rejected faster than they are told of. */
const UNREAD = 8;

const rejectionTeller = (): { readonly add: (rejection: Rejection) => void; readonly tell: () => void } => {
  let rejected: Rejection[] = [];
  let sent = 0;
  return {
    add: (rejection) => void rejected.push(rejection),
    tell: () => {
      if (rejected.length === 0) return;
      tell({ rejected });
      rejected = [];
      sent++;
      for (let read = Atomics.load(shared, READ); sent - read > UNREAD; read = Atomics.load(shared, READ)) {
        checkStopped();
        Atomics.wait(shared, READ, read, RETRY_MS);
      }
    },
  };
};

const apply = (request: ImportRequest): ImportOutcome => {
  const connection = connect(location);
  try {
    prepareWriting(connection);
    connection.exec(`PRAGMA cache_size = -${CACHE}`);
    foldSizeSetter(connection, location)();
    const mark = logMark(connection, location);
    const rejections = rejectionTeller();
    if (isDry(request, spool)) connection.exec('BEGIN');
    else waitForLock(connection);
    const outcome = applyImport(
      connection,
      catalogue,
      { request, spool },
      {
        onRejected: rejections.add,
        onChunk: (done) => {
          checkStopped();
          rejections.tell();
          tell({ done });
        },
        note,
      },
    );
    mark.renew();
    // The commit has folded it, but only the next one would cut it.
    if (sizeOf(location) > MOST) fold(connection);
    mark.close();
    return outcome;
  } finally {
    connection.close();
  }
};

const respond = (order: Packed | ImportRequest): ImportMessage => {
  try {
    if ('collection' in order) return { outcome: apply(order) };
    spool.add(order);
    return { isStaged: true };
  } catch (error) {
    return { fault: faultOf(error) };
  }
};

parentPort?.on('message', (order: ImportOrder) => {
  if (order === 'close') {
    spool.close();
    parentPort?.close();
  } else if (!('note' in order)) tell(respond(order));
});
