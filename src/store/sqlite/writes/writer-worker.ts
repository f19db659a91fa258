/**
 * Runs in the thread that writes, so that neither the disk nor the upkeep of nine indexes per row blocks the event loop: commits
 * one batch after the other. The first write starts it.
 */
import { workerData } from 'node:worker_threads';
import type { Catalogue } from '../../../gateway/model/catalogue.ts';
import { lowerPriority } from '../../../util/thread-priority.ts';
import { forgetDeletions } from '../../sql/system-tables.ts';
import { answer } from '../../threads/answer.ts';
import type { Thread } from '../../threads/thread.ts';
import { connect } from '../connection/connection.ts';
import { prepareWriting } from '../schema/schema.ts';
import { checkpoint } from '../schema/wal.ts';
import { begin, committer, tryWriting } from './writes.ts';

/** What the thread is started with: the database's file, and what it keeps. */
export interface Work {
  readonly location: string;
  readonly catalogue: Catalogue;
}

lowerPriority();
const { location, catalogue } = workerData as Work;
const connection = connect(location);
prepareWriting(connection);
const commit = committer(connection, catalogue);

const services = {
  commit,
  /** Folds the log into the database. @returns whether nothing prevented it */
  fold: (): boolean => checkpoint(connection),
  tryWriting: (): boolean => tryWriting(connection),
  /** @returns `undefined` where another connection has the lock */
  forget: (before: number): true | undefined => {
    if (!begin(connection)) return undefined;
    connection.rows(forgetDeletions(before));
    connection.run('COMMIT', []);
    return true;
  },
};

export type WriterServices = typeof services;
export type Writer = Thread<WriterServices>;

answer(services, connection.close);
