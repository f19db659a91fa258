/** Where databases are, and those of a run: the service's own, filled by an import, and those that a peer would make of the same cars. */
import { execFileSync } from 'node:child_process';
import { closeSync, copyFileSync, fsyncSync, mkdtempSync, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../test/support/database/postgres-server.ts';
import { fillPostgres } from '../peers/postgres.ts';
import { fillSqlite } from '../peers/sqlite.ts';
import { project } from './machine.ts';
import { carAt, carsUpTo } from './records.ts';

export const isFile = (url: string): boolean => url.startsWith('sqlite:');
export const pathOf = (url: string): string => url.slice('sqlite:'.length);

/** A folder or a server with databases, each of which has a URL. */
export interface Place extends AsyncDisposable {
  readonly name: string;
  /** The process of the server, whose CPU is told apart. */
  readonly server?: number;
  /** @returns an empty database */
  readonly create: () => Promise<string>;
  /** @returns a copy, all of which is on the disk: nobody pays for what another wrote, or should have tidied up */
  readonly copy: (url: string) => Promise<string>;
}

const flush = (file: string): void => {
  const descriptor = openSync(file, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
};

/** @returns files in a new folder below this one */
export const sqliteIn = async (parent: string): Promise<Place> => {
  const folder = mkdtempSync(join(parent, 'sqlite-'));
  let files = 0;
  const create = async (): Promise<string> => `sqlite:${join(folder, `${++files}.db`)}`;
  return {
    name: 'SQLite',
    create,
    copy: async (url) => {
      const copy = await create();
      copyFileSync(pathOf(url), pathOf(copy));
      flush(pathOf(copy));
      return copy;
    },
    [Symbol.asyncDispose]: async () => {},
  };
};

/**
 * As safe as it comes: a commit is on the disk before it is acknowledged. And, as on any server of today, more memory than
 * PostgreSQL takes by itself, and no disks that turn.
 */
const SETTINGS = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  shared_buffers: '2GB',
  max_wal_size: '8GB',
  random_page_cost: '1.1',
} as const;

/** Runs statements, one after the other, on a connection of their own. @returns the rows of the last one */
export const run = async (url: string, ...statements: readonly pg.QueryConfig[]): Promise<pg.QueryResultRow[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: pg.QueryResultRow[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
};

/** @returns a server of its own */
export const ownPostgres = async (): Promise<Place> => {
  const server = await startPostgres({ settings: SETTINGS });
  const settings = Object.entries(SETTINGS).map((each) => each.join('='));
  let databases = 0;
  const create = async (options = ''): Promise<string> => {
    const name = `bench_${++databases}`;
    await run(server.url(), { text: `CREATE DATABASE ${name} ${options}` });
    return server.url(name);
  };
  return {
    name: `PostgreSQL (${settings.join(', ')})`,
    server: server.pid(),
    create: () => create(),
    copy: async (url) => {
      // What autovacuum does within minutes; nobody should be measured before or during it.
      await run(url, { text: 'VACUUM (ANALYZE)' });
      // Copying files begins and ends with a checkpoint.
      return create(`TEMPLATE ${new URL(url).pathname.slice(1)} STRATEGY file_copy`);
    },
    [Symbol.asyncDispose]: server.remove,
  };
};

/** @returns a new file with that many cars, to import */
export const carsFile = async (folder: string, count: number): Promise<string> => {
  const file = join(mkdtempSync(join(folder, 'cars-')), `${count}.ndjson`);
  const lines = function* () {
    for (let number = 0; number < count; number++) yield `${JSON.stringify(carAt(number))}\n`;
  };
  await writeFile(file, lines());
  return file;
};

const fillService = async (url: string, folder: string, count: number): Promise<void> => {
  const args = ['--import', './src/preload.js', 'src/import-export/import-main.ts', await carsFile(folder, count)];
  execFileSync(process.execPath, args, { cwd: project, stdio: 'ignore', env: { ...process.env, DATABASE_URL: url } });
};

/** The same cars in databases of the service and of its peers, of which each start gets a copy. */
export interface Dataset {
  readonly place: Place;
  /** For temporary files. */
  readonly folder: string;
  readonly cars: number;
  /** @returns the URL of a new copy, so that nobody reads what another start wrote */
  readonly copyFor: (program: 'service' | 'peer') => Promise<string>;
}

/** @returns databases of which each is made when somebody asks for it first */
export const datasetIn = (place: Place, folder: string, cars: number): Dataset => {
  const fill = {
    service: (url: string) => fillService(url, folder, cars),
    peer: async (url: string) =>
      isFile(url) ? fillSqlite(pathOf(url), carsUpTo(cars)) : fillPostgres(url, carsUpTo(cars)),
  } as const;
  const filled = new Map<string, string>();
  return {
    place,
    folder,
    cars,
    copyFor: async (program) => {
      const url = filled.get(program) ?? (await place.create());
      if (!filled.has(program)) {
        await fill[program](url);
        filled.set(program, url);
      }
      return place.copy(url);
    },
  };
};
