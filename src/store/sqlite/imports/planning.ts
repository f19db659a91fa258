import { type Catalogue, collectionOf } from '../../../model/catalogue.ts';
import type { FileRow } from '../../../model/import.ts';
import type { ImportRequest, Rejection } from '../../imports/apply-row.ts';
import { type Plan, planOf } from '../../imports/plan.ts';
import { type Packed, type StageTables, stageTables, unpack } from '../../imports/stage-tables.ts';
import type { Row } from '../../port.ts';
import { sqlite } from '../../sql/dialects.ts';
import { sqlOf } from '../../sql/items.ts';
import type { Connection } from '../connection/connection.ts';
import { readLast } from '../writes/writes.ts';

/** SQLite's name for a temporary database of a connection's own. */
const TEMPORARY = "''";

interface Planning {
  readonly plan: Plan;
  readonly tables: StageTables;
  /** The last change number before anything was read. */
  readonly since: number;
  /** Plans a chunk of rows on what is stored at the moment. */
  readonly add: (bytes: Packed, rows?: readonly FileRow[]) => void;
  readonly close: () => void;
}

/** @param name of the temporary database, which the connection does not have yet */
export const openPlanning = (
  connection: Connection,
  name: string,
  catalogue: Catalogue,
  request: ImportRequest,
  onRejected: (rejection: Rejection) => void,
): Planning => {
  connection.exec(`ATTACH ${TEMPORARY} AS ${name}`);
  const tables = stageTables(connection, name, collectionOf(catalogue, request.collection));
  const plan = planOf(catalogue, request, tables, onRejected);
  const sql = sqlOf(catalogue, sqlite);
  return {
    plan,
    tables,
    since: connection.row<[number]>(readLast(catalogue), [])?.[0] ?? 0,
    add: (bytes, rows = unpack(bytes)) =>
      tables.inTransaction(() =>
        plan.add(rows, bytes, (collection, keys) => connection.row<Row>(sql(collection).select, keys)),
      ),
    close: () => connection.exec(`DETACH ${name}`),
  };
};
