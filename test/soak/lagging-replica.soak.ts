/** Reads on a real replica that lags: apart from the others, because a busy machine may put off the pause. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noServer } from '../support/database/own-postgres.ts';
import { query } from '../support/database/postgres.ts';
import { type PostgresServer, startPostgres } from '../support/database/postgres-server.ts';
import { type Serving, serve } from '../support/process/service.ts';

const PATIENT = { timeout: 60_000, interval: 20 };
/** Milliseconds: more than any statement takes on a busy machine, for the fault is that a server never answers. */
const DATABASE_TIMEOUT = '5000';
/** More rows than one chunk, so that they are read by a cursor. */
const MANY = 700;

const send = (origin: string, method: string, path: string, body?: object): Promise<Response> =>
  fetch(origin + path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
const car = (identifier: string) => ({ identifier, brand: 'Seat', model: 'Ibiza' });

describe.skipIf(noServer)(`a service that reads on a replica${noServer ? `: ${noServer}` : ''}`, () => {
  let primary: PostgresServer;
  let replica: PostgresServer;
  beforeAll(async () => {
    const settings = { autovacuum: 'off' };
    primary = await startPostgres({ settings });
    await primary.stop();
    replica = await startPostgres({ primary, settings });
    await primary.start();
  });
  afterAll(() => Promise.all([replica?.remove(), primary?.remove()]));

  const start = (): Promise<Serving> =>
    serve({
      env: { DATABASE_URL: primary.url(), DATABASE_READ_URL: replica.url(), DATABASE_TIMEOUT, DATABASE_POOL: '4' },
    });
  const total = async (origin: string): Promise<number> => {
    const list = await send(origin, 'GET', '/api/cars');
    expect(list.status).toBe(200);
    return ((await list.json()) as readonly object[]).length;
  };
  const isFollowed = (origin: string, count: number) => expect.poll(() => total(origin), PATIENT).toBe(count);

  test('that lags behind finds nothing missing that is there', async () => {
    const { origin } = await start();
    await Promise.all(Array.from({ length: MANY }, (_, at) => send(origin, 'POST', '/api/cars', car(`car-${at}`))));
    await isFollowed(origin, MANY);
    await query(replica.url(), 'SELECT pg_wal_replay_pause()');
    const paused = "SELECT 1 WHERE pg_get_wal_replay_pause_state() = 'paused'";
    await expect.poll(() => query(replica.url(), paused), PATIENT).toHaveLength(1);
    expect((await send(origin, 'POST', '/api/cars', car('a'))).status).toBe(201);
    expect((await send(origin, 'POST', '/api/coches/a/aceites', { tipo: '5W-30' })).status).toBe(201);
    for (const path of ['/api/cars/a', '/api/cars/a/oils/5W-30', '/api/cars/a/oils']) {
      expect([path, (await send(origin, 'GET', path)).status]).toEqual([path, 200]);
    }
    // It is the replica that is asked, at the latest when it answers again: there is one car less.
    await isFollowed(origin, MANY);
    expect((await send(origin, 'GET', '/api/cars/none/oils')).status).toBe(404);
    await query(replica.url(), 'SELECT pg_wal_replay_resume()');
    await isFollowed(origin, MANY + 1);
  });
});
