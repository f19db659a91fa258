/** Reads on a real replica that is frozen, is gone, and takes its primary's place. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freeze, noServer } from '../../../support/database/own-postgres.ts';
import { query } from '../../../support/database/postgres.ts';
import { type PostgresServer, startPostgres } from '../../../support/database/postgres-server.ts';
import { type Serving, serve } from '../../../support/process/service.ts';

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

/** One test after the other: each leaves the servers as the next one finds them. */
describe.skipIf(noServer)(`a service that reads on a replica${noServer ? `: ${noServer}` : ''}`, () => {
  let primary: PostgresServer;
  let replica: PostgresServer;
  beforeAll(async () => {
    const settings = { unix_socket_directories: '/tmp', autovacuum: 'off' };
    primary = await startPostgres({ settings });
    await primary.stop();
    replica = await startPostgres({ primary, settings });
    await primary.start();
  });
  afterAll(() => Promise.all([replica?.remove(), primary?.remove()]));

  const start = (url = primary.url()): Promise<Serving> =>
    serve({
      env: { DATABASE_URL: url, DATABASE_READ_URL: replica.url(), DATABASE_TIMEOUT, DATABASE_POOL: '4' },
    });
  const total = async (origin: string): Promise<number> => {
    const list = await send(origin, 'GET', '/api/cars');
    expect(list.status).toBe(200);
    return ((await list.json()) as readonly object[]).length;
  };
  /** Asked itself: a service would ask the primary for what the replica does not have yet. */
  const isFollowed = async (count: number): Promise<void> => {
    const rows = () => query(replica.url(), 'SELECT count(*)::int AS n FROM "cars"').catch(String);
    await expect.poll(rows, PATIENT).toEqual([{ n: count }]);
  };

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
    expect(await total(origin)).toBe(count);
  };

  test('has what was written on the primary', async () => {
    const { origin } = await start();
    await Promise.all(Array.from({ length: MANY }, (_, at) => send(origin, 'POST', '/api/cars', car(`car-${at}`))));
    expect((await send(origin, 'POST', '/api/cars', car('a'))).status).toBe(201);
    expect((await send(origin, 'POST', '/api/coches/a/aceites', { tipo: '5W-30' })).status).toBe(201);
    await isFollowed(MANY + 1);
  });

  const strikes: readonly (readonly [how: string, strike: () => Promise<() => Promise<void>>])[] = [
    ['is frozen', () => freeze(replica)],
    [
      'is shut down',
      async () => {
        await replica.stop();
        return replica.start;
      },
    ],
    [
      'is killed',
      async () => {
        await replica.stop('SIGKILL');
        return replica.start;
      },
    ],
  ];
  test.each(strikes)('that %s asks the primary, until the replica answers again', async (_, strike) => {
    const { origin, wrote, output } = await start();
    await expectAll(origin, MANY + 1);
    const mend = await strike();
    await expectAll(origin, MANY + 1);
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    await mend();
    await wrote(/ the replica answers again\n/);
    await expectAll(origin, MANY + 1);
    expect(output().match(/ warn .*\n/g)).toHaveLength(2);
  });

  test('by the name of several servers writes on the one that may be written to, by a socket too', async () => {
    const { port } = primary;
    const { origin } = await start(`postgres://postgres@127.0.0.1:${replica.port},127.0.0.1:${port}/postgres`);
    const bySocket = await start(`postgres://postgres@/postgres?host=/tmp&port=${port}`);
    expect((await send(origin, 'PUT', '/api/cars/a', { doors: 3 })).status).toBe(200);
    expect((await send(bySocket.origin, 'PUT', '/api/coches/a', { puertas: 5 })).status).toBe(200);
    expect((await send(origin, 'GET', '/api/cars/a')).status).toBe(200);
  });

  test('that takes its primary’s place goes on with it alone', async () => {
    const hosts = `127.0.0.1:${primary.port},127.0.0.1:${replica.port}`;
    const { origin } = await start(`postgres://postgres@${hosts}/postgres`);
    expect((await send(origin, 'POST', '/api/cars', car('before'))).status).toBe(201);
    await isFollowed(MANY + 2);
    await primary.stop('SIGKILL');
    await expectAll(origin, MANY + 2);
    expect((await send(origin, 'POST', '/api/cars', car('lost'))).status).toBe(503);
    await query(replica.url(), 'SELECT pg_promote()');
    const write = async () => (await send(origin, 'POST', '/api/cars', car('after'))).status;
    await expect.poll(write, PATIENT).toBe(201);
    await expectAll(origin, MANY + 3);
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  });
});
