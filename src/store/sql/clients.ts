import { andThen, type MaybePromise } from '../../util/maybe-promise.ts';
import type { ApiKeyStore, HookState, HookStore, StoredApiKey, StoredHook } from '../clients.ts';
import { columnNames, marks, quote, type Statement, type StoredTable, statement } from './statement.ts';
import { hooks, keys } from './system-tables.ts';

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

function createStatements(table: StoredTable) {
  const [name, columns] = [quote(table.name), columnNames(table)];
  return {
    select: statement(`SELECT ${columns} FROM ${name} ORDER BY "created", "id"`),
    insert: `INSERT INTO ${name} (${columns}) VALUES (${marks(table.columns.length)})`,
    remove: `DELETE FROM ${name} WHERE "id" = ? RETURNING "id"`,
  };
}

function toApiKey([id, name, hash, scopes, created, expires]: KeyRow): StoredApiKey {
  return { id, name, hash, scopes: scopes.split(' '), created, expires: expires ?? undefined };
}

function hasRows({ length }: readonly unknown[]): boolean {
  return length > 0;
}

const KEYS = createStatements(keys);

/** The keys of clients, in a table of the database. */
export class ApiKeys implements ApiKeyStore {
  readonly #read: RunStatement;
  readonly #write: RunStatement;

  constructor(read: RunStatement, write: RunStatement) {
    this.#read = read;
    this.#write = write;
  }

  readonly all: ApiKeyStore['all'] = () => andThen(this.#read<KeyRow>(KEYS.select), (rows) => rows.map(toApiKey));

  readonly add: ApiKeyStore['add'] = ({ id, name, hash, scopes, created, expires }) => {
    const values = [id, name, hash, scopes.join(' '), created, expires ?? null];
    return andThen(this.#write(statement(KEYS.insert, values)), () => {});
  };

  readonly remove: ApiKeyStore['remove'] = (id) => andThen(this.#write(statement(KEYS.remove, [id])), hasRows);
}

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

const HOOKS = createStatements(hooks);
const TABLE = quote(hooks.name);
const COUNT = statement(`SELECT count(*) FROM ${TABLE}`);
const TAKE = `UPDATE ${TABLE} SET "holder" = ?, "until" = ? WHERE "id" = ? AND ("holder" = ? OR "until" < ?) RETURNING ${columnNames(hooks)}`;
const SAVE = `UPDATE ${TABLE} SET "state" = ? WHERE "id" = ? AND "state" = ? RETURNING "id"`;

function toHook([id, url, list, language, collection, secret, created, state]: HookRow): StoredHook {
  return { id, url, list, language, collection, secret, created, state: JSON.parse(state) as HookState };
}

/** The web hooks, in a table of the database. */
export class Hooks implements HookStore {
  readonly #read: RunStatement;
  readonly #write: RunStatement;

  constructor(read: RunStatement, write: RunStatement) {
    this.#read = read;
    this.#write = write;
  }

  readonly all: HookStore['all'] = () => andThen(this.#read<HookRow>(HOOKS.select), (rows) => rows.map(toHook));
  readonly count: HookStore['count'] = () => andThen(this.#read<[number]>(COUNT), ([row]) => Number(row?.[0]));

  readonly add: HookStore['add'] = ({ id, url, list, language, collection, secret, created, state }) => {
    const values = [id, url, list, language, collection, secret, created, JSON.stringify(state), '', 0];
    return andThen(this.#write(statement(HOOKS.insert, values)), () => {});
  };

  readonly remove: HookStore['remove'] = (id) => andThen(this.#write(statement(HOOKS.remove, [id])), hasRows);

  readonly take: HookStore['take'] = (id, holder, now, until) =>
    andThen(this.#write<HookRow>(statement(TAKE, [holder, until, id, holder, now])), ([row]) => row && toHook(row));

  readonly save: HookStore['save'] = (id, from, to) =>
    andThen(this.#write(statement(SAVE, [JSON.stringify(to), id, JSON.stringify(from)])), hasRows);
}
