/** The databases of a run: the service's own, filled by an import, and those that a peer would make of the same cars. */
import { closeSync, copyFileSync, existsSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { catalogue } from '../../src/catalogue.ts';
import { collectionOf } from '../../src/model/catalogue.ts';
import { toCells } from '../../src/model/cells.ts';
import type { FileRow } from '../../src/model/import.ts';
import { openStore } from '../../src/service/open-store.ts';
import { startPostgres } from '../../test/support/database/postgres-server.ts';
import { FILL, fold, PRAGMAS, SCHEMA, valuesOf } from '../peers/cars.js';
import { carAt, carsUpTo } from './records.ts';

export interface Dataset {
  /** What the databases are in. */
  readonly name: string;
  readonly cars: number;
  /** @returns the URL of a new copy, so that nobody reads what another start wrote */
  readonly copyOf: (kind: 'service' | 'peer') => Promise<string>;
  /** The process of the database's server, whose CPU is told apart. */
  readonly server: number | undefined;
  readonly remove: () => Promise<void>;
}

export const cars = collectionOf(catalogue, 'cars');
const flag = (value: boolean | undefined): number | undefined => (value === undefined ? undefined : Number(value));

/** @returns a car as the store has it */
export const cellsAt = (number: number) => {
  const car = carAt(number);
  return toCells(cars, { ...car, clima: flag(car.clima), ac: flag(car.ac) });
};

const CHUNK = 1_000;

const fillService = async (url: string, count: number): Promise<void> => {
  const store = await openStore(url, catalogue);
  const rows = async function* (): AsyncGenerator<readonly FileRow[]> {
    for (let from = 0; from < count; from += CHUNK) {
      const numbers = Array.from({ length: Math.min(CHUNK, count - from) }, (_, at) => from + at);
      yield numbers.map((number) => ({ number, cells: cellsAt(number), errors: [] }));
    }
  };
  await store.importRows(cars, rows(), {
    parents: [],
    assignKey: () => '',
    onDuplicate: 'error',
    isLenient: false,
    isCheck: false,
    deletionShare: undefined,
    onRejected: () => {},
  });
  await store.close();
};

/** Else the first commit would wait until hundreds of megabytes are on the disk. */
const flush = (file: string): void => {
  const descriptor = openSync(file, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
};

const fillPeer = (file: string, count: number): void => {
  const database = new DatabaseSync(file);
  database.exec(`${PRAGMAS}; ${SCHEMA}; BEGIN`);
  const insert = database.prepare(FILL);
  for (let number = 0; number < count; number++) insert.run(...valuesOf(carAt(number)));
  database.exec('COMMIT');
  database.close();
};

/** @returns files in a folder; the peer's is made where somebody asks for it */
export const sqliteDataset = async (folder: string, count: number): Promise<Dataset> => {
  const files = { service: join(folder, `service-${count}.db`), peer: join(folder, `peer-${count}.db`) };
  await fillService(`sqlite:${files.service}`, count);
  let copies = 0;
  return {
    name: 'SQLite',
    cars: count,
    server: undefined,
    copyOf: async (kind) => {
      const copy = join(folder, `start-${++copies}.db`);
      if (kind === 'peer' && !existsSync(files.peer)) fillPeer(files.peer, count);
      copyFileSync(files[kind], copy);
      flush(copy);
      return `sqlite:${copy}`;
    },
    remove: async () => {},
  };
};

/**
 * As safe as it comes: a commit is on the disk before it is acknowledged. And, as on any server of today, more memory than
 * PostgreSQL takes by itself, and no disks that turn.
 */
export const SETTINGS = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  shared_buffers: '2GB',
  max_wal_size: '8GB',
  random_page_cost: '1.1',
} as const;

const PG_SCHEMA = `
  CREATE TABLE cars (seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, identifier text NOT NULL UNIQUE,
    brand text NOT NULL, model text NOT NULL, year integer, doors integer, "enginePower" integer, version text,
    clima boolean, ac boolean, fuel text, "brandKey" text NOT NULL, "modelKey" text NOT NULL);
  CREATE INDEX cars_brand ON cars ("brandKey", seq);
  CREATE INDEX cars_model ON cars ("modelKey", seq);
  CREATE INDEX cars_year ON cars (year, seq)`;
const PG_COLUMNS =
  'identifier, brand, model, year, doors, "enginePower", version, clima, ac, fuel, "brandKey", "modelKey"';
const PG_FILL = `INSERT INTO cars (${PG_COLUMNS}) SELECT ${PG_COLUMNS} FROM jsonb_populate_recordset(NULL::cars, $1)`;

export const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const fillPeerOnServer = (url: string, count: number): Promise<void> =>
  withClient(url, async (client) => {
    await client.query(PG_SCHEMA);
    const rows = carsUpTo(count).map((car) => ({ ...car, brandKey: fold(car.brand), modelKey: fold(car.model) }));
    await client.query(PG_FILL, [JSON.stringify(rows)]);
  });

/** @returns the databases of a run on a server of their own, the peer's made where somebody asks for it; remove it at the end */
export const postgresDataset = async (count: number): Promise<Dataset> => {
  const server = await startPostgres({ settings: SETTINGS });
  const created = async (name: string, options = ''): Promise<string> => {
    // Copying files begins and ends with a checkpoint, so that nobody pays for what another wrote.
    await withClient(server.url(), (client) => client.query(`CREATE DATABASE ${name} ${options}`));
    return server.url(name);
  };
  const fills = { service: fillService, peer: fillPeerOnServer } as const;
  const filled = async (kind: keyof typeof fills): Promise<void> => {
    const url = await created(kind);
    await fills[kind](url, count);
    // What autovacuum does within minutes; nobody should be measured before or during it.
    await withClient(url, (client) => client.query('VACUUM (ANALYZE)'));
  };
  let copies = 0;
  let peer: Promise<void> | undefined;
  try {
    await filled('service');
  } catch (error) {
    await server.remove();
    throw error;
  }
  const settings = Object.entries(SETTINGS).map((each) => each.join('='));
  return {
    name: `PostgreSQL on the load’s core (${settings.join(', ')})`,
    cars: count,
    server: server.pid(),
    copyOf: async (kind) => {
      if (kind === 'peer') {
        peer ??= filled('peer');
        await peer;
      }
      return created(`start_${++copies}`, `TEMPLATE ${kind} STRATEGY file_copy`);
    },
    remove: server.remove,
  };
};
