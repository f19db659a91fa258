/** Files of cars from the command line, while a server reads; against plain inserts into the same tables. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { startPostgres } from '../test/support/database/postgres-server.ts';
import { SETTINGS, withClient } from './support/databases.ts';
import { openClient, steady, textsOf } from './support/load.ts';
import { memory, project } from './support/machine.ts';
import { copyPlainly, insertPlainly, storedCar } from './support/plain-inserts.ts';
import { carAt } from './support/records.ts';
import { type Goal, goalTable, type Limits, percentile, type Report, spreadOf } from './support/report.ts';
import { serviceArguments, withServer } from './support/servers.ts';
import { type Options, ROUNDS } from './support/turns.ts';

const writeLines = (file: string, count: number, lineAt: (number: number) => string): Promise<void> =>
  pipeline(function* () {
    for (let number = 0; number < count; number++) yield `${lineAt(number)}\n`;
  }, createWriteStream(file));

/** https://www.postgresql.org/docs/current/sql-copy.html: its text format; no car has what would need escapes. */
const copyLine = (number: number): string =>
  storedCar(number)
    .map((cell) => cell ?? '\\N')
    .join('\t');

/** Runs `npm run import`. @returns seconds, and the most MiB that npm and it had */
const importFile = async (file: string, url: string): Promise<readonly [seconds: number, peak: number]> => {
  const start = performance.now();
  const line = ['run', '--silent', 'import', '--', file, '--on-duplicate', 'merge'];
  const child = spawn('npm', line, { cwd: project, stdio: 'ignore', env: { ...process.env, DATABASE_URL: url } });
  const exited = once(child, 'exit');
  let peak = 0;
  while (child.exitCode === null) {
    peak = Math.max(peak, memory(child.pid ?? 0, 'VmHWM'));
    await Promise.race([setTimeout(10), exited]);
  }
  if (child.exitCode !== 0) throw new Error(`the import ended with ${child.exitCode}`);
  return [(performance.now() - start) / 1_000, peak];
};

/** The cars that the tests have, twice. */
const realCars = async (newUrl: () => string, rounds: number): Promise<Report> => {
  const times: [first: number, again: number][] = [];
  for (let round = 0; round < rounds; round++) {
    const url = newUrl();
    const file = join(project, 'test/data/vehicles.en.csv');
    times.push([(await importFile(file, url))[0], (await importFile(file, url))[0]]);
  }
  return [
    '## vehicles.en.csv into SQLite',
    '',
    ...goalTable([
      ['in all, npm included', 's', spreadOf(times.map(([first]) => first)), { atMost: 3 }],
      ['again, all of it unchanged', 's', spreadOf(times.map(([, again]) => again)), { atMost: 2 }],
    ]),
  ];
};

const FIGURES: readonly (readonly [name: string, unit: string, Limits])[] = [
  ['rate', 'rows/s', {}],
  ['rate of the same file again', 'rows/s', {}],
  ['memory of `npm run import`, npm included', 'MiB', { atMost: 260 }],
  ['item reads of a server meanwhile, p99', 'ms', { atMost: 20 }],
];

/** Item reads a second. */
const READS = 100;

interface Place {
  readonly name: string;
  /** The least ratio of rates that is wanted. */
  readonly atLeast: number;
  /** @returns seconds */
  readonly plain: () => Promise<number>;
  /** @returns the URL of an empty database */
  readonly newUrl: () => Promise<string>;
}

const measure = async (place: Place, file: string, { many, rounds = ROUNDS }: Options): Promise<Report> => {
  const { name, atLeast, plain, newUrl } = place;
  const ratios: number[] = [];
  const found: number[][] = [];
  for (let round = 0; round < rounds; round++) {
    const plainly = await plain();
    const url = await newUrl();
    const [seconds, peak, reads] = await withServer(
      { args: serviceArguments, env: { DATABASE_URL: url } },
      async ({ origin }) => {
        // What is read meanwhile is there before.
        const init = {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(carAt(0)),
        };
        await fetch(`${origin}/api/cars`, init);
        const importing = importFile(file, url);
        const times = await steady(openClient(origin), textsOf('GET', [{ path: '/api/cars/car-0' }]), READS, importing);
        return [...(await importing), percentile(times, 0.99)] as const;
      },
    );
    const [again] = await importFile(file, url);
    ratios.push(plainly / seconds);
    found.push([many / seconds, many / again, peak, reads]);
  }
  const figures = FIGURES.map(([what, unit, limits], at): Goal => {
    return [what, unit, spreadOf(found.map((each) => each[at] ?? Number.NaN)), limits];
  });
  const ratio: Goal = ['rate to plain inserts, start of the program included', '×', spreadOf(ratios), { atLeast }];
  return [`## ${many.toLocaleString('en')} cars into ${name}`, '', ...goalTable([ratio, ...figures])];
};

/** @returns the tables of both databases */
export async function* imports(options: Options): AsyncGenerator<Report> {
  const { folder, many, rounds = ROUNDS } = options;
  const [file, copied] = [join(folder, 'cars.ndjson'), join(folder, 'cars.copy')];
  // The server's user reads what is copied.
  chmodSync(folder, 0o755);
  let databases = 0;
  const newFile = (): string => join(folder, `import-${++databases}.db`);
  const sqliteUrl = (): string => `sqlite:${newFile()}`;
  await writeLines(file, many, (number) => JSON.stringify(carAt(number)));
  await writeLines(copied, many, copyLine);
  yield ['# Imports', ''];
  yield await realCars(sqliteUrl, rounds);
  const sqlite = { plain: () => insertPlainly(newFile(), many), newUrl: async () => sqliteUrl() };
  yield await measure({ name: 'SQLite', atLeast: 0.7, ...sqlite }, file, options);
  const server = await startPostgres({ settings: SETTINGS });
  const newUrl = async (): Promise<string> => {
    const name = `imports_${++databases}`;
    await withClient(server.url(), (client) => client.query(`CREATE DATABASE ${name}`));
    return server.url(name);
  };
  try {
    const postgres = { plain: async () => copyPlainly(await newUrl(), copied), newUrl };
    yield await measure({ name: 'PostgreSQL, against `COPY`', atLeast: 0.5, ...postgres }, file, options);
  } finally {
    await server.remove();
  }
}
