/** What a transaction reads and writes beside its rows. */
import type { Cell } from '../../../gateway/model/field.ts';
import type { ChangeSet } from '../../change-set.ts';
import type { FindRecord } from '../../idempotency.ts';
import { insertInto, postgres } from '../../sql/statement.ts';
import {
  forgetExpired,
  pauseValues,
  putRecord,
  type RecordRow,
  recordOf,
  recordValues,
  selectRecords,
  tombstones,
  writeChange,
} from '../../sql/system-tables.ts';
import type { BatchStatement, Reader } from '../connection/connection.ts';

/** @returns the rows as an `INSERT` binds them: column by column */
export const columnsOf = (rows: readonly (readonly Cell[])[]): readonly (readonly Cell[])[] =>
  (rows[0] ?? []).map((_, at) => rows.map((row) => row[at] ?? null));

/** @returns a statement that inserts all rows, where there are any */
export const insertAll = (sql: string, rows: readonly (readonly Cell[])[]): readonly BatchStatement[] =>
  rows.length === 0 ? [] : [{ sql, values: columnsOf(rows) }];

export const INSERT_TOMBSTONES = insertInto(postgres, tombstones);
const SELECT_RECORDS = selectRecords('= ANY(?)');
const PUT_RECORDS = putRecord(postgres);

/** Reads the records of some idempotency keys. */
export const readRecords = async (reader: Reader, keys: readonly string[]): Promise<FindRecord> => {
  const rows = keys.length === 0 ? [] : await reader.rows<RecordRow>({ sql: SELECT_RECORDS, values: [keys] });
  const records = new Map(rows.map((row) => [row[0], recordOf(row)]));
  return (key) => records.get(key);
};

/** @returns statements that write the records of a batch, where it has any */
const recordWrites = (changeSet: ChangeSet): readonly BatchStatement[] => {
  const records = changeSet.records();
  return records.length === 0 ? [] : [...insertAll(PUT_RECORDS, records.map(recordValues)), forgetExpired(records)];
};

/** @returns statements that write what else a transaction changes beside its rows */
export const restWrites = (changeSet: ChangeSet): readonly BatchStatement[] => {
  const [change, pause] = [changeSet.lastChange(), changeSet.pause()];
  return [
    ...recordWrites(changeSet),
    ...(pause === undefined ? [] : insertAll(INSERT_TOMBSTONES, [pauseValues(changeSet.last, pause)])),
    ...(change === undefined ? [] : [{ sql: writeChange, values: [change] }]),
  ];
};
