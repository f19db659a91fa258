/** Files of cars from the command line, while a server reads; against plain inserts of the same rows into the same tables. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { carsFile, type Databases, importFile, ownPostgres, sqliteFiles } from './support/databases.ts';
import { openClient, requestText, steady } from './support/load.ts';
import { project } from './support/machine.ts';
import { insertPlainly } from './support/plain-inserts.ts';
import { carAt } from './support/records.ts';
import { goalTable, percentile } from './support/report.ts';
import { startServer } from './support/servers.ts';

/** Real cars, twice: all of them where `CARS_DATA` is the folder that has them, else the few that the tests have. */
const realCars = async (databases: Databases, rounds: number): Promise<string> => {
  const file = join(process.env.CARS_DATA || join(project, 'test/data'), 'vehicles.en.csv');
  const cars = readFileSync(file, 'utf8').trimEnd().split('\n').length - 1;
  const found = await Array.fromAsync({ length: rounds }, async () => {
    const url = await databases.create();
    return { first: await importFile(file, url), again: await importFile(file, url) };
  });
  return goalTable(`vehicles.en.csv, ${cars.toLocaleString('en')} cars, into ${databases.name}`, [
    ['in all, npm included', 's', found.map(({ first }) => first.seconds), '≤ 3'],
    ['again, all of it unchanged', 's', found.map(({ again }) => again.seconds), '≤ 2'],
  ]);
};

/** Item reads a second beside an import. */
const READS = 100;

const importBesideReads = async (file: string, url: string) => {
  await using server = await startServer(url);
  const send = openClient(server.origin);
  // What is read meanwhile is there before.
  await send(requestText('POST', '/api/cars', carAt(0)));
  const importing = importFile(file, url);
  const times = await steady(send, () => requestText('GET', '/api/cars/car-0'), READS, importing);
  return { ...(await importing), late: percentile(times, 0.99) };
};

/** @param atLeast the least ratio of rates that is wanted */
const manyCars = async ({ name, cars, create }: Databases, atLeast: number, rounds: number): Promise<string> => {
  const file = await carsFile(cars);
  const found = await Array.fromAsync({ length: rounds }, async () => {
    const url = await create();
    const first = await importBesideReads(file, url);
    const again = await importFile(file, url);
    return { ...first, again: again.seconds, plain: await insertPlainly(url, await create()) };
  });
  const ratios = found.map(({ plain, seconds }) => plain / seconds);
  return goalTable(`${cars.toLocaleString('en')} cars into ${name}`, [
    ['rate to plain inserts or `COPY`, start of the program included', '×', ratios, `≥ ${atLeast}`],
    ['rate', 'rows/s', found.map(({ seconds }) => cars / seconds), ''],
    ['rate of the same file again', 'rows/s', found.map(({ again }) => cars / again), ''],
    ['memory of `npm run import`, npm included', 'MiB', found.map(({ peak }) => peak), '≤ 260'],
    ['item reads of a server meanwhile, p99', 'ms', found.map(({ late }) => late), '≤ 20'],
  ]);
};

/** @returns the tables of both databases */
export async function* imports(cars: number, rounds = 3): AsyncGenerator<string> {
  yield '# Imports\n';
  const files = sqliteFiles(cars);
  yield await realCars(files, rounds);
  yield await manyCars(files, 0.7, rounds);
  await using postgres = await ownPostgres(cars);
  yield await manyCars(postgres, 0.5, rounds);
}
