/** A newer catalogue gets what it needs while other instances work: nobody is blocked for longer than `LOCK_MS`. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Catalogue, Collection } from '../../../gateway/model/catalogue.ts';
import { changeAt } from '../../change-set.ts';
import {
  addColumns,
  createIndex,
  createTable,
  type Index,
  listIndexes,
  listObsoleteIndexes,
  listUnknownTables,
  mustTrim,
  planRenaming,
  refuseRepeated,
  refuseUnknownTables,
  selectRepeated,
  TRIMMED,
  trimKeys,
} from '../../sql/schema.ts';
import { postgres, quote } from '../../sql/statement.ts';
import {
  apiKeys,
  CHANGE,
  hooks,
  idempotency,
  migrations,
  REGISTER,
  tombstones,
  unusedTables,
} from '../../sql/system-tables.ts';
import { DatabaseError } from '../../store.ts';
import { isLocked } from '../connection/errors.ts';
import { type Connection, type Pool, settleAll } from '../connection/pool.ts';
import { dropFormerTerms, listObsoleteTermIndexes, listTermIndexes } from './search.ts';

const APPLICATION = 'car-dealer-catalogue';

/** Milliseconds to wait for the lock of a table, while all later statements wait behind it; and between two attempts. */
const LOCK_MS = 100;
const PAUSE_MS = 1_000;
/** One in so many failed attempts is reported, beginning with the first. */
const REPORT_EVERY = 60;
/** Milliseconds between two checks whether another instance has finished. */
const TURN_MS = 200;

interface ExistingSchema {
  /** `undefined` if nothing is this service's yet; 0 if that is about to change, or was interrupted. */
  readonly version: number | undefined;
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
  readonly indexes: ReadonlyMap<string, boolean>;
}

type TableChange = readonly [table: string, statements: readonly string[]];

const SELECT_COLUMNS =
  'SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema()';
const SELECT_INDEXES = `SELECT relname, indisvalid::int
  FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname = current_schema()`;

/** @throws DatabaseError if the tables belong to another program or to a newer version */
async function readSchema(connection: Connection, catalogue: Catalogue): Promise<ExistingSchema> {
  const [rows, indexes] = await settleAll([
    connection.fetch<[table: string, column: string]>(SELECT_COLUMNS),
    connection.fetch<[name: string, isValid: number]>(SELECT_INDEXES),
  ]);
  const columns = new Map<string, Set<string>>();
  for (const [table, column] of rows) columns.set(table, (columns.get(table) ?? new Set()).add(quote(column)));
  const isRegistered = columns.get(REGISTER)?.has(quote('application')) ?? false;
  const selectVersion = `SELECT "version" FROM ${quote(REGISTER)} WHERE "application" = '${APPLICATION}'`;
  const [[version] = []] = isRegistered ? await connection.fetch<[number]>(selectVersion) : [];
  if (version !== undefined && version > migrations.length) {
    const versions = `schema ${version}; this one knows ${migrations.length}`;
    throw new DatabaseError(`was written by a newer version of this service (${versions})`);
  }
  if (version === undefined) {
    const ourTables = [tombstones, apiKeys, idempotency, hooks, ...catalogue].map(({ name }) => name);
    const names = [...(isRegistered ? [] : [REGISTER]), CHANGE, ...ourTables, ...unusedTables];
    const foreignTables = names.filter((table) => columns.has(table));
    if (foreignTables.length > 0)
      throw new DatabaseError(`contains tables of another program (${foreignTables.join(', ')})`);
  }
  return { version, columns, indexes: new Map(indexes.map(([name, isValid]) => [name, isValid === 1])) };
}

async function checkCollections(
  connection: Connection,
  { version, columns, indexes }: ExistingSchema,
  catalogue: Catalogue,
): Promise<void> {
  if (version === undefined) return;
  const tables = listUnknownTables(indexes.keys(), catalogue).filter((table) => columns.has(table));
  const counts = tables.map(async (table) => {
    const [[count] = [0]] = await connection.fetch<[number]>(`SELECT count(*) FROM ${quote(table)}`);
    return [table, count] as const;
  });
  refuseUnknownTables(await settleAll(counts));
}

