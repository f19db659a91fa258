import { andThen, type MaybePromise } from '../../../util/maybe-promise.ts';
import type { ApiKeyStore, StoredApiKey } from '../../clients.ts';
import { columnNames, marks, quote, type Statement, statement } from '../statement.ts';
import { keys } from '../system-tables.ts';

type KeyRow = readonly [
  id: string,
  name: string,
  hash: string,
  scopes: string,
  created: number,
  expires: number | null,
];

const [TABLE, COLUMNS] = [quote(keys.name), columnNames(keys)];
const SELECT = statement(`SELECT ${COLUMNS} FROM ${TABLE} ORDER BY "created", "id"`);
const INSERT = `INSERT INTO ${TABLE} (${COLUMNS}) VALUES (${marks(keys.columns.length)})`;
const DELETE = `DELETE FROM ${TABLE} WHERE "id" = ? RETURNING "id"`;

const storedKeyOf = ([id, name, hash, scopes, created, expires]: KeyRow): StoredApiKey => ({
  id,
  name,
  hash,
  scopes: scopes.split(' '),
  created,
  expires: expires ?? undefined,
});

/** Runs a statement in a transaction of its own. @returns the rows that it reads */
export type RunStatement = <R>(statement: Statement) => MaybePromise<R[]>;

export const apiKeysOf = (read: RunStatement, write: RunStatement): ApiKeyStore => ({
  all: () => andThen(read<KeyRow>(SELECT), (rows) => rows.map(storedKeyOf)),
  add: ({ id, name, hash, scopes, created, expires }) =>
    andThen(write(statement(INSERT, [id, name, hash, scopes.join(' '), created, expires ?? null])), () => {}),
  remove: (id) => andThen(write(statement(DELETE, [id])), ({ length }) => length > 0),
});
