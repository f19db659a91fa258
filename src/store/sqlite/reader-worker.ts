/** Runs in the reader thread. A list stays open until its last chunk was read, or until `end`. */
import { workerData } from 'node:worker_threads';
import type { Window } from '../../gateway/model/query.ts';
import type { Row } from '../../gateway/port/port.ts';
import { unavailable } from '../../gateway/port/unavailable.ts';
import type { ListSql } from '../sql/lists.ts';
import { SnapshotReader } from './snapshots.ts';
import { serve } from './thread.ts';

const reader = new SnapshotReader(workerData);
const open = new Map<number, Iterator<readonly Row[], undefined>>();

const services = {
  /** @returns the first chunk of a list, and whether there are more */
  list: (id: number, sql: ListSql, window: Window) => {
    const list = reader.read(sql, window);
    if (!list) return undefined;
    const { rest, ...first } = list;
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

serve(services);
