import type { Catalogue } from '../../model/catalogue.ts';
import { DatabaseError } from '../database-error.ts';
import { cockroach, type Dialect, postgres } from '../sql/dialects.ts';
import { addColumns, createTable, indexesOf } from '../sql/schema.ts';
import { quote, type Statement, statement } from '../sql/statement.ts';
import {
  CHANGE,
  createSystemTables,
  MARKER,
  REGISTER,
  readChange,
  tombstones,
  totals,
  UNFINISHED,
} from '../sql/system-tables.ts';
import { fillTotals } from '../sql/totals.ts';
import { checkServer } from './check-server.ts';
import { alone, type Connection, type Reader, together } from './connection.ts';
import { isDuplicate, isReported, isTransient } from './errors.ts';
import type { Pool } from './pool.ts';

const APPLICATION = 'car-dealer-catalogue';

/** The steps from each version of the schema to the next, as for SQLite. */
const migrations = [createSystemTables] as const;

/** What exists in a database, by name. */
interface Found {
  /** 0: none yet. */
  readonly version: number;
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
  readonly indexes: ReadonlySet<string>;
  /** `collection` and `field` of the totals that are kept. */
  readonly totals: ReadonlySet<string>;
}

const totalName = (collection: string, field: string): string => `${collection} ${field}`;

const look = async (reader: Reader): Promise<Found> => {
  const [columns, indexes] = await together([
    reader.rows<[string, string]>(
      statement('SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema()'),
    ),
    reader.rows<[string]>(statement('SELECT indexname FROM pg_indexes WHERE schemaname = current_schema()')),
  ]);
  const byTable = Map.groupBy(columns, ([table]) => table);
  const has = (table: string, column: string): boolean =>
    byTable.get(table)?.some(([, name]) => name === column) ?? false;
  const [[version] = [0]] = has(REGISTER, 'application')
    ? await reader.rows<[number]>(
        statement(`SELECT "version" FROM ${quote(REGISTER)} WHERE "application" = ?`, [APPLICATION]),
      )
    : [];
  const counted = has(totals.name, 'field')
    ? await reader.rows<[string, string]>(
        statement(`SELECT "collection", "field" FROM ${quote(totals.name)} WHERE "value" = ''`),
      )
    : [];
  return {
    version,
    columns: new Map([...byTable].map(([table, found]) => [table, new Set(found.map(([, name]) => quote(name)))])),
    indexes: new Set(indexes.map(([name]) => name)),
    totals: new Set(counted.map(([collection, field]) => totalName(collection, field))),
  };
};

/** @throws DatabaseError where the tables belong to another program or to a newer version */
const check = ({ version, columns }: Found, catalogue: Catalogue): void => {
  if (version > migrations.length) {
    throw new DatabaseError(
      `was written by a newer version of this service (schema ${version}; this one knows ${migrations.length})`,
    );
  }
  if (version > 0) return;
  const isOurs = columns.get(REGISTER)?.has(quote('application')) ?? !columns.has(REGISTER);
  const taken = [CHANGE, tombstones.name, totals.name, ...catalogue.map(({ name }) => name)].filter((name) =>
    columns.has(name),
  );
  if (!isOurs || taken.length > 0) {
    const names = isOurs ? taken : [REGISTER];
    throw new DatabaseError(`holds tables of another program (${names.join(', ')})`);
  }
};

/** @throws DatabaseError for the same reasons, or where a transfer has not finished */
const checkWhole = (found: Found, catalogue: Catalogue): void => {
  check(found, catalogue);
  if (found.columns.has(MARKER)) throw new DatabaseError(UNFINISHED);
};

/** @throws DatabaseError where the tables belong to another program or to a newer version */
export const checkDatabase = async (reader: Reader, catalogue: Catalogue): Promise<void> =>
  check(await look(reader), catalogue);

/**
 * Creates only what is missing: even a statement with nothing to do would wait for open lists, and block every statement
 * behind it.
 */
const missing = ({ version, columns, indexes, totals: counted }: Found, catalogue: Catalogue, dialect: Dialect) => [
  ...migrations.slice(version).flatMap((step) => step(dialect).map((sql) => statement(sql))),
  ...catalogue.flatMap((collection): readonly Statement[] => {
    const existing = columns.get(collection.name);
    return [
      ...(existing ? addColumns(collection, existing, dialect) : [createTable(collection, dialect)]),
      ...indexesOf(collection)
        .filter(({ name }) => !indexes.has(name))
        .map(({ sql }) => sql),
    ].map((sql) => statement(sql));
  }),
  ...catalogue.flatMap((collection) =>
    fillTotals(collection, (field) => counted.has(totalName(collection.name, field))),
  ),
];

const dialectOf = async (reader: Reader): Promise<Dialect> => {
  const [[version] = ['']] = await reader.rows<[string]>(statement('SELECT version()'));
  return version.includes('CockroachDB') ? cockroach : postgres;
};

/** Creates the row that starting instances lock. Several may try at once, and some of them fail a few times. */
const register = async (connection: Connection, tries = 10): Promise<void> => {
  try {
    await connection.exec(
      `CREATE TABLE IF NOT EXISTS ${quote(REGISTER)} ("application" TEXT PRIMARY KEY, "version" BIGINT NOT NULL)`,
    );
    await connection.exec(
      `INSERT INTO ${quote(REGISTER)} VALUES ('${APPLICATION}', 0) ON CONFLICT ("application") DO NOTHING`,
    );
  } catch (error) {
    if (tries === 1 || !isReported(error) || !(isDuplicate(error) || isTransient(error))) throw error;
    await register(connection, tries - 1);
  }
};

/** Blocks other instances that start until the transaction ends. */
export const LOCK_REGISTER = statement(`SELECT "version" FROM ${quote(REGISTER)} WHERE "application" = ? FOR UPDATE`, [
  APPLICATION,
]);

/** Adds what is missing, while other instances that start, and all writes, wait. */
const complete = async (connection: Connection, catalogue: Catalogue): Promise<void> => {
  const dialect = await dialectOf(connection);
  await connection.begin('ISOLATION LEVEL READ COMMITTED');
  try {
    await connection.rows(LOCK_REGISTER);
    const before = await look(connection);
    checkWhole(before, catalogue);
    // No write may come between counting and storing a total.
    if (before.version > 0) await connection.exec(`${readChange} FOR UPDATE`);
    for (const each of missing(before, catalogue, dialect)) await connection.rows(each);
    const version = statement(`UPDATE ${quote(REGISTER)} SET "version" = ?`, [migrations.length]);
    await connection.rows(version);
    await connection.exec('COMMIT');
  } catch (error) {
    await connection.exec('ROLLBACK').catch(() => {});
    throw error;
  }
};

/**
 * Prepares a database for a catalogue in one transaction. Of several instances that start at once, one does it, and the
 * others find it done.
 *
 * @param pool its statements must have no time limit
 * @throws DatabaseError where the tables belong to another program or to a newer version, or are half filled
 */
export const prepareDatabase = (pool: Pool, catalogue: Catalogue): Promise<void> =>
  pool.use(async (connection) => {
    const reader = alone(connection);
    await checkServer(reader);
    const found = await look(reader);
    checkWhole(found, catalogue);
    const isComplete =
      found.version === migrations.length && missing(found, catalogue, await dialectOf(reader)).length === 0;
    if (isComplete) return;
    await register(connection);
    await complete(connection, catalogue);
  });
