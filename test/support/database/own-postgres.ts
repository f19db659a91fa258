/** Servers of a test's own, which it may stop or kill. */
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { shared } from '../process/folder.ts';
import { binaries, type PostgresSettings, startPostgres } from './postgres-server.ts';

/** Why no server can be started here; `undefined` where one can. Where everything must be tested, it is tried and fails. */
export const noServer =
  binaries() === undefined && !process.env.CI
    ? `there is no PostgreSQL for ${process.platform}-${process.arch}`
    : undefined;

/** @returns a server for all tests of the file, or the `describe`, that this is called in */
export const sharedPostgres = (settings?: PostgresSettings) =>
  shared(async (whenOver) => {
    const server = await startPostgres(settings);
    whenOver(server.remove);
    return server;
  });

/** A session of the database's own administrator. */
export interface Session {
  /** @returns the rows of one statement */
  readonly run: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  readonly end: () => Promise<void>;
}

/** @returns a session that is ended when the test is over at the latest */
export const openSession = async (url: string): Promise<Session> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  let isOver = false;
  const end = async (): Promise<void> => {
    if (isOver) return;
    isOver = true;
    await client.end();
  };
  onTestFinished(end);
  return { run: async (sql) => (await client.query(sql)).rows, end };
};
