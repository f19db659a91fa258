import { andThen, type MaybePromise } from '../../util/maybe-promise.ts';
import type { ApiKeyStore, HookState, HookStore, StoredApiKey, StoredHook } from '../clients.ts';
import { columnNames, marks, quote, type Statement, statement } from './statement.ts';
import { hooks, keys } from './system-tables.ts';

/** What is kept of clients, in tables of their own. */

/** Runs a statement in a transaction of its own. @returns the rows that it reads */
export type RunStatement = <R>(statement: Statement) => MaybePromise<R[]>;

type KeyRow = readonly [
  id: string,
  name: string,
  hash: string,
  scopes: string,
  created: number,
  expires: number | null,
];

const [KEY_TABLE, KEY_COLUMNS] = [quote(keys.name), columnNames(keys)];
const SELECT_KEYS = statement(`SELECT ${KEY_COLUMNS} FROM ${KEY_TABLE} ORDER BY "created", "id"`);
const INSERT_KEY = `INSERT INTO ${KEY_TABLE} (${KEY_COLUMNS}) VALUES (${marks(keys.columns.length)})`;
const DELETE_KEY = `DELETE FROM ${KEY_TABLE} WHERE "id" = ? RETURNING "id"`;

const storedKeyOf = ([id, name, hash, scopes, created, expires]: KeyRow): StoredApiKey => ({
  id,
  name,
  hash,
  scopes: scopes.split(' '),
  created,
  expires: expires ?? undefined,
});

export const apiKeysOf = (read: RunStatement, write: RunStatement): ApiKeyStore => ({
  all: () => andThen(read<KeyRow>(SELECT_KEYS), (rows) => rows.map(storedKeyOf)),
  add: ({ id, name, hash, scopes, created, expires }) =>
    andThen(write(statement(INSERT_KEY, [id, name, hash, scopes.join(' '), created, expires ?? null])), () => {}),
  remove: (id) => andThen(write(statement(DELETE_KEY, [id])), ({ length }) => length > 0),
});

type HookRow = readonly [
  id: string,
  url: string,
  list: string,
  language: string,
  collection: string,
  secret: string,
  created: number,
  state: string,
];

const [HOOK_TABLE, HOOK_COLUMNS] = [quote(hooks.name), columnNames(hooks)];
const SELECT_HOOKS = statement(`SELECT ${HOOK_COLUMNS} FROM ${HOOK_TABLE} ORDER BY "created", "id"`);
const COUNT_HOOKS = statement(`SELECT count(*) FROM ${HOOK_TABLE}`);
const INSERT_HOOK = `INSERT INTO ${HOOK_TABLE} (${HOOK_COLUMNS}) VALUES (${marks(hooks.columns.length)})`;
const DELETE_HOOK = `DELETE FROM ${HOOK_TABLE} WHERE "id" = ? RETURNING "id"`;
const TAKE_HOOK = `UPDATE ${HOOK_TABLE} SET "holder" = ?, "until" = ? WHERE "id" = ? AND ("holder" = ? OR "until" < ?) RETURNING ${HOOK_COLUMNS}`;
const SAVE_HOOK = `UPDATE ${HOOK_TABLE} SET "state" = ? WHERE "id" = ? AND "state" = ? RETURNING "id"`;

const hookOf = ([id, url, list, language, collection, secret, created, state]: HookRow): StoredHook => ({
  ...{ id, url, list, language, collection, secret, created },
  state: JSON.parse(state) as HookState,
});

export const hooksOf = (read: RunStatement, write: RunStatement): HookStore => ({
  all: () => andThen(read<HookRow>(SELECT_HOOKS), (rows) => rows.map(hookOf)),
  count: () => andThen(read<[number]>(COUNT_HOOKS), ([row]) => Number(row?.[0])),
  add: ({ id, url, list, language, collection, secret, created, state }) => {
    const values = [id, url, list, language, collection, secret, created, JSON.stringify(state), '', 0];
    return andThen(write(statement(INSERT_HOOK, values)), () => {});
  },
  remove: (id) => andThen(write(statement(DELETE_HOOK, [id])), ({ length }) => length > 0),
  take: (id, holder, now, until) =>
    andThen(write<HookRow>(statement(TAKE_HOOK, [holder, until, id, holder, now])), ([row]) => row && hookOf(row)),
  save: (id, from, to) =>
    andThen(write(statement(SAVE_HOOK, [JSON.stringify(to), id, JSON.stringify(from)])), ({ length }) => length > 0),
});
