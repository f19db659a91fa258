/** A throw-away PostgreSQL with the records of a run: in the service's own tables, and in those that a peer would make. */
import pg from 'pg';
import { startPostgres } from '../../test/support/database/postgres-server.ts';
import { fold } from '../peers/cars.js';
import { fillStore } from './databases.ts';
import { carsUpTo } from './records.ts';

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

export interface PostgresDataset {
  readonly folder: string;
  readonly cars: number;
  /** The server's process. */
  readonly database: number;
  /** @returns the URL of a new copy, so that nobody reads what another start wrote */
  readonly copyOf: (name: 'service' | 'peer') => Promise<string>;
  readonly remove: () => Promise<void>;
}

const SCHEMA = `
  CREATE TABLE cars (seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, identifier text NOT NULL UNIQUE,
    brand text NOT NULL, model text NOT NULL, year integer, doors integer, "enginePower" integer, version text,
    clima boolean, ac boolean, fuel text, "brandKey" text NOT NULL, "modelKey" text NOT NULL);
  CREATE INDEX cars_brand ON cars ("brandKey", seq);
  CREATE INDEX cars_model ON cars ("modelKey", seq);
  CREATE INDEX cars_year ON cars (year, seq);
`;

const COLUMNS =
  'identifier, brand, model, year, doors, "enginePower", version, clima, ac, fuel, "brandKey", "modelKey"';
const FILL = `INSERT INTO cars (${COLUMNS}) SELECT ${COLUMNS} FROM jsonb_populate_recordset(NULL::cars, $1)`;

export const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const fillPeer = (url: string, count: number): Promise<void> =>
  withClient(url, async (client) => {
    await client.query(SCHEMA);
    const rows = carsUpTo(count).map((car) => ({ ...car, brandKey: fold(car.brand), modelKey: fold(car.model) }));
    await client.query(FILL, [JSON.stringify(rows)]);
  });

/** What autovacuum does within minutes; nobody should be measured before or during it. */
const tidy = (url: string): Promise<unknown> => withClient(url, (client) => client.query('VACUUM (ANALYZE)'));

/** @returns a server with `cars` records for each side; remove it at the end */
export const makePostgresDataset = async (folder: string, cars: number): Promise<PostgresDataset> => {
  const server = await startPostgres({ settings: SETTINGS });
  const command = (sql: string): Promise<unknown> => withClient(server.url(), (client) => client.query(sql));
  const created = async (name: string, options = ''): Promise<string> => {
    // Copying files begins and ends with a checkpoint, so that nobody pays for what another wrote.
    await command(`CREATE DATABASE ${name} ${options}`);
    return server.url(name);
  };
  let copies = 0;
  try {
    const service = await created('service');
    await fillStore(service, cars);
    const peer = await created('peer');
    await fillPeer(peer, cars);
    for (const url of [service, peer]) await tidy(url);
  } catch (error) {
    await server.remove();
    throw error;
  }
  return {
    folder,
    cars,
    database: server.pid(),
    copyOf: (name) => created(`start_${++copies}`, `TEMPLATE ${name} STRATEGY file_copy`),
    remove: server.remove,
  };
};
