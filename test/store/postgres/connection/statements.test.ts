import { describe, expect, onTestFinished, test } from 'vitest';
import { Pool, type PoolOptions, Statements } from '../../../../src/store/postgres/connection/pool.ts';
import { preparedDatabase } from '../../../support/database/database.ts';

const ITEM = 'SELECT 7000 WHERE 1 = ?';
const filter = (at: number): string => `SELECT ${at} WHERE 1 = ?`;

const openOne = (url: string, options: Partial<PoolOptions> = {}) => {
  const pool = new Pool(url, { size: 1, timeout: 5_000, ...options });
  onTestFinished(() => pool.end());
  const ask = (sql: string) => pool.rows<[number]>({ sql, values: [1] });
  const kept = () =>
    pool.use((connection) => connection.fetch<[string]>('SELECT statement FROM pg_prepared_statements'));
  return { ask, kept: async () => new Set((await kept()).flat()) };
};

describe('a text of a statement', () => {
  test('has the same name wherever it is used, and no other text has that', () => {
    const nameIn = (...texts: readonly string[]) => {
      const statements = new Statements(true);
      for (const text of texts) statements.prepare(text);
      return statements.prepare(texts.at(-1) ?? '').name;
    };
    const name = nameIn(ITEM, ITEM);
    expect(name).toMatch(/^s_[\w-]{43}$/);
    expect(nameIn(filter(1), filter(1), filter(1), ITEM, ITEM)).toBe(name);
    expect(nameIn(filter(1), filter(1))).not.toBe(name);
  });

  test('that comes once or twice is not prepared, one that comes again is, however many others there were', async () => {
    const { ask, kept } = openOne(await preparedDatabase());
    for (let at = 0; at < 300; at++) await ask(filter(at % 250));
    expect(await kept()).toEqual(new Set());
    for (let times = 0; times < 3; times++) expect(await ask(ITEM)).toEqual([[7_000]]);
    expect(await kept()).toEqual(new Set(['SELECT 7000 WHERE 1 = $1']));
  });

  test('is answered right however many come again; a connection keeps 256 of them', async () => {
    const { ask, kept } = openOne(await preparedDatabase());
    for (let at = 0; at < 3 * 300; at++) {
      expect(await ask(filter(Math.floor(at / 3)))).toEqual([[Math.floor(at / 3)]]);
    }
    expect((await kept()).size).toBe(256);
  });

  test.each([
    ['on', 1],
    ['off', 0],
  ] as const)('is prepared if the setting says so: %s', async (prepare, prepared) => {
    const { ask, kept } = openOne(await preparedDatabase(), { prepare });
    for (let times = 0; times < 3; times++) await ask(ITEM);
    expect((await kept()).size).toBe(prepared);
  });
});

test('statements that never come again are forgotten', () => {
  const statements = new Statements(true);
  for (let times = 0; times < 2; times++) statements.prepare(filter(1));
  for (let at = 0; at < 2_000; at++) statements.prepare(`SELECT ${at} + ?`);
  // Used twice before: were it remembered, it would have a name now.
  expect(statements.prepare(filter(1)).name).toBeUndefined();
});
