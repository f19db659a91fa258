import type { Catalogue } from '../model/catalogue.ts';
import type { Cell } from '../model/field.ts';
import { publicAddress } from '../store/postgres/connection/addresses.ts';
import type { Connection } from '../store/postgres/connection/connection.ts';
import { isReported } from '../store/postgres/connection/errors.ts';
import { openPool } from '../store/postgres/connection/pool.ts';
import { checkDatabase } from '../store/postgres/schema/inspect.ts';
import { LOCK_REGISTER } from '../store/postgres/schema/register.ts';
import { prepareDatabase } from '../store/postgres/schema/schema.ts';
import { columnsOf } from '../store/postgres/writes/batch.ts';
import { postgres } from '../store/sql/dialects.ts';
import { quote, type Statement, statement } from '../store/sql/statement.ts';
import type { OtherCollections } from '../store/sql/system/other-collections.ts';
import { REGISTER } from '../store/sql/system-tables.ts';
import { insertInto } from '../store/sql/tables.ts';
import { CHUNK_ROWS, type Driver, type Rows } from './driver.ts';

/** Milliseconds to wait for a connection; statements may take their time. */
const TIMEOUT = 10_000;

/** Between two chunks the other database takes the time that it needs. */
const PATIENT = 'SET LOCAL idle_in_transaction_session_timeout = 0';

const FETCH = `FETCH ${CHUNK_ROWS} FROM "transfer"`;

/** The next chunk is on its way while one is used. */
async function* chunksOf(connection: Connection, wanted: Statement): AsyncGenerator<Rows> {
  await connection.rows({ ...wanted, sql: `DECLARE "transfer" NO SCROLL CURSOR FOR ${wanted.sql}` });
  let next = connection.fetch<readonly Cell[]>(FETCH);
  for (;;) {
    const rows = await next;
    if (rows.length < CHUNK_ROWS) {
      if (rows.length > 0) yield rows;
      break;
    }
    next = connection.fetch(FETCH);
    // Thrown where it is awaited.
    next.catch(() => {});
    yield rows;
  }
  await connection.exec('CLOSE "transfer"');
}

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

const identityOf = async (connection: Connection, url: string): Promise<string> => {
  const [[database, schema] = []] = await connection.rows<string[]>(
    statement('SELECT current_database(), current_schema()'),
  );
  return `postgres:${await clusterOf(connection, url)}/${database}/${schema}`;
};

/** @param url `postgres://…` */
export const openPostgres = async (url: string, catalogue: Catalogue, others: OtherCollections): Promise<Driver> => {
  const pool = openPool(url, { size: 3, timeout: TIMEOUT, isPatient: true });
  const { connection, release } = await pool.hold(async (held) => held);
  return {
    identity: await identityOf(connection, url),
    check: () => checkDatabase(connection, catalogue, others),
    prepare: () => prepareDatabase(pool, catalogue, undefined, others),
    exec: connection.exec,
    rows: connection.rows,
    stream: (wanted) => chunksOf(connection, wanted),
    // One statement, and so a transaction of its own.
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
      lock: LOCK_REGISTER,
      unregister: `DROP TABLE IF EXISTS ${quote(REGISTER)}`,
      analyze: 'ANALYZE',
    },
  };
};
