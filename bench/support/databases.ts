/** The databases of a run: the service's own, filled by an import, and those that a peer would make of the same cars. */
import { execFileSync } from 'node:child_process';
import { closeSync, copyFileSync, existsSync, fsyncSync, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../test/support/database/postgres-server.ts';
import { fillPostgres, fillSqlite } from '../peers/fill.js';
import { project } from './machine.ts';
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

const linesUpTo = function* (count: number): Generator<string> {
  for (let number = 0; number < count; number++) yield `${JSON.stringify(carAt(number))}\n`;
};

/** @returns a file of cars, to import */
export const carsFile = async (folder: string, count: number): Promise<string> => {
  const file = join(folder, `cars-${count}.ndjson`);
  if (!existsSync(file)) await writeFile(file, linesUpTo(count));
  return file;
};

const fillService = (url: string, file: string): void => {
  const args = ['--import', './src/preload.js', 'src/import-export/import-main.ts', file];
  execFileSync(process.execPath, args, { cwd: project, stdio: 'ignore', env: { ...process.env, DATABASE_URL: url } });
};

/** Else the first commit would wait until hundreds of megabytes are on the disk. */
const flush = (file: string): void => {
  const descriptor = openSync(file, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
};

/** @returns files in a folder, each made where somebody asks for it */
export const sqliteDataset = async (folder: string, count: number): Promise<Dataset> => {
  const cars = await carsFile(folder, count);
  const fill = {
    service: (file: string) => fillService(`sqlite:${file}`, cars),
    peer: (file: string) => fillSqlite(file, carsUpTo(count)),
  } as const;
  let copies = 0;
  return {
    name: 'SQLite',
    cars: count,
    server: undefined,
    copyOf: async (kind) => {
      const [file, copy] = [join(folder, `${kind}-${count}.db`), join(folder, `start-${++copies}.db`)];
      if (!existsSync(file)) fill[kind](file);
      copyFileSync(file, copy);
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

export const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** @returns the databases of a run on a server of their own, each made where somebody asks for it; remove it at the end */
export const postgresDataset = async (folder: string, count: number): Promise<Dataset> => {
  const cars = await carsFile(folder, count);
  const server = await startPostgres({ settings: SETTINGS });
  const create = async (name: string, options = ''): Promise<string> => {
    // Copying files begins and ends with a checkpoint, so that nobody pays for what another wrote.
    await withClient(server.url(), (client) => client.query(`CREATE DATABASE ${name} ${options}`));
    return server.url(name);
  };
  const filled = new Set<string>();
  const fill = async (kind: 'service' | 'peer'): Promise<void> => {
    const url = await create(kind);
    if (kind === 'service') fillService(url, cars);
    else await fillPostgres(url, carsUpTo(count));
    // What autovacuum does within minutes; nobody should be measured before or during it.
    await withClient(url, (client) => client.query('VACUUM (ANALYZE)'));
  };
  let copies = 0;
  const settings = Object.entries(SETTINGS).map((each) => each.join('='));
  return {
    name: `PostgreSQL on the load’s core (${settings.join(', ')})`,
    cars: count,
    server: server.pid(),
    copyOf: async (kind) => {
      if (!filled.has(kind)) await fill(kind);
      filled.add(kind);
      return create(`start_${++copies}`, `TEMPLATE ${kind} STRATEGY file_copy`);
    },
    remove: server.remove,
  };
};
