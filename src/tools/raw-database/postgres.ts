import type { Catalogue } from '../../gateway/model/catalogue.ts';
import type { Cell } from '../../gateway/model/field.ts';
import { publicAddress } from '../../store/postgres/connection/addresses.ts';
import type { Connection } from '../../store/postgres/connection/connection.ts';
import { isReported } from '../../store/postgres/connection/errors.ts';
import { openPool } from '../../store/postgres/connection/pool.ts';
import { declareCursor, fetchChunks } from '../../store/postgres/reads/cursors.ts';
import { checkDatabase } from '../../store/postgres/schema/inspect.ts';
import { prepareDatabase } from '../../store/postgres/schema/schema.ts';
import { columnsOf } from '../../store/postgres/writes/rest-writes.ts';
import { insertInto, postgres } from '../../store/sql/dialects.ts';
import { statement } from '../../store/sql/statement.ts';
import type { OtherCollections } from '../../store/sql/system/other-collections.ts';
import { CHUNK_ROWS, type Driver } from './driver.ts';

/** Milliseconds to wait for a connection; statements may take their time. */
const TIMEOUT = 10_000;

/** Between two chunks the other database takes the time that it needs. */
const PATIENT = 'SET LOCAL idle_in_transaction_session_timeout = 0';

/** The cluster's own number tells that two addresses lead to one server, or to a replica of it; not every engine has one. */
const clusterOf = async (connection: Connection, url: string): Promise<string> => {
  try {
    const [[cluster] = ['']] = await connection.rows<[string]>(
      statement('SELECT system_identifier::text FROM pg_control_system()'),
    );
    return cluster;
  } catch (error) {
    if (isReported(error)) return publicAddress(url);
    throw error;
  }
};

/** @param url `postgres://…` */
export const openPostgres = async (url: string, catalogue: Catalogue, others: OtherCollections): Promise<Driver> => {
  const pool = openPool(url, { size: 3, timeout: TIMEOUT, isPatient: true });
  const { connection, release } = await pool.hold(async (held) => held);
  const place = statement('SELECT current_database(), current_schema()');
  return {
    identity: ['postgres', await clusterOf(connection, url), ...(await connection.rows<string[]>(place)).flat()].join(
      '/',
    ),
    check: () => checkDatabase(connection, catalogue, others),
    prepare: () => prepareDatabase(pool, catalogue, undefined, others),
    exec: connection.exec,
    rows: connection.rows,
    stream: async function* (wanted) {
      await declareCursor(connection, 'transfer', wanted);
      yield* fetchChunks<readonly Cell[]>(connection, 'transfer', CHUNK_ROWS);
      await connection.exec('CLOSE "transfer"');
    },
    insert: async (table, rows) => {
      await connection.rows({ sql: insertInto(postgres, table), values: columnsOf(rows) });
    },
    [Symbol.asyncDispose]: async () => {
      release(false);
      await pool.end();
    },
    sql: {
      beginSnapshot: `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${PATIENT}`,
      beginTransaction: `BEGIN ISOLATION LEVEL READ COMMITTED; ${PATIENT}`,
      tables: 'SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()',
      analyze: 'ANALYZE',
    },
  };
};
