/** Where databases are, and those of a run: the service's own, filled by an import, and those that a peer would make of the same cars. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { query } from '../../test/support/database/postgres.ts';
import { startPostgres } from '../../test/support/database/postgres-server.ts';
import { filling } from '../peers/postgres.ts';
import { fillSqlite } from '../peers/sqlite.ts';
import { folder, memory, project } from './machine.ts';
import { carsUpTo } from './records.ts';
import type { Program } from './servers.ts';

export const isFile = (url: string): boolean => url.startsWith('sqlite:');
export const pathOf = (url: string): string => url.slice('sqlite:'.length);

/** The same cars in databases of the service and of its peers, each of which has a URL. */
export interface Databases {
  readonly name: string;
  readonly cars: number;
  /** The process of their server, whose CPU is told apart. */
  readonly server?: number;
  /** @returns an empty one */
  readonly create: () => Promise<string>;
  /** @returns a new copy, so that nobody reads, pays for or should have tidied up what another start wrote: all of it is on the disk */
  readonly copyFor: (program: Program) => Promise<string>;
}

/** @returns a file with that many cars, to import */
export const carsFile = async (count: number): Promise<string> => {
  const file = join(folder, `${count}.ndjson`);
  const lines = carsUpTo(count).map((car) => `${JSON.stringify(car)}\n`);
  await writeFile(file, lines);
  return file;
};

/** Runs `npm run import`. @returns seconds, and the most MiB that npm and it had */
export const importFile = async (file: string, DATABASE_URL: string) => {
  const start = performance.now();
  const line = ['run', '--silent', 'import', '--', file, '--on-duplicate', 'merge'];
  const child = spawn('npm', line, { cwd: project, stdio: 'ignore', env: { ...process.env, DATABASE_URL } });
  const exited = once(child, 'exit');
  let peak = 0;
  while (child.exitCode === null) {
    peak = Math.max(peak, memory(child.pid ?? 0, 'VmHWM'));
    await Promise.race([setTimeout(10), exited]);
  }
  if (child.exitCode !== 0) throw new Error(`the import ended with ${child.exitCode}`);
  return { seconds: (performance.now() - start) / 1_000, peak };
};

const fill = async (program: Program, url: string, count: number): Promise<unknown> => {
  if (program === 'service') return importFile(await carsFile(count), url);
  const cars = carsUpTo(count);
  return isFile(url) ? fillSqlite(pathOf(url), cars) : query(url, ...filling(cars));
};

/** @returns gives copies of databases that are filled when somebody asks for the first one */
const copies = (cars: number, create: () => Promise<string>, copy: (url: string) => Promise<string>) => {
  const filled = new Map<Program, string>();
  return async (program: Program): Promise<string> => {
    const url = filled.get(program) ?? (await create());
    if (!filled.has(program)) await fill(program, url, cars);
    filled.set(program, url);
    return copy(url);
  };
};

let made = 0;
const newName = (): string => `bench_${++made}`;
const newFile = async (): Promise<string> => `sqlite:${join(folder, newName())}.db`;
const copyOfFile = async (url: string): Promise<string> => {
  const copy = await newFile();
  copyFileSync(pathOf(url), pathOf(copy));
  execFileSync('sync', [pathOf(copy)]);
  return copy;
};

export const sqliteFiles = (cars: number): Databases => {
  return { name: 'SQLite', cars, create: newFile, copyFor: copies(cars, newFile, copyOfFile) };
};

/**
 * As safe as it comes: a commit is on the disk before it is acknowledged. And, as on any server of today, more memory than
 * PostgreSQL takes by itself, and no disks that turn.
 */
const SETTINGS =
  'fsync=on, full_page_writes=on, synchronous_commit=on, shared_buffers=2GB, max_wal_size=8GB, random_page_cost=1.1';

/** @returns those of a server of its own */
export const ownPostgres = async (cars: number): Promise<Databases & AsyncDisposable> => {
  const settings = Object.fromEntries(SETTINGS.split(', ').map((each) => each.split('=')));
  const server = await startPostgres({ settings });
  const create = async (options = ''): Promise<string> => {
    const name = newName();
    await query(server.url(), `CREATE DATABASE ${name} ${options}`);
    return server.url(name);
  };
  const copy = async (url: string): Promise<string> => {
    // What autovacuum does within minutes; nobody should be measured before or during it.
    await query(url, 'VACUUM (ANALYZE)');
    // Copying files begins and ends with a checkpoint.
    return create(`TEMPLATE ${new URL(url).pathname.slice(1)} STRATEGY file_copy`);
  };
  return {
    name: `PostgreSQL (${SETTINGS})`,
    cars,
    server: server.pid(),
    create,
    copyFor: copies(cars, create, copy),
    [Symbol.asyncDispose]: server.remove,
  };
};
