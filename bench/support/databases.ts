import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { catalogue } from '../../src/catalogue.ts';
import { collectionOf } from '../../src/model/catalogue.ts';
import { type CellRecord, toCells } from '../../src/model/cells.ts';
import { openStore } from '../../src/open-store.ts';
import { PRAGMAS, SQL, valuesOf } from '../peers/cars.js';
import type { Dataset } from './peers.ts';
import { type Car, carAt } from './records.ts';
import { project } from './servers.ts';

/** Writes on their way at one time: some full groups. */
const AT_ONCE = 2_560;

const flag = (value: boolean | undefined): number | undefined => (value === undefined ? undefined : Number(value));

const recordOf = (car: Car): CellRecord => ({ ...car, clima: flag(car.clima), ac: flag(car.ac) });

/** Fills a database through the store's own port, so that it holds whatever the store keeps beside the rows. */
export const fillStore = async (url: string, count: number): Promise<void> => {
  const store = await openStore(url, catalogue);
  const cars = collectionOf(catalogue, 'cars');
  for (let from = 0; from < count; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, at) => from + at);
    await Promise.all(
      numbers.map((number) => {
        const cells = toCells(cars, recordOf(carAt(number)));
        return store.write({ kind: 'create', collection: 'cars', parents: [], cells });
      }),
    );
  }
  await store.close();
};

const SCHEMA = `
  CREATE TABLE cars (seq INTEGER PRIMARY KEY, identifier TEXT NOT NULL UNIQUE, brand TEXT NOT NULL, model TEXT NOT NULL,
    year INTEGER, doors INTEGER, enginePower INTEGER, version TEXT, clima INTEGER, ac INTEGER, fuel TEXT,
    brandKey TEXT NOT NULL, modelKey TEXT NOT NULL);
  CREATE INDEX cars_brand ON cars (brandKey, seq);
  CREATE INDEX cars_model ON cars (modelKey, seq);
  CREATE INDEX cars_year ON cars (year, seq);
`;

/** For the peer that is given the service's way of counting. */
const COUNTERS = `
  CREATE TABLE brandTotals (brandKey TEXT PRIMARY KEY, total INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TRIGGER cars_counted AFTER INSERT ON cars BEGIN
    INSERT INTO brandTotals VALUES (new.brandKey, 1) ON CONFLICT DO UPDATE SET total = total + 1;
  END;
`;

/** The same cars, filters and indexes, in the tables that a peer would make. */
const fillPeer = (file: string, count: number, isCounted: boolean): void => {
  const database = new DatabaseSync(file);
  database.exec(PRAGMAS);
  database.exec(SCHEMA);
  if (isCounted) database.exec(COUNTERS);
  database.exec('BEGIN');
  const insert = database.prepare(SQL.insert);
  for (let number = 0; number < count; number++) insert.run(...valuesOf(carAt(number)));
  database.exec('COMMIT');
  database.close();
};

const KEPT = join(tmpdir(), 'car-dealer-catalogue-bench');

/** Whatever decides what is in the files: a store that was changed gets new ones. */
const fingerprint = (): string => {
  const hash = createHash('sha256');
  const below = (folder: string): readonly string[] =>
    readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(project, folder, file));
  const paths = [...below('src/store'), ...below('src/model'), join(project, 'src/catalogue.ts')];
  for (const file of ['records.ts', 'databases.ts']) paths.push(join(project, 'bench/support', file));
  for (const path of paths.toSorted()) hash.update(readFileSync(path));
  return hash.digest('hex').slice(0, 12);
};

/** @returns a file that is built where it is not there yet */
const built = async (kind: string, count: number, fill: (file: string) => Promise<void> | void): Promise<string> => {
  mkdirSync(KEPT, { recursive: true });
  const file = join(KEPT, `${kind}-${count}-${fingerprint()}.db`);
  if (existsSync(file)) return file;
  for (const old of readdirSync(KEPT)) if (old.startsWith(`${kind}-${count}-`)) rmSync(join(KEPT, old));
  const unfinished = `${file}.${randomUUID()}`;
  process.stderr.write(`building ${file} …\n`);
  await fill(unfinished);
  renameSync(unfinished, file);
  return file;
};

/** @returns the service's database of that many cars */
export const serviceDatabase = (count: number): Promise<string> =>
  built('service', count, (file) => fillStore(`sqlite:${file}`, count));

/** @returns the databases of a run, kept for the next one */
export const makeDataset = async (folder: string, cars: number): Promise<Dataset> => ({
  folder,
  cars,
  service: await serviceDatabase(cars),
  peer: await built('peer', cars, (file) => fillPeer(file, cars, false)),
  counted: await built('counted', cars, (file) => fillPeer(file, cars, true)),
});
