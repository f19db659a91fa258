/** All that every store must do, through a pooler whose connections are anybody's after each transaction. */
import { afterAll, beforeAll } from 'vitest';
import { catalogue } from '../../../src/catalogue.ts';
import { openStore } from '../../../src/host/service/open-store.ts';
import { type OpenEmpty, snapshotConformance, storeConformance } from '../../support/conformance/store-conformance.ts';
import { query } from '../../support/database/postgres.ts';
import { type PostgresServer, startPostgres } from '../../support/database/postgres-server.ts';
import { startPgbouncer } from '../../support/process/pgbouncer.ts';

const LISTS = 4;

let server: PostgresServer;
let databases = 0;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.remove());

const open: OpenEmpty = async (whenOver) => {
  const name = `pooled${++databases}`;
  await query(server.url(), `CREATE DATABASE ${name}`);
  const url = await startPgbouncer(server.url(name), { connections: 2 * LISTS }, whenOver);
  return openStore(url, catalogue, { pool: LISTS });
};

storeConformance('behind pgbouncer in transaction mode', open);
snapshotConformance('behind pgbouncer in transaction mode', open, LISTS);
