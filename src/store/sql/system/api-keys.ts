import type { Cell } from '../../../gateway/model/field.ts';
import type { StoredApiKey } from '../../clients.ts';
import { columnNames, quote, type Statement, statement } from '../statement.ts';
import { keys } from '../system-tables.ts';

type KeyRow = readonly [
  id: string,
  name: string,
  hash: string,
  scopes: string,
  created: number,
  expires: number | null,
];

export const SELECT_KEYS = statement(`SELECT ${columnNames(keys)} FROM ${quote(keys.name)} ORDER BY "created", "id"`);

export const storedKeyOf = ([id, name, hash, scopes, created, expires]: KeyRow): StoredApiKey => ({
  id,
  name,
  hash,
  scopes: scopes.split(' '),
  created,
  expires: expires ?? undefined,
});

/** @returns what `insertInto` binds */
export const keyValues = ({ id, name, hash, scopes, created, expires }: StoredApiKey): readonly Cell[] => [
  id,
  name,
  hash,
  scopes.join(' '),
  created,
  expires ?? null,
];

export const deleteKey = (id: string): Statement =>
  statement(`DELETE FROM ${quote(keys.name)} WHERE "id" = ? RETURNING "id"`, [id]);
