/** What the log of a running service tells of changes and refusals, and of whom. */
import { expect, test } from 'vitest';
import { serveHere } from '../../support/process/service-here.ts';

const open = async (env: Readonly<Record<string, string>> = {}, format: 'json' | 'pretty' = 'json') => {
  const service = await serveHere({ TRUSTED_PROXIES: '127.0.0.1', ...env }, { format, clients: ['The shop'] });
  const { lines, keys } = service;
  const send = async (method: string, path: string, body?: string, more: Readonly<Record<string, string>> = {}) => {
    const response = await service.send(method, path, body, { 'x-forwarded-for': '198.51.100.7', ...more });
    await response.text();
    return { status: response.status, id: response.headers.get('x-request-id') };
  };
  const members = (message: string) =>
    lines()
      .map((line) => JSON.parse(line))
      .filter((line) => line.message === message)
      .map(({ time, level, message, ...rest }) => rest);
  return { send, lines, members, key: keys[0]?.key ?? '', keyId: keys[0]?.stored.id };
};

const SEAT = '{"identificador":"a-1","marca":"Seat","modelo":"Ibiza"}';
const TRACE = '0af7651916cd43dd8448eb211c80319c';

test('each change is a line with who made it; what changes nothing is none', async () => {
  const { send, members, key, keyId } = await open({ ACCESS: 'write' });
  const as = { authorization: `Bearer ${key}`, traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
  const ids: (string | null)[] = [];
  const done = async (...[method, path, body, more]: Parameters<typeof send>) => {
    const { status, id } = await send(method, path, body, { ...as, ...more });
    ids.push(id);
    return status;
  };
  const undone = async (...[method, path, body, more]: Parameters<typeof send>) =>
    (await send(method, path, body, { ...as, ...more })).status;
  const once = { 'idempotency-key': '"one"' };
  expect(await done('POST', '/api/coches', SEAT, once)).toBe(201);
  expect(await undone('POST', '/api/coches', SEAT, once)).toBe(201);
  expect(await undone('POST', '/api/coches', SEAT)).toBe(409);
  expect(await undone('PUT', '/api/coches/a-1', '{}')).toBe(200);
  expect(await done('PUT', '/api/coches/a-1', '{"modelo":"León"}')).toBe(200);
  expect(await done('PATCH', '/api/cars/a-1', '{"doors":3}')).toBe(200);
  expect(await done('POST', '/api/cars/a-1/oils', '{"type":"5W-30"}')).toBe(201);
  expect(await done('DELETE', '/api/coches/a-1/aceites/5W-30')).toBe(204);
  expect(await undone('DELETE', '/api/coches/a-1/aceites/5W-30')).toBe(404);
  const csv = { 'content-type': 'text/csv' };
  const file = 'identificador;marca;modelo\r\na-1;Seat;León\r\na-2;Fiat;500\r\n';
  const merging = { ...csv, prefer: 'resolution=merge-duplicates' };
  expect(await undone('POST', '/api/coches', file, { ...merging, prefer: `${merging.prefer}, handling=check` })).toBe(
    200,
  );
  expect(await done('POST', '/api/coches', file, merging)).toBe(200);
  expect(await undone('POST', '/api/coches', file, merging)).toBe(200);
  const revision = expect.any(Number);
  const sender = { traceId: TRACE, clientId: keyId, client: 'The shop', address: '198.51.100.7' };
  expect(members('change')).toEqual(
    [
      { action: 'created', collection: 'cars', identifiers: ['a-1'], revision },
      { action: 'updated', collection: 'cars', identifiers: ['a-1'], revision },
      { action: 'updated', collection: 'cars', identifiers: ['a-1'], revision },
      { action: 'created', collection: 'oils', identifiers: ['a-1', '5W-30'], revision },
      { action: 'deleted', collection: 'oils', identifiers: ['a-1', '5W-30'], revision },
      { action: 'imported', collection: 'cars', identifiers: [], created: 1, updated: 0, deleted: 0 },
    ].map((change, at) => ({ ...change, ...sender, requestId: ids[at] })),
  );
  const revisions = members('change').flatMap(({ revision: each }) => each ?? []);
  expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
});

test.each([
  ['on', ['198.51.100.7', '2001:db8:1:2::3']],
  ['masked', ['198.51.100.0', '2001:db8:1::']],
  ['off', [undefined, undefined]],
])('LOG_ADDRESSES=%s: the log has the addresses as %j', async (mode, logged) => {
  const { send, members } = await open({ LOG_ADDRESSES: mode, LOG_LEVEL: 'debug' });
  for (const address of ['198.51.100.7', '2001:db8:1:2::3'])
    await send('POST', '/api/coches', '{"marca":"Seat","modelo":"Ibiza"}', { 'x-forwarded-for': address });
  for (const message of ['change', 'request']) expect(members(message).map((line) => line.address)).toEqual(logged);
});

test('a person reads a change on one line; LOG_CHANGES=off, or a level that is too high, leaves it out', async () => {
  const told = await open({}, 'pretty');
  const { id } = await told.send('POST', '/api/coches', SEAT);
  expect(told.lines()).toEqual([
    expect.stringMatching(
      new RegExp(
        `^\\S+Z info {2}change action=created identifiers=a-1 revision=\\d+ collection=cars requestId=${id} address=198\\.51\\.100\\.7$`,
      ),
    ),
  ]);
  for (const env of [{ LOG_CHANGES: 'off' }, { LOG_LEVEL: 'warn' }]) {
    const silent = await open(env, 'pretty');
    expect((await silent.send('POST', '/api/coches', SEAT)).status).toBe(201);
    expect(silent.lines()).toEqual([]);
  }
});

test('whoever is refused is warned of once a minute', async () => {
  const { send, lines, key } = await open({ ACCESS: 'write', RATE_LIMIT: '8' }, 'pretty');
  const statuses: number[] = [];
  const wrong = { authorization: `Bearer ${key.slice(0, -1)}_` };
  for (let time = 0; time < 4; time++) {
    statuses.push((await send('POST', '/api/coches', SEAT)).status);
    statuses.push((await send('POST', '/api/coches', SEAT, { ...wrong, 'x-forwarded-for': '198.51.100.8' })).status);
  }
  expect(statuses).toEqual(Array(8).fill(401));
  for (let time = 0; time < 9; time++) await send('GET', '/api/coches', undefined, { 'x-forwarded-for': '::1' });
  expect(lines().map((line) => line.replace(/^\S+Z /, ''))).toEqual([
    'warn  requests of 198.51.100.8 are refused: their key or token is not valid',
    'warn  requests of ::1 are refused: they are beyond RATE_LIMIT',
  ]);
});
