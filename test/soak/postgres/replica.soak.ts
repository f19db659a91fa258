/** Reads on a real replica that is frozen, is gone, and takes its primary's place. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freeze, noServer } from '../../support/database/own-postgres.ts';
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
import type { Serving } from '../../support/process/service.ts';

/** One test after the other: each leaves the servers as the next one finds them. */
describe.skipIf(noServer)(`a service that reads on a replica${noServer ? `: ${noServer}` : ''}`, () => {
  let servers: Replicated;
  /** What the first tests share: it goes on after each. */
  let shared: Serving;
  const cleanUps: (() => void)[] = [];
  beforeAll(async () => {
    servers = await startReplicated();
    shared = await servers.serve(undefined, (cleanUp) => void cleanUps.push(cleanUp));
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps.toReversed()) cleanUp();
    await servers?.remove();
  });

  /** Everything that may be read on a replica, more often at once than connections are set apart for lists of oils. */
  const expectAll = async (origin: string, count: number): Promise<void> => {
    const paths = [
      '/api/cars?page=2',
      '/api/coches/car-0',
      '/api/cars?brand=seat&number_of_elements=3',
      '/api/cars/a/oils',
    ];
    const refused = [...paths, ...paths, ...paths, ...paths].map(async (path) => {
      const answer = await send(origin, 'GET', path);
      return answer.status === 200 ? [] : [path, await answer.text()];
    });
    expect((await Promise.all(refused)).flat()).toEqual([]);
    expect(await listed(origin)).toBe(count);
  };

  test('has what was written on the primary', async () => {
    const { origin } = shared;
    await createReplicatedCars(servers.primary.url());
    expect((await send(origin, 'POST', '/api/cars', car('a'))).status).toBe(201);
    expect((await send(origin, 'POST', '/api/coches/a/aceites', { tipo: '5W-30' })).status).toBe(201);
    await servers.isFollowed(REPLICATED_CARS + 1);
  });

  const strikes: readonly (readonly [how: string, strike: () => Promise<() => Promise<void>>])[] = [
    ['is frozen', () => freeze(servers.replica)],
    [
      'is shut down',
      async () => {
        await servers.replica.stop();
        return servers.replica.start;
      },
    ],
    [
      'is killed',
      async () => {
        await servers.replica.stop('SIGKILL');
        return servers.replica.start;
      },
    ],
  ];
  test.each(strikes)('that %s asks the primary, until the replica answers again', async (_, strike) => {
    const { origin, wrote, output } = shared;
    const warnings = () => output().match(/ warn .*\n/g) ?? [];
    const before = warnings().length;
    await expectAll(origin, REPLICATED_CARS + 1);
    const mend = await strike();
    await expectAll(origin, REPLICATED_CARS + 1);
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    await mend();
    await wrote(new RegExp(`(?: the replica answers again\\n[^]*){${before / 2 + 1}}`));
    await expectAll(origin, REPLICATED_CARS + 1);
    expect(warnings()).toHaveLength(before + 2);
  });

  test('by the name of several servers writes on the one that may be written to, by a socket too', async () => {
    const { port } = servers.primary;
    const { origin } = await servers.serve(
      `postgres://postgres@127.0.0.1:${servers.replica.port},127.0.0.1:${port}/postgres`,
    );
    const bySocket = await servers.serve(`postgres://postgres@/postgres?host=/tmp&port=${port}`);
    expect((await send(origin, 'PUT', '/api/cars/a', { doors: 3 })).status).toBe(200);
    expect((await send(bySocket.origin, 'PUT', '/api/coches/a', { puertas: 5 })).status).toBe(200);
    expect((await send(origin, 'GET', '/api/cars/a')).status).toBe(200);
  });

  test('that takes its primary’s place goes on with it alone, and gives out no tag of a change that it lacks', async () => {
    const { primary, replica } = servers;
    const { origin, wrote } = await servers.serve(
      `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${replica.port}/postgres`,
    );
    expect((await send(origin, 'POST', '/api/cars', car('before'))).status).toBe(201);
    await servers.isFollowed(REPLICATED_CARS + 2);
    await replica.stop();
    expect((await send(origin, 'PUT', '/api/cars/a', { doors: 2 })).status).toBe(200);
    const lost = (await send(origin, 'GET', '/api/cars/a')).headers.get('etag') ?? '';
    await primary.stop('SIGKILL');
    await replica.start();
    await wrote(/ the replica answers again\n/);
    await expectAll(origin, REPLICATED_CARS + 2);
    expect((await send(origin, 'POST', '/api/cars', car('lost'))).status).toBe(503);
    await query(replica.url(), 'SELECT pg_promote()');
    // As many writes as were lost.
    const write = async () => (await send(origin, 'PUT', '/api/cars/a', { doors: 4 })).status;
    await expect.poll(write, PATIENT).toBe(200);
    const headers = { 'if-none-match': lost };
    const read = await fetch(`${origin}/api/cars/a`, { headers });
    expect([read.status, await read.text()]).toEqual([200, expect.stringContaining('"doors":4')]);
    expect((await send(origin, 'POST', '/api/cars', car('after'))).status).toBe(201);
    await expectAll(origin, REPLICATED_CARS + 3);
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  });
});
