/**
 * One PostgreSQL for all tests of a run, started when the first of them asks for it. Tests run in processes of their own
 * and ask through a socket; the server belongs to this process.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openStore } from '../../../src/host/service/open-store.ts';
import { catalogue } from '../cars/catalogue.ts';
import { query } from './postgres.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where to ask for a server. */
    readonly postgres: string;
    /** The server's database that has the service's tables, to copy. */
    readonly prepared: string;
  }
}

const PREPARED = 'prepared';

const start = async (): Promise<PostgresServer> => {
  // It has hundreds of databases, and would begin to clean one of them several times a second.
  const server = await startPostgres({ settings: { autovacuum: 'off' } });
  await query(server.url(), `CREATE DATABASE ${PREPARED} TEMPLATE template0 ENCODING 'UTF8'`);
  await (await openStore(server.url(PREPARED), catalogue)).close();
  return server;
};

const setup = async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  let started: Promise<PostgresServer> | undefined;
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  const address = process.platform === 'win32' ? `\\\\.\\pipe\\${folder}` : join(folder, 'ask');
  const asked = createServer((socket) => {
    socket.on('error', () => {});
    started ??= start();
    started.then(
      (server) => socket.end(server.url()),
      (error: Error) => socket.end(`no server: ${error.message}`),
    );
  });
  await new Promise<void>((resolve) => asked.listen(address, resolve));
  provide('postgres', address);
  provide('prepared', PREPARED);
  return async () => {
    asked.close();
    await started?.then((server) => server.remove());
    rmSync(folder, { recursive: true, force: true });
  };
};

export { setup };