function listAllIndexes(collection: Collection): readonly Index[] {
  return [...listIndexes(collection), ...listTermIndexes(collection)];
}

/** Even a statement with nothing to do would wait for open lists, and block every later statement. */
function findChanges({ version, columns, indexes }: ExistingSchema, catalogue: Catalogue) {
  const valid = new Set([...indexes].flatMap(([name, isValid]) => (isValid ? [name] : [])));
  const rename = (before: string, now: string): string => `ALTER INDEX IF EXISTS ${before} RENAME TO ${now}`;
  const renames = (version === undefined ? [] : catalogue).map((collection): TableChange => {
    const renaming = planRenaming(collection, (table) => columns.get(table), listAllIndexes, rename);
    return [collection.name, renaming?.statements ?? []];
  });
  const tables = catalogue.map((collection): TableChange => {
    const existing = columns.get(collection.name);
    const creations = listAllIndexes(collection).map((index) => createIndex(index));
    const additions = existing
      ? addColumns(collection, existing, postgres)
      : [createTable(collection, postgres), ...creations];
    const removals = columns.has(`${collection.name}_words`) ? dropFormerTerms(collection) : [];
    return [collection.name, [...additions, ...removals]];
  });
  const migration: TableChange = ['', migrations.slice(version ?? 0).flatMap((step) => step(postgres))];
  const hasStatements = ([, statements]: TableChange): boolean => statements.length > 0;
  return {
    renames: renames.filter(hasStatements),
    tables: [migration, ...tables].filter(hasStatements),
    indexes: catalogue
      .flatMap((collection) => (columns.has(collection.name) ? listAllIndexes(collection) : []))
      .filter(({ name }) => !valid.has(name)),
    obsolete: catalogue.flatMap((collection) => [
      ...listObsoleteIndexes(collection).filter((name) => valid.has(name)),
      ...listObsoleteTermIndexes(collection, valid),
    ]),
  };
}

/** Tries again and again: a session that waited in the database would delay the creation of indexes. */
async function lockStarts(connection: Connection): Promise<void> {
  for (;;) {
    await connection.begin();
    const rows = await connection.fetch(`SELECT 1 WHERE pg_try_advisory_xact_lock(hashtext('${APPLICATION}'))`);
    if (rows.length > 0) return;
    await connection.exec('ROLLBACK');
    await sleep(TURN_MS);
  }
}

const REGISTER_ZERO = `CREATE TABLE IF NOT EXISTS ${quote(REGISTER)} ("application" TEXT PRIMARY KEY, "version" BIGINT NOT NULL);
  INSERT INTO ${quote(REGISTER)} VALUES ('${APPLICATION}', 0) ON CONFLICT ("application") DO NOTHING`;

async function changeTable(
  connection: Connection,
  [table, statements]: TableChange,
  warn: (line: string) => void,
): Promise<void> {
  for (let tries = 0; ; tries++) {
    await connection.begin();
    try {
      await connection.exec([`SET LOCAL lock_timeout = ${LOCK_MS}`, ...statements, 'COMMIT'].join('; '));
      return;
    } catch (error) {
      await connection.exec('ROLLBACK').catch(() => {});
      if (!isLocked(error)) throw error;
    }
    const reason = `whoever reads the table ${quote(table)}, such as a backup: pg_stat_activity tells who`;
    if (tries % REPORT_EVERY === 0) warn(`the upgrade waits for ${reason}`);
    await sleep(PAUSE_MS);
  }
}

