/** A PostgreSQL that the operating system brings, with the programs that operators use. `pg_dump` dumps no newer server than itself. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { query } from './postgres.ts';
import { startPostgres } from './postgres-server.ts';

const run = promisify(execFile);

/** Where Debian keeps a folder for each version. */
const DEBIAN = '/usr/lib/postgresql';
const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a)) : [];
const has = (folder: string, program: string): boolean => existsSync(join(folder, 'bin', program));

/** The newest version's folder. */
export const installed = versions
  .map((version) => join(DEBIAN, version))
  .find((folder) => has(folder, 'pg_dump') && has(folder, 'postgres'));

/** Why nothing can be dumped here; `undefined` where it can. Where everything must be tested, it is tried and fails. */
export const noDump =
  installed === undefined && !process.env.CI ? `no PostgreSQL with pg_dump stands in ${DEBIAN}` : undefined;

export const runInstalled = async (program: string, ...args: readonly string[]): Promise<string> =>
  (await run(join(installed ?? DEBIAN, 'bin', program), args)).stdout;

/** @returns the statements that make a database again which `fill` has filled, for servers of this version and later */
export const dumped = async (fill: (url: string) => Promise<void>): Promise<string> => {
  const server = await startPostgres({ programs: installed });
  try {
    await query(server.url(), `CREATE DATABASE filled TEMPLATE template0 ENCODING 'UTF8'`);
    await fill(server.url('filled'));
    const dump = await runInstalled('pg_dump', '--inserts', '--no-owner', '--no-privileges', server.url('filled'));
    // What only psql understands, and comments.
    return dump.replaceAll(/^(?:\\.*|--.*)?\n/gm, '');
  } finally {
    await server.remove();
  }
};
