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
import { REGISTER, readChange } from '../store/sql/system-tables.ts';
import { insertInto } from '../store/sql/tables.ts';
import { CHUNK_ROWS, errorMapping, type RawDatabase, type Rows } from './raw-database.ts';

/** Milliseconds to wait for a connection; statements may take their time. */
const TIMEOUT = 10_000;

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
const clusterOf = (connection: Connection, url: string): Promise<string> =>
  connection.rows<[string]>(statement('SELECT system_identifier::text FROM pg_control_system()')).then(
    ([[cluster] = ['']]) => cluster,
    (error: unknown) => {
      if (isReported(error)) return publicAddress(url);
      throw error;
    },
  );

const identityOf = async (connection: Connection, url: string): Promise<string> => {
  const [[database, schema] = []] = await connection.rows<string[]>(
    statement('SELECT current_database(), current_schema()'),
  );
  return `postgres:${await clusterOf(connection, url)}/${database}/${schema}`;
};

/** @param url `postgres://…` */
export const openRawPostgres = async (url: string, catalogue: Catalogue): Promise<RawDatabase> => {
  const name = publicAddress(url);
  const { one, many } = errorMapping(name);
  const pool = openPool(url, { size: 3, timeout: TIMEOUT, isPatient: true });
  const { connection, release } = await one(() => pool.hold(async (held) => held))();
  const exec = one(connection.exec);

  const within = async <T>(begin: string, work: () => Promise<T>): Promise<T> => {
    await exec(begin);
    try {
      // Between two chunks the other database takes the time that it needs.
      await exec('SET LOCAL idle_in_transaction_session_timeout = 0');
      const result = await work();
      await exec('COMMIT');
      return result;
    } catch (error) {
      await connection.exec('ROLLBACK').catch(() => {});
      throw error;
    }
  };
  return {
    name,
    identity: await one(identityOf)(connection, url),
    unregister: statement(`DROP TABLE IF EXISTS ${quote(REGISTER)}`),
    check: one(() => checkDatabase(connection, catalogue)),
    tables: one(async () => {
      const found = await connection.rows<[string]>(
        statement('SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()'),
      );
      return new Set(found.flat());
    }),
    prepare: one(() => prepareDatabase(pool, catalogue)),
    rows: one(connection.rows) as RawDatabase['rows'],
    stream: many((wanted) => chunksOf(connection, wanted)),
    // One statement, and so a transaction of its own.
    insert: one(async (table, rows) => {
      await connection.rows({ sql: insertInto(postgres, table), values: columnsOf(rows) });
    }),
    snapshot: (work) => within('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work),
    transaction: (work) => within('BEGIN ISOLATION LEVEL READ COMMITTED', work),
    lock: one(async () => {
      await connection.rows(LOCK_REGISTER);
    }),
    change: one(async () => {
      const [[change] = [0]] = await pool.use((other) => other.rows<[number]>(statement(readChange)));
      return change;
    }),
    analyze: one(async ({ name }) => {
      await connection.exec(`ANALYZE ${quote(name)}`);
    }),
    close: async () => {
      release(false);
      await pool.end();
    },
  };
};
