/** A service on a primary and a replica of a test's own. */
import { expect } from 'vitest';
import { catalogue } from '../../../src/catalogue.ts';
import { openStore } from '../../../src/host/service/open-store.ts';
import { createMany as fill } from '../conformance/fixtures.ts';
import { query } from '../database/postgres.ts';
import { type PostgresServer, startPostgres } from '../database/postgres-server.ts';
import type { WhenOver } from './folder.ts';
import { type Serving, serve } from './service.ts';

export const PATIENT = { timeout: 60_000, interval: 20 };
/** Milliseconds: more than any statement takes on a busy machine, for the fault is that a server never answers. */
const DATABASE_TIMEOUT = '5000';
/** More rows than one chunk, so that they are read by a cursor. */
export const REPLICATED_CARS = 700;

export interface Replicated {
  readonly primary: PostgresServer;
  readonly replica: PostgresServer;
  /** Starts a service that reads on the replica. */
  readonly serve: (url?: string, whenOver?: WhenOver) => Promise<Serving>;
  /** Resolves once the replica has so many cars. It is asked itself: a service asks the primary for what it does not have yet. */
  readonly isFollowed: (count: number) => Promise<void>;
  readonly remove: () => Promise<unknown>;
}

export const startReplicated = async (): Promise<Replicated> => {
  const settings = { unix_socket_directories: '/tmp', autovacuum: 'off' };
  const primary = await startPostgres({ settings });
  await primary.stop();
  const replica = await startPostgres({ primary, settings });
  await primary.start();
  return {
    primary,
    replica,
    serve: (url = primary.url(), whenOver) =>
      serve({
        whenOver,
        env: { DATABASE_URL: url, DATABASE_READ_URL: replica.url(), DATABASE_TIMEOUT, DATABASE_POOL: '4' },
      }),
    isFollowed: async (count) => {
      const rows = () => query(replica.url(), 'SELECT count(*)::int AS n FROM "cars"').catch(String);
      await expect.poll(rows, PATIENT).toEqual([{ n: count }]);
    },
    remove: () => Promise.all([replica.remove(), primary.remove()]),
  };
};

export const send = (origin: string, method: string, path: string, body?: object): Promise<Response> =>
  fetch(origin + path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });

export const car = (identifier: string) => ({ identifier, brand: 'Seat', model: 'Ibiza' });

/** Creates so many cars in a database: a service would take seconds to be sent them one by one. */
export const createReplicatedCars = async (url: string): Promise<void> => {
  const store = await openStore(url, catalogue);
  await fill(store, REPLICATED_CARS);
  await store.close();
};

/** @returns how many cars a service lists */
export const listed = async (origin: string): Promise<number> => {
  const list = await send(origin, 'GET', '/api/cars');
  expect(list.status).toBe(200);
  return ((await list.json()) as readonly object[]).length;
};
