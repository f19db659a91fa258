/** Reads on a real replica that lags: apart from the others, because a busy machine may put off the pause. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noServer } from '../../support/database/own-postgres.ts';
import { query } from '../../support/database/postgres.ts';
import {
  car,
  createReplicatedCars,
  listed,
  PATIENT,
  REPLICATED_CARS,
  type Replicated,
  send,
  startReplicated,
} from '../../support/process/replicated.ts';

describe.skipIf(noServer)(`a service that reads on a replica${noServer ? `: ${noServer}` : ''}`, () => {
  let servers: Replicated;
  beforeAll(async () => {
    servers = await startReplicated();
  });
  afterAll(() => servers?.remove());

  test('that lags behind finds nothing missing that is there', async () => {
    const { replica, serve, isFollowed } = servers;
    const { origin } = await serve();
    await createReplicatedCars(servers.primary.url());
    await isFollowed(REPLICATED_CARS);
    await query(replica.url(), 'SELECT pg_wal_replay_pause()');
    const paused = "SELECT 1 WHERE pg_get_wal_replay_pause_state() = 'paused'";
    await expect.poll(() => query(replica.url(), paused), PATIENT).toHaveLength(1);
    expect((await send(origin, 'POST', '/api/cars', car('a'))).status).toBe(201);
    expect((await send(origin, 'POST', '/api/coches/a/aceites', { tipo: '5W-30' })).status).toBe(201);
    for (const path of ['/api/cars/a', '/api/cars/a/oils/5W-30', '/api/cars/a/oils']) {
      expect([path, (await send(origin, 'GET', path)).status]).toEqual([path, 200]);
    }
    // It is the replica that is asked, at the latest when it answers again: there is one car less.
    await expect.poll(() => listed(origin), PATIENT).toBe(REPLICATED_CARS);
    expect((await send(origin, 'GET', '/api/cars/none/oils')).status).toBe(404);
    await query(replica.url(), 'SELECT pg_wal_replay_resume()');
    await expect.poll(() => listed(origin), PATIENT).toBe(REPLICATED_CARS + 1);
  });
});
