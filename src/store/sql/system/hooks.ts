import { andThen } from '../../../util/maybe-promise.ts';
import type { HookState, HookStore, StoredHook } from '../../clients.ts';
import { columnNames, marks, quote, statement } from '../statement.ts';
import { hooks } from '../system-tables.ts';
import type { RunStatement } from './api-keys.ts';

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

const [TABLE, COLUMNS] = [quote(hooks.name), columnNames(hooks)];
const SELECT = statement(`SELECT ${COLUMNS} FROM ${TABLE} ORDER BY "created", "id"`);
const COUNT = statement(`SELECT count(*) FROM ${TABLE}`);
const INSERT = `INSERT INTO ${TABLE} (${COLUMNS}) VALUES (${marks(hooks.columns.length)})`;
const DELETE = `DELETE FROM ${TABLE} WHERE "id" = ? RETURNING "id"`;
const TAKE = `UPDATE ${TABLE} SET "holder" = ?, "until" = ? WHERE "id" = ? AND ("holder" = ? OR "until" < ?) RETURNING ${COLUMNS}`;
const SAVE = `UPDATE ${TABLE} SET "state" = ? WHERE "id" = ? AND "state" = ? RETURNING "id"`;

const hookOf = ([id, url, list, language, collection, secret, created, state]: HookRow): StoredHook => ({
  ...{ id, url, list, language, collection, secret, created },
  state: JSON.parse(state) as HookState,
});

export const hooksOf = (read: RunStatement, write: RunStatement): HookStore => ({
  all: () => andThen(read<HookRow>(SELECT), (rows) => rows.map(hookOf)),
  count: () => andThen(read<[number]>(COUNT), ([row]) => Number(row?.[0])),
  add: ({ id, url, list, language, collection, secret, created, state }) => {
    const values = [id, url, list, language, collection, secret, created, JSON.stringify(state), '', 0];
    return andThen(write(statement(INSERT, values)), () => {});
  },
  remove: (id) => andThen(write(statement(DELETE, [id])), ({ length }) => length > 0),
  take: (id, holder, now, until) =>
    andThen(write<HookRow>(statement(TAKE, [holder, until, id, holder, now])), ([row]) => row && hookOf(row)),
  save: (id, from, to) =>
    andThen(write(statement(SAVE, [JSON.stringify(to), id, JSON.stringify(from)])), ({ length }) => length > 0),
});
