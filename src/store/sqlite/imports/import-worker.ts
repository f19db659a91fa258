/** Runs in the thread of one import: its rows wait here, and are then applied. */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { ImportOutcome } from '../../../gateway/model/import.ts';
import type { Idempotency } from '../../../gateway/model/precondition.ts';
import { abandoned, unavailable } from '../../../gateway/port/unavailable.ts';
import { isDry } from '../../imports/apply-plan.ts';
import type { Rejection } from '../../imports/apply-row.ts';
import { connect } from '../connection/connection.ts';
import { prepareWriting } from '../schema/schema.ts';
import { checkpoint, WAL_LIMIT, walSize } from '../schema/wal.ts';
import { walMark } from '../schema/wal-mark.ts';
import { answer, tell } from '../threads/answer.ts';
import { begin } from '../writes/writes.ts';
import { applyImport } from './apply-import.ts';
import { type ImportNews, type ImportNote, type ImportOrder, type ImportWork, READ, STOPPED } from './import-thread.ts';
import { openPlanning } from './planning.ts';

const { location, catalogue, request, shared } = workerData as ImportWork;

/** Milliseconds between two tries for the lock, and the age at which the import is given up: another one takes its time. */
const RETRY_MS = 5;
const GIVE_UP_MS = 120_000;

/**
 * KiB of pages that are kept: the rows of an import are scattered over the indexes, and what is not kept is written twice. A sort
 * takes as much again.
 */
const CACHE = 16_384;

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
  tell<ImportNews>({ isAsking: true });
  for (;;) {
    checkStopped();
    const received = parentPort && receiveMessageOnPort(parentPort);
    if (received) return (received.message as ImportNote).note;
    Atomics.wait(shared, STOPPED, 0, RETRY_MS);
  }
};

/** The most unread messages of rejected rows: a million rows may be rejected faster than they are reported. */
const UNREAD = 8;

const rejectionTeller = (): { readonly add: (rejection: Rejection) => void; readonly tell: () => void } => {
  let rejected: Rejection[] = [];
  let sent = 0;
  return {
    add: (rejection) => void rejected.push(rejection),
    tell: () => {
      if (rejected.length === 0) return;
      tell<ImportNews>({ rejected });
      rejected = [];
      sent++;
      for (let read = Atomics.load(shared, READ); sent - read > UNREAD; read = Atomics.load(shared, READ)) {
        checkStopped();
        Atomics.wait(shared, READ, read, RETRY_MS);
      }
    },
  };
};

const rejections = rejectionTeller();

const open = () => {
  const connection = connect(location);
  prepareWriting(connection);
  return { connection, planning: openPlanning(connection, 'import', catalogue, request, rejections.add) };
};
let opened: ReturnType<typeof open> | undefined;

const apply = (idempotency: Idempotency | undefined): ImportOutcome => {
  opened ??= open();
  const { connection, planning } = opened;
  connection.exec(`PRAGMA cache_size = -${CACHE}`);
  const mark = walMark(connection, location);
  const tellAndNote = (): string => {
    rejections.tell();
    return note();
  };
  const work = { ...planning, idempotency, note: tellAndNote };
  if (isDry(work)) connection.exec('BEGIN');
  else waitForLock(connection);
  const outcome = applyImport(connection, catalogue, work, (done) => {
    checkStopped();
    tell({ done });
  });
  rejections.tell();
  mark.renew();
  // The commit has folded it, but only the next one would cut it.
  if (walSize(location) > WAL_LIMIT) checkpoint(connection);
  mark.close();
  return outcome;
};

answer<ImportOrder | ImportNote>(
  (order) => {
    // Nobody waits for it any more.
    if ('note' in order) return undefined;
    if ('idempotency' in order) return apply(order.idempotency);
    opened ??= open();
    opened.planning.add(order);
    rejections.tell();
    return undefined;
  },
  () => opened?.connection.close(),
);