/** Takes blanks away from the ends of keys. Earlier cursors are gone, so that mirrors read the list again. */
async function removeBlanks(connection: Connection, catalogue: Catalogue, warn: (line: string) => void): Promise<void> {
  const { selectBlank, selectColliding, tables } = trimKeys(catalogue, 'btrim');
  const read = (sql: string) => connection.fetch<[string, string]>(sql);
  if (!mustTrim(await read(selectBlank), await read(selectColliding), warn)) return;
  // Foreign keys are checked at the end of the statement, when parents and nested items have the same keys again.
  const updates = tables.map(({ name, update }) => `${quote(`_${name}`)} AS (${update})`);
  const statements = [
    `UPDATE ${quote(CHANGE)} SET "number" = greatest("number" + 1, ${changeAt(Date.now())})`,
    `WITH ${updates.join(', ')} SELECT 1`,
    `DELETE FROM ${quote(tombstones.name)}`,
    `INSERT INTO ${quote(tombstones.name)} SELECT "number", '', NULL, "number"::text FROM ${quote(CHANGE)}`,
  ];
  await changeTable(connection, [CHANGE, statements], warn);
}

/** Looks before anything is changed. An index of a column that is renamed, or is not there yet, is checked when it is made. */
async function refuseAnyRepeated(connection: Connection, schema: ExistingSchema, catalogue: Catalogue): Promise<void> {
  for (const index of findChanges(schema, catalogue).indexes) {
    const repeated = selectRepeated(index);
    if (!repeated || !schema.columns.get(index.table)?.has(quote(index.unique?.name ?? ''))) continue;
    refuseRepeated(index, await connection.rows<[string, string]>(repeated));
  }
}

async function upgrade(connection: Connection, catalogue: Catalogue, warn: (line: string) => void): Promise<void> {
  const oldSchema = await readSchema(connection, catalogue);
  await refuseAnyRepeated(connection, oldSchema, catalogue);
  if (oldSchema.version === undefined) await connection.exec(REGISTER_ZERO);
  for (const rename of findChanges(oldSchema, catalogue).renames) await changeTable(connection, rename, warn);
  const schema = await readSchema(connection, catalogue);
  const { tables, obsolete, indexes } = findChanges(schema, catalogue);
  for (const change of tables) await changeTable(connection, change, warn);
  // An index whose creation was interrupted exists, but is invalid.
  const invalid = indexes.map(({ name }) => name).filter((name) => schema.indexes.has(name));
  for (const name of [...obsolete, ...invalid]) {
    await connection.exec(`DROP INDEX CONCURRENTLY IF EXISTS ${quote(name)}`);
  }
  for (const index of indexes) {
    warn(`the upgrade makes the index ${quote(index.name)}, while others read and write`);
    const repeated = selectRepeated(index);
    if (repeated) refuseRepeated(index, await connection.rows<[string, string]>(repeated));
    await connection.exec(createIndex(index, 'CONCURRENTLY '));
  }
  if (schema.version && schema.version < TRIMMED) await removeBlanks(connection, catalogue, warn);
  await connection.exec(`UPDATE ${quote(REGISTER)} SET "version" = ${migrations.length}`);
}

/** @param pool of at least two connections, one of which has the lock; its statements must have no time limit */
export async function prepareDatabase(pool: Pool, catalogue: Catalogue, warn: (line: string) => void): Promise<void> {
  await pool.use(async (connection) => {
    // Nothing is sent with it, because a pooler that allows no transactions says so and closes: then only the failure of what follows would be told.
    await connection.begin();
    await connection.exec('COMMIT');
    const [[encoding] = ['']] = await connection.fetch<[string]>("SELECT current_setting('server_encoding')");
    if (encoding !== 'UTF8') {
      const remedy = "create it with ENCODING 'UTF8' TEMPLATE template0";
      throw new DatabaseError(`is encoded in ${encoding}, not in UTF8: ${remedy}`);
    }
    const schema = await readSchema(connection, catalogue);
    const changes = findChanges(schema, catalogue);
    await checkCollections(connection, schema, catalogue);
    if (schema.version !== migrations.length || Object.values(changes).some(({ length }) => length > 0)) {
      await lockStarts(connection);
      await pool.use((worker) => upgrade(worker, catalogue, warn));
      await connection.exec('COMMIT');
    }
  });
}
