/** What transfers are tried on, and how it is looked at: not by way of the code under test. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openStore } from '../../../src/host/service/open-store.ts';
import { readConfig } from '../../../src/host/settings/config.ts';
import { CommandError } from '../../../src/tools/commands/command-error.ts';
import type { Progress } from '../../../src/tools/commands/progress.ts';
import type { Sum } from '../../../src/tools/transfer/transfer.ts';
import { move } from '../../../src/tools/transfer/transfer.ts';
import { catalogue } from '../cars/catalogue.ts';
import { cars, createCar, createOil, inPortions, oils, remove, update } from '../conformance/fixtures.ts';
import { en } from '../language/spoken.ts';
import { temporaryFolder } from '../process/folder.ts';
import { launch, project } from '../process/service.ts';

export const sqliteUrl = (path = join(temporaryFolder(), 'catalogue.db')): string => `sqlite:${path}`;
export const pathOf = (url: string): string => url.slice('sqlite:'.length);

/** Runs statements on a file. @returns the rows of the last one */
export const inFile = (path: string, ...statements: readonly string[]): readonly unknown[] => {
  const database = new DatabaseSync(path);
  try {
    return statements.map((sql) => database.prepare(sql).all()).at(-1) ?? [];
  } finally {
    database.close();
  }
};

type Run = (...statements: readonly string[]) => Promise<readonly unknown[]>;

/** @returns what runs statements on a database, one after the other, and tells the rows of the last one */
const runner = async (url: string): Promise<Run> => {
  if (url.startsWith('sqlite:')) return async (...statements) => inFile(pathOf(url), ...statements);
  const { query } = await import('./postgres.ts');
  return (...statements) => query(url, ...statements);
};

const TABLES = [
  ['cars', '_created'],
  ['oils', '_created'],
  ['_tombstones', 'number'],
  ['_totals', 'collection, field, value'],
  ['_keys', 'id'],
  ['_idempotency', 'key'],
  ['_change', 'number'],
] as const;

/** Every row of every table, with all columns by name. */
export const dump = async (url: string): Promise<Readonly<Record<string, readonly unknown[]>>> => {
  const run = await runner(url);
  const tables: [string, readonly unknown[]][] = [];
  for (const [table, order] of TABLES) {
    const rows = (await run(`SELECT * FROM ${table} ORDER BY ${order}`)) as readonly Record<string, unknown>[];
    // A server's large integers come as texts.
    const plain = rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, cell === null ? null : String(cell)])),
    );
    tables.push([table, plain]);
  }
  return Object.fromEntries(tables);
};

/** Texts that some database, driver or comparison might change. */
export const AWKWARD = [
  "Citroën «C4» d'Été",
  'Citroe\u0308n',
  '100 % "real" \\ {a,b} NULL $1 ? _%',
  'ñÑ ß ς Σ İ ı',
  '汽车🚗👩‍🔧',
  'line\nbreak\ttab\u0001',
  '  spaces  ',
  'é'.repeat(200),
] as const;

/** A catalogue in which every kind of thing has happened. */
export const fillWithAll = async (url: string): Promise<void> => {
  const store = await openStore(url, catalogue);
  for (const [at, text] of AWKWARD.entries()) {
    await createCar(store, `car ${at}/%?`, { brand: text, model: text, version: text, fuel: at % 2 ? text : '' });
  }
  await createCar(store, AWKWARD[4], { year: 1886, doors: 0, enginePower: 10_000, clima: 1, ac: 0 });
  await createCar(store, 'gone', { year: 2100 });
  await createOil(store, 'gone', 'with it');
  for (const type of ['5W-30', '10W/40', AWKWARD[0]]) {
    await createOil(store, AWKWARD[4], type, { otherInfo: AWKWARD[2].repeat(300) });
  }
  await createOil(store, 'car 0/%?', '5W-30');
  await update(store, cars, ['car 0/%?'], { brand: 'Škoda', year: null });
  await update(store, oils, [AWKWARD[4], '5W-30'], { otherInfo: null });
  await remove(store, oils, [AWKWARD[4], '10W/40']);
  await remove(store, cars, ['gone']);
  await createCar(store, 'gone', { brand: 'Back' });
  await createOil(store, AWKWARD[4], '10W/40', { otherInfo: 'again' });
  await inPortions(1_100, (at) => createCar(store, `many-${at}`, { year: 1900 + (at % 90) }));
  await remove(store, cars, ['many-1099']);
  const idempotency = { key: 'k', payload: 'p', received: 1, expires: 2_100_000_000_001 };
  await createCar(store, 'once', { fuel: AWKWARD[0] }, idempotency);
  const key = { name: AWKWARD[0], hash: 'a'.repeat(64), created: 2_000_000_000_001 };
  await store.apiKeys.add({ ...key, id: 'a', scopes: ['read', 'write'], expires: 2_100_000_000_001 });
  await store.apiKeys.add({ ...key, id: 'b', scopes: ['read'], expires: undefined });
  await store.close();
};

