import { type Catalogue, collectionOf } from '../../../gateway/model/catalogue.ts';
import { unpack } from '../../../gateway/model/row-batch.ts';
import type { Row } from '../../../gateway/port/port.ts';
import type { ImportRequest, Rejection } from '../../imports/apply-row.ts';
import { planOf } from '../../imports/plan.ts';
import type { StagedBatch } from '../../imports/stage.ts';
import { stageTables } from '../../imports/stage-tables.ts';
import { sqlite } from '../../sql/dialects.ts';
import { sqlOf } from '../../sql/items.ts';
import type { Connection } from '../connection/connection.ts';
import { lastChange, readLast } from '../writes/writes.ts';

/** SQLite's name for a temporary database of a connection's own. */
const TEMPORARY = "''";

/** @param name of the temporary database, which the connection does not have yet */
export const openPlanning = (
  connection: Connection,
  name: string,
  catalogue: Catalogue,
  request: ImportRequest,
  onRejected: (rejection: Rejection) => void,
) => {
  connection.exec(`ATTACH ${TEMPORARY} AS ${name}`);
  const collection = collectionOf(catalogue, request.collection);
  const tables = stageTables(connection, name, collection);
  const plan = planOf(catalogue, request, tables, onRejected);
  const sql = sqlOf(catalogue, sqlite);
  return {
    collection,
    request,
    plan,
    tables,
    since: lastChange(connection, readLast(catalogue)),
    /** Plans a chunk of rows on what is stored at the moment. */
    add: (batch: StagedBatch): void =>
      tables.inTransaction(() =>
        plan.add(unpack(batch.bytes), batch, (collection, keys) => connection.row<Row>(sql(collection).select, keys)),
      ),
    close: (): void => connection.exec(`DETACH ${name}`),
  };
};
