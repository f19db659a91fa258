import { describe, expect, onTestFinished, test } from 'vitest';
import { statementNames } from '../../../../src/store/postgres/connection/names.ts';
import { openPool, type PoolOptions } from '../../../../src/store/postgres/connection/pool.ts';
import { preparedDatabase } from '../../../support/database/database.ts';
import { noPgbouncer, startPgbouncer } from '../../../support/process/pgbouncer.ts';

const ITEM = 'SELECT 7000 WHERE 1 = ?';
const filter = (at: number): string => `SELECT ${at} WHERE 1 = ?`;

const openOne = (url: string, options: Partial<PoolOptions> = {}) => {
  const pool = openPool(url, { size: 1, timeout: 5_000, ...options });
  onTestFinished(() => pool.end());
  const ask = (sql: string) => pool.read(({ rows }) => rows<[number]>({ sql, values: [1] }));
  const kept = () => pool.use(({ fetch }) => fetch<[string]>('SELECT statement FROM pg_prepared_statements'));
  return { ask, kept: async () => new Set((await kept()).flat()) };
};

describe('a text of a statement', () => {
  test('has the same name wherever it is used, and no other text has that', () => {
    const nameIn = (...texts: readonly string[]) => {
      const names = statementNames();
      for (const text of texts) names.prepare(text);
      return names.prepare(texts.at(-1) ?? '').name;
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

  test('that comes again is prepared though many others do', async () => {
    const { ask, kept } = openOne(await preparedDatabase());
    let most = 0;
    for (let at = 0; at < 3 * 300; at++) {
      expect(await ask(filter(Math.floor(at / 3)))).toEqual([[Math.floor(at / 3)]]);
      if (at % 50 === 0) most = Math.max(most, (await kept()).size);
    }
    for (let times = 0; times < 4; times++) await ask(ITEM);
    expect(await kept()).toContain('SELECT 7000 WHERE 1 = $1');
    expect([most > 200, most <= 256]).toEqual([true, true]);
  });

  test.each(['auto', 'on', 'off'] as const)('is prepared where the setting says so: %s', async (prepare) => {
    const { ask, kept } = openOne(await preparedDatabase(), { prepare });
    for (let times = 0; times < 3; times++) await ask(ITEM);
    expect((await kept()).size).toBe(prepare === 'off' ? 0 : 1);
  });
});

describe.skipIf(noPgbouncer)(`behind a pooler${noPgbouncer ? `: ${noPgbouncer}` : ''}`, () => {
  test('that is found out nothing is prepared', async () => {
    const { ask, kept } = openOne(await startPgbouncer(await preparedDatabase(), { mode: 'session' }));
    for (let times = 0; times < 5; times++) await ask(ITEM);
    expect(await kept()).toEqual(new Set());
  });

  test('that loses what was prepared every answer is right, and a line tells of it', async () => {
    const lines: string[] = [];
    const url = await startPgbouncer(await preparedDatabase(), { connections: 3 });
    const { ask } = openOne(url, { size: 6, prepare: 'on', report: (line) => lines.push(line) });
    const asked = Array.from({ length: 600 }, async (_, at) => [at % 3, await ask(filter(at % 3))]);
    for (const [wanted, rows] of await Promise.all(asked)) expect(rows).toEqual([[wanted]]);
    expect(lines).toEqual(['the pooler in front of PostgreSQL loses prepared statements: none are used any more']);
  });
});
