import { workerData } from 'node:worker_threads';
import type { Window } from '../../gateway/model/query.ts';
import type { Row } from '../../gateway/port/port.ts';
import { unavailable } from '../../gateway/port/unavailable.ts';
import type { ListSql } from '../sql/list-sql.ts';
import { connect } from './connection.ts';
import { type SyncFound, snapshots } from './reads.ts';
import { answer } from './thread.ts';

/** Runs in the reader thread: handles one request after the other. A list stays open until its last chunk was read, or until `end`. */

const reads = snapshots(() => connect(workerData, { readOnly: true }));
const open = new Map<number, NonNullable<SyncFound['rest']>>();

const services = {
  /** @returns the first chunk of a list, and whether there are more */
  list: (id: number, sql: ListSql, window: Window) => {
    const found = reads.read(sql, window);
    if (!found) return undefined;
    const { rest, ...first } = found;
    if (rest) open.set(id, rest);
    return { first, hasRest: rest !== undefined };
  },
  next: (id: number): readonly Row[] | undefined => {
    const list = open.get(id);
    open.delete(id);
    // The thread that had begun it has ended.
    if (!list) throw unavailable(new Error('the list was ended'));
    const chunk = list.next();
    if (!chunk.done) open.set(id, list);
    return chunk.value;
  },
  end: (id: number): void => {
    open.get(id)?.return?.();
    open.delete(id);
  },
};
export type ReaderServices = typeof services;

answer(services);
