/** What exists in a database, and whether it belongs to this service. */
import type { Catalogue } from '../../../gateway/model/catalogue.ts';
import { type OtherCollections, othersIn, refuseOthers } from '../../sql/schema.ts';
import { quote, statement } from '../../sql/statement.ts';
import {
  CHANGE,
  hooks,
  idempotency,
  keys,
  migrations,
  REGISTER,
  tombstones,
  unusedTables,
} from '../../sql/system-tables.ts';
import { DatabaseError } from '../../store.ts';
import { type Reader, settleAll } from '../connection/connection.ts';

export const APPLICATION = 'car-dealer-catalogue';

/** What exists in a database, by name. */
export interface ExistingSchema {
  /** `undefined` where nothing is this service's yet; 0 where that is about to change, or was interrupted. */
  readonly version: number | undefined;
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
  readonly indexes: ReadonlySet<string>;
  /** Indexes that were not finished. */
  readonly invalid: ReadonlySet<string>;
  /** Tables that nothing uses any more, unless an instance of an earlier version is connected. */
  readonly unused: readonly string[];
}

const ENCODING = statement("SELECT current_setting('server_encoding')");

/** @throws DatabaseError where the database cannot be used */
export const checkServer = async (reader: Reader): Promise<void> => {
  const [[encoding] = ['']] = await reader.rows<[string]>(ENCODING);
  if (encoding === 'UTF8') return;
  throw new DatabaseError(`is encoded in ${encoding}, not in UTF8: create it with ENCODING 'UTF8' TEMPLATE template0`);
};

const INDEXES = statement(
  `SELECT relname, CASE WHEN indisvalid THEN 'valid' ELSE 'broken off' END
   FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
   WHERE nspname = current_schema()`,
);

/** Instances before version 5 of the schema have sessions of this name, and write the tables that nothing else uses any more. */
const EARLIER_SESSIONS = statement(
  `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = '${APPLICATION}' LIMIT 1`,
);

export const readExistingSchema = async (reader: Reader): Promise<ExistingSchema> => {
  const [columns, indexes] = await settleAll([
    reader.rows<[string, string]>(
      statement('SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema()'),
    ),
    reader.rows<[string, string]>(INDEXES),
  ]);
  const byTable = Map.groupBy(columns, ([table]) => table);
  const has = (table: string, column: string): boolean =>
    byTable.get(table)?.some(([, name]) => name === column) ?? false;
  const [[version] = []] = has(REGISTER, 'application')
    ? await reader.rows<[number]>(
        statement(`SELECT "version" FROM ${quote(REGISTER)} WHERE "application" = ?`, [APPLICATION]),
      )
    : [];
  const unused = unusedTables.filter((table) => byTable.has(table));
  const earlier = unused.length > 0 ? await reader.rows(EARLIER_SESSIONS) : [];
  return {
    version,
    columns: new Map([...byTable].map(([table, found]) => [table, new Set(found.map(([, name]) => quote(name)))])),
    indexes: new Set(indexes.filter(([, state]) => state === 'valid').map(([name]) => name)),
    invalid: new Set(indexes.filter(([, state]) => state !== 'valid').map(([name]) => name)),
    unused: earlier.length > 0 ? [] : unused,
  };
};

/** @throws DatabaseError where the tables belong to another program or to a newer version */
export const checkOwner = ({ version, columns }: ExistingSchema, catalogue: Catalogue): void => {
  if (version !== undefined && version > migrations.length) {
    throw new DatabaseError(
      `was written by a newer version of this service (schema ${version}; this one knows ${migrations.length})`,
    );
  }
  if (version !== undefined) return;
  const isOurs = columns.get(REGISTER)?.has(quote('application')) ?? !columns.has(REGISTER);
  const taken = [
    CHANGE,
    ...[tombstones, keys, idempotency, hooks].map(({ name }) => name),
    ...unusedTables,
    ...catalogue.map(({ name }) => name),
  ].filter((name) => columns.has(name));
  if (!isOurs || taken.length > 0) {
    const names = isOurs ? taken : [REGISTER];
    throw new DatabaseError(`contains tables of another program (${names.join(', ')})`);
  }
};

/** @throws DatabaseError where it has collections that the catalogue lacks */
export const checkCollections = async (
  reader: Reader,
  { version, columns, indexes }: ExistingSchema,
  catalogue: Catalogue,
  others: OtherCollections,
): Promise<void> => {
  if (version === undefined || others === 'keep') return;
  const tables = othersIn(indexes, catalogue).filter((table) => columns.has(table));
  const counts = await settleAll(
    tables.map((table) => reader.rows<[string]>(statement(`SELECT count(*)::text FROM ${quote(table)}`))),
  );
  refuseOthers(tables.map((table, at) => [table, Number(counts[at]?.[0]?.[0])]));
};
