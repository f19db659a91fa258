/** Files of cars from the command line, while a server reads; against plain inserts of the same rows into the same tables. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Options } from './support/comparison.ts';
import { carsFile, ownPostgres, type Place, sqliteIn } from './support/databases.ts';
import { openClient, steady, textsOf } from './support/load.ts';
import { memory, project } from './support/machine.ts';
import { insertPlainly } from './support/plain-inserts.ts';
import { carAt } from './support/records.ts';
import { goalTable, percentile, type Report } from './support/report.ts';
import { startServer } from './support/servers.ts';

const ROUNDS = 3;

/** Runs `npm run import`. @returns seconds, and the most MiB that npm and it had */
const importFile = async (file: string, url: string) => {
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
  return { seconds: (performance.now() - start) / 1_000, peak };
};

/** Real cars, twice: all of them where `CARS_DATA` is the folder that has them, else the few that the tests have. */
const realCars = async (place: Place, rounds: number): Promise<Report> => {
  const file = join(process.env.CARS_DATA || join(project, 'test/data'), 'vehicles.en.csv');
  const cars = readFileSync(file, 'utf8').trimEnd().split('\n').length - 1;
  const times: { first: number; again: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const url = await place.create();
    times.push({ first: (await importFile(file, url)).seconds, again: (await importFile(file, url)).seconds });
  }
  return goalTable(`vehicles.en.csv, ${cars.toLocaleString('en')} cars, into ${place.name}`, [
    ['in all, npm included', 's', times.map(({ first }) => first), { atMost: 3 }],
    ['again, all of it unchanged', 's', times.map(({ again }) => again), { atMost: 2 }],
  ]);
};

/** Item reads a second beside an import. */
const READS = 100;

const importBesideReads = async (file: string, url: string) => {
  await using server = await startServer({ env: { DATABASE_URL: url } });
  const send = openClient(server.origin);
  // What is read meanwhile is there before.
  await send(textsOf('POST', [{ path: '/api/cars', body: JSON.stringify(carAt(0)) }])());
  const importing = importFile(file, url);
  const times = await steady(send, textsOf('GET', [{ path: '/api/cars/car-0' }]), READS, importing);
  return { ...(await importing), late: percentile(times, 0.99) };
};

/** @param atLeast the least ratio of rates that is wanted */
const manyCars = async (
  place: Place,
  atLeast: number,
  file: string,
  { many, rounds = ROUNDS }: Options,
): Promise<Report> => {
  const found: { ratio: number; rate: number; again: number; peak: number; late: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const url = await place.create();
    const { seconds, peak, late } = await importBesideReads(file, url);
    const again = many / (await importFile(file, url)).seconds;
    const plain = await insertPlainly(url, await place.create());
    found.push({ ratio: plain / seconds, rate: many / seconds, again, peak, late });
  }
  return goalTable(`${many.toLocaleString('en')} cars into ${place.name}`, [
    [
      'rate to plain inserts or `COPY`, start of the program included',
      '×',
      found.map(({ ratio }) => ratio),
      { atLeast },
    ],
    ['rate', 'rows/s', found.map(({ rate }) => rate), {}],
    ['rate of the same file again', 'rows/s', found.map(({ again }) => again), {}],
    ['memory of `npm run import`, npm included', 'MiB', found.map(({ peak }) => peak), { atMost: 260 }],
    ['item reads of a server meanwhile, p99', 'ms', found.map(({ late }) => late), { atMost: 20 }],
  ]);
};

/** @returns the tables of both databases */
export async function* imports(options: Options): AsyncGenerator<Report> {
  yield ['# Imports', ''];
  const file = await carsFile(options.folder, options.many);
  await using files = await sqliteIn(options.folder);
  yield await realCars(files, options.rounds ?? ROUNDS);
  yield await manyCars(files, 0.7, file, options);
  await using server = await ownPostgres();
  yield await manyCars(server, 0.5, file, options);
}
