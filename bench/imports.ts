/** Files of cars from the command line, while a server reads; against plain inserts of the same rows into the same tables. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startPostgres } from '../test/support/database/postgres-server.ts';
import { carsFile, SETTINGS, withClient } from './support/databases.ts';
import { openClient, steady, textsOf } from './support/load.ts';
import { memory, project } from './support/machine.ts';
import { copyPlainly, insertPlainly } from './support/plain-inserts.ts';
import { carAt } from './support/records.ts';
import { goalTable, percentile, type Report, spreadOf } from './support/report.ts';
import { serviceArguments, withServer } from './support/servers.ts';
import { type Options, ROUNDS } from './support/turns.ts';

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

/** Item reads a second beside an import. */
const READS = 100;

const importBesideReads = (file: string, url: string) =>
  withServer({ args: serviceArguments, env: { DATABASE_URL: url } }, async ({ origin }) => {
    const headers = { 'Content-Type': 'application/json' };
    // What is read meanwhile is there before.
    await fetch(`${origin}/api/cars`, { method: 'POST', headers, body: JSON.stringify(carAt(0)) });
    const importing = importFile(file, url);
    const times = await steady(openClient(origin), textsOf('GET', [{ path: '/api/cars/car-0' }]), READS, importing);
    return [...(await importing), percentile(times, 0.99)] as const;
  });

interface Place {
  readonly name: string;
  /** The least ratio of rates that is wanted. */
  readonly atLeast: number;
  /** @returns the URL of an empty database */
  readonly newUrl: () => Promise<string>;
  /** Writes what a database has into a new one. @returns seconds */
  readonly plain: (from: string) => Promise<number>;
}

const measure = async ({ name, atLeast, newUrl, plain }: Place, file: string, options: Options): Promise<Report> => {
  const { many, rounds = ROUNDS } = options;
  const found: number[][] = [];
  for (let round = 0; round < rounds; round++) {
    const url = await newUrl();
    const [seconds, peak, reads] = await importBesideReads(file, url);
    const [again] = await importFile(file, url);
    found.push([(await plain(url)) / seconds, many / seconds, many / again, peak, reads]);
  }
  const figure = (at: number) => spreadOf(found.map((each) => each[at] ?? Number.NaN));
  const goals = goalTable([
    ['rate to plain inserts, start of the program included', '×', figure(0), { atLeast }],
    ['rate', 'rows/s', figure(1), {}],
    ['rate of the same file again', 'rows/s', figure(2), {}],
    ['memory of `npm run import`, npm included', 'MiB', figure(3), { atMost: 260 }],
    ['item reads of a server meanwhile, p99', 'ms', figure(4), { atMost: 20 }],
  ]);
  return [`## ${many.toLocaleString('en')} cars into ${name}`, '', ...goals];
};

/** @returns the tables of both databases */
export async function* imports(options: Options): AsyncGenerator<Report> {
  const { folder, many, rounds = ROUNDS } = options;
  const file = await carsFile(folder, many);
  let databases = 0;
  const newUrl = (): string => `sqlite:${join(folder, `import-${++databases}.db`)}`;
  yield ['# Imports', ''];
  yield await realCars(newUrl, rounds);
  const insert = (from: string) => insertPlainly(from.slice('sqlite:'.length), newUrl().slice('sqlite:'.length));
  yield await measure({ name: 'SQLite', atLeast: 0.7, newUrl: async () => newUrl(), plain: insert }, file, options);
  const server = await startPostgres({ settings: SETTINGS });
  const create = async (): Promise<string> => {
    const name = `imports_${++databases}`;
    await withClient(server.url(), (client) => client.query(`CREATE DATABASE ${name}`));
    return server.url(name);
  };
  // The server's user writes and reads what is copied.
  chmodSync(folder, 0o777);
  const copy = async (from: string) => copyPlainly(from, await create(), join(folder, `copy-${databases}`));
  try {
    const place = { name: 'PostgreSQL, against `COPY`', atLeast: 0.5, newUrl: create, plain: copy };
    yield await measure(place, file, options);
  } finally {
    await server.remove();
  }
}
