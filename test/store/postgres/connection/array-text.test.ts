import { expect, onTestFinished, test } from 'vitest';
import type { Cell } from '../../../../src/gateway/model/field.ts';
import { openPool } from '../../../../src/store/postgres/connection/pool.ts';
import { preparedDatabase } from '../../../support/database/database.ts';

/** Each column, and the type that PostgreSQL is told it has. */
const COLUMNS: readonly (readonly [type: string, column: readonly Cell[]])[] = [
  ['text', []],
  ['text', ['Ibiza', null, '', 'null', 'NULL', null, ' Ibiza ']],
  ['text', ['{a,b}', 'a,b', '"', '\\', '\\"', '\\n', 'a\\', '/']],
  ['text', ['\n', '\t', '\r', '\b', '\f', '\u0001', '\u001f', '\u007f', '\u2028', 'a\n"b"\\']],
  ['text', ['coche de ocasión', '日本', '😀', '\u{10ffff}']],
  ['bigint', [0, -1, null, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]],
];

test.each(COLUMNS)('a column of %s reaches the server as it is: %j', async (type, column) => {
  const pool = openPool(await preparedDatabase(), { size: 1, timeout: 5_000 });
  onTestFinished(() => pool.end());
  const sql = `SELECT "cell" FROM unnest(?::${type}[]) WITH ORDINALITY AS "cells" ("cell", "at") ORDER BY "at"`;
  const rows = await pool.read((reader) => reader.rows<[Cell]>({ sql, values: [column] }));
  expect(rows.flat()).toEqual(column);
});
