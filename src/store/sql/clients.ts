import { andThen, type MaybePromise } from '../../util/maybe-promise.ts';
import type { ApiKeyStore, HookState, HookStore, StoredApiKey, StoredHook } from '../clients.ts';
import { joinColumnNames, quote, repeatMarks, type Statement, type StoredTable, statement } from './statement.ts';
import { apiKeys, hooks } from './system-tables.ts';

/** Runs a statement in a transaction of its own. @returns the rows that it reads */
export type RunStatement = <R>(statement: Statement) => MaybePromise<R[]>;

type KeyRow = readonly [string, string, string, scopes: string, created: number, expires: number | null];

function createStatements(table: StoredTable) {
  const [name, columns] = [quote(table.name), joinColumnNames(table)];
  return {
    select: statement(`SELECT ${columns} FROM ${name} ORDER BY "created", "id"`),
    insert: `INSERT INTO ${name} (${columns}) VALUES (${repeatMarks(table.columns.length)})`,
    remove: `DELETE FROM ${name} WHERE "id" = ? RETURNING "id"`,
  };
}

function toApiKey([id, name, hash, scopes, created, expires]: KeyRow): StoredApiKey {
  return { id, name, hash, scopes: scopes.split(' '), created, expires: expires ?? undefined };
}

function hasRows({ length }: readonly unknown[]): boolean {
  return length > 0;
}

const API_KEYS = createStatements(apiKeys);

export function createApiKeys(read: RunStatement, write: RunStatement): ApiKeyStore {
  return {
    all: () => andThen(read<KeyRow>(API_KEYS.select), (rows) => rows.map(toApiKey)),
    add: ({ id, name, hash, scopes, created, expires }) => {
      const values = [id, name, hash, scopes.join(' '), created, expires ?? null];
      return andThen(write(statement(API_KEYS.insert, values)), () => {});
    },
    remove: (id) => andThen(write(statement(API_KEYS.remove, [id])), hasRows),
  };
}

type HookRow = readonly [string, string, string, string, string, string, created: number, state: string];

const HOOKS = createStatements(hooks);
const TABLE = quote(hooks.name);
const COUNT = statement(`SELECT count(*) FROM ${TABLE}`);
const TAKE = `UPDATE ${TABLE} SET "holder" = ?, "until" = ? WHERE "id" = ? AND ("holder" = ? OR "until" < ?) RETURNING ${joinColumnNames(hooks)}`;
const SAVE = `UPDATE ${TABLE} SET "state" = ? WHERE "id" = ? AND "state" = ? RETURNING "id"`;

function toHook([id, url, list, language, collection, secret, created, state]: HookRow): StoredHook {
  return { id, url, list, language, collection, secret, created, state: JSON.parse(state) as HookState };
}

export function createHooks(read: RunStatement, write: RunStatement): HookStore {
  return {
    all: () => andThen(read<HookRow>(HOOKS.select), (rows) => rows.map(toHook)),
    count: () => andThen(read<[number]>(COUNT), ([row]) => Number(row?.[0])),
    add: ({ id, url, list, language, collection, secret, created, state }) => {
      const values = [id, url, list, language, collection, secret, created, JSON.stringify(state), '', 0];
      return andThen(write(statement(HOOKS.insert, values)), () => {});
    },
    remove: (id) => andThen(write(statement(HOOKS.remove, [id])), hasRows),
    take: (id, holder, now, until) =>
      andThen(write<HookRow>(statement(TAKE, [holder, until, id, holder, now])), ([row]) => row && toHook(row)),
    save: (id, from, to) => andThen(write(statement(SAVE, [JSON.stringify(to), id, JSON.stringify(from)])), hasRows),
  };
}