let template: Promise<Buffer> | undefined;

/** @returns a new file that is filled so: a copy of the first one */
export const filledFile = async (): Promise<string> => {
  const url = sqliteUrl();
  template ??= fillWithAll(url).then(() => readFileSync(pathOf(url)));
  writeFileSync(pathOf(url), await template);
  return url;
};

/** Cars and oils in a number that takes a transfer some seconds, written in one step. */
export const fillWithMany = async (path: string, count: number): Promise<void> => {
  await (await openStore(sqliteUrl(path), catalogue)).close();
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  inFile(
    path,
    'BEGIN',
    `${numbers} INSERT INTO cars (_created, _revision, identifier, brand, model, year, _identifier, _brand, _model)
     SELECT i, i, 'car-' || (i * 7919 % ${count}), 'Seat', 'Model ' || i % 100, 1900 + i % 200, 'car-' || (i * 7919 % ${count}), 'seat', 'model ' || i % 100 FROM n`,
    `${numbers} INSERT INTO oils (_created, _revision, _parent, type, _type)
     SELECT ${count} + i, ${count} + i, 'car-' || i, '5W-30', '5w-30' FROM n WHERE i < ${count} / 10`,
    `INSERT INTO _tombstones VALUES (${2 * count}, 'cars', NULL, 'gone')`,
    `UPDATE _totals SET count = ${count} WHERE field IN ('', '+brand', '+model', '+year')`,
    `UPDATE _change SET number = ${2 * count}`,
    'COMMIT',
  );
};

interface Moved {
  readonly sums: readonly Sum[];
  readonly lines: readonly string[];
}

const { commands: say } = en.language;

/** @param onLine does something at a line of progress, while the transfer waits */
export const moved = async (
  from: string,
  to: string,
  { replace = false, onLine = () => {} }: { replace?: boolean; onLine?: (line: string) => void } = {},
): Promise<Moved> => {
  const lines: string[] = [];
  const note = (line: string): void => {
    lines.push(line);
    onLine(line);
  };
  const progress: Progress = {
    show: () => {},
    showRows: (step, share, rows) => note(`${say(step)} ${rows} ${share === 1 ? 'of all' : ''}`),
    end: () => {},
  };
  const sums = await move({ from, to, replace }, { catalogue, config: readConfig({}), say, note, progress });
  return { sums, lines };
};

/** @returns what a transfer says that must fail */
export const transferRefusal = (...args: Parameters<typeof moved>): Promise<string> =>
  moved(...args).then(
    () => 'moved',
    (error: Error) => {
      if (error instanceof CommandError) return say(error.text, error.values);
      return error.name === 'Error' ? error.message : String(error.stack);
    },
  );

/** @returns `served`, or why a service would not start on the database */
export const serving = (url: string): Promise<string> =>
  openStore(url, catalogue).then(
    async (store) => {
      await store.close();
      return 'served';
    },
    (error: Error) => error.message,
  );

/** Starts the program itself. */
export const launchTransfer = (...args: readonly string[]) =>
  launch({
    cwd: project,
    args: ['--import', './src/preload.js', 'src/tools/transfer/main.ts', ...args],
    env: { CATALOGUE: join(project, 'test/support/cars') },
  });
