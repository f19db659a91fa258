/** Processes that are killed, of an API and of the gateway before it. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { openSqlite } from '../../../src/store/sqlite/store.ts';
import type { MappingFile } from '../../../src/store/upstream/mapping/mapping.ts';
import { forgetOrigin } from '../../support/app/watch-fetch.ts';
import { gatewayBefore } from '../../support/peers/peers.ts';
import { temporaryFolder } from '../../support/process/folder.ts';
import { launch, project, serve } from '../../support/process/service.ts';

const MAPPING: MappingFile = {
  preset: 'json-server',
  collections: { cars: { fields: { identifier: 'id' } }, oils: { path: '/oils', parent: 'carId', id: 'id' } },
};

const silent = async () => {
  const peer = launch({ args: [join(project, 'test/support/peers/silent.ts')] });
  const [, port = ''] = await peer.wrote(/listening at (\d+)/);
  const kill = () => {
    peer.child.kill('SIGKILL');
    return peer.exit;
  };
  return { ...peer, port: Number(port), url: `http://127.0.0.1:${port}`, kill };
};

/** The gateway in a process of its own. Its documents are not those of the tests' service. */
const serveBefore = async (env: Readonly<Record<string, string>>) => {
  const gateway = await serve({ env });
  forgetOrigin(gateway.origin);
  return gateway;
};

const headers = { 'content-type': 'application/json' };

test.each([
  ['PUT', '/api/coches/car-0', '{"anio": 1999}', 'PATCH /cars/car-0 {"year":1999}'],
  ['PATCH', '/api/cars/car-0', '{"year": 1999}', 'PATCH /cars/car-0 {"year":1999}'],
  ['DELETE', '/api/coches/car-0', undefined, 'DELETE /cars/car-0 '],
  ['POST', '/api/cars/car-0/oils', '{"type": "x"}', 'POST /oils {"type":"x","carId":"car-0"}'],
])(
  '%s %s: an API that is killed before it answers leaves it unknown, and gets it once',
  async (method, path, body, sent) => {
    const peer = await silent();
    const { app } = gatewayBefore(peer.url, MAPPING);
    const answering = app.request(path, { method, headers, ...(body === undefined ? {} : { body }) });
    await peer.wrote(/received/);
    expect(await peer.kill()).toBe('SIGKILL');
    const response = await answering;
    expect([response.status, JSON.parse(await response.text()).code]).toEqual([504, 'outcome-unknown']);
    expect(response.headers.get('retry-after')).toBeNull();
    expect(peer.output().match(/received .*/g)).toEqual([`received ${sent}`]);

    // Whatever takes its place at the same address is read, and gets no write.
    const asked: (string | undefined)[] = [];
    const next = createServer((incoming, outgoing) => {
      asked.push(incoming.method);
      outgoing.writeHead(200, headers).end('{"id": "car-0", "brand": "Seat", "model": "Ibiza"}');
    }).listen(peer.port, '127.0.0.1');
    onTestFinished(() => {
      next.closeAllConnections();
      next.close();
    });
    await once(next, 'listening');
    expect((await app.request('/api/coches/car-0')).status).toBe(200);
    expect(asked).toEqual(['GET']);
  },
);

test('an API that is killed in the middle of a long list breaks it off', async () => {
  const peer = await silent();
  const folder = temporaryFolder();
  const mapping = join(folder, 'upstream.json');
  await writeFile(mapping, JSON.stringify({ ...MAPPING, clients: join(folder, 'clients.db') }));
  const gateway = await serveBefore({ DATABASE_URL: `upstream+${peer.url}`, UPSTREAM_MAPPING: mapping });
  const response = await fetch(`${gateway.origin}/api/coches`);
  expect([response.status, response.headers.get('x-total-count')]).toEqual([200, '2000']);
  const reading = response.text();
  await Promise.all([expect(reading).rejects.toThrow(), peer.wrote(/half of the page from 500/).then(peer.kill)]);
  await gateway.wrote(/upstream|ECONN|closed/);
});

test('a gateway that is killed in the middle of writes keeps keys and quotas', async () => {
  const peer = await silent();
  const folder = temporaryFolder();
  const mapping = join(folder, 'upstream.json');
  const clients = join(folder, 'clients.db');
  await writeFile(mapping, JSON.stringify({ ...MAPPING, clients }));
  const env = {
    DATABASE_URL: `upstream+${peer.url}`,
    UPSTREAM_MAPPING: mapping,
    ACCESS: 'write',
    RATE_LIMIT: '1000',
  };
  const made = launch({
    args: [join(project, 'src/tools/api-keys/main.ts'), 'create', '--name', 'web', '--scopes', 'read,write'],
    env,
  });
  expect(await made.exit).toBe(0);
  const [, key = ''] = /^(\S{20,})$/m.exec(made.output()) ?? [];
  // The second finds what the first has left.
  for (let round = 1; round <= 2; round++) {
    const gateway = await serveBefore(env);
    expect((await fetch(`${gateway.origin}/api/coches/car-0`, { method: 'DELETE' })).status).toBe(401);
    const sent = { method: 'PATCH', headers: { ...headers, authorization: `Bearer ${key}` }, body: '{"year": 1999}' };
    const writes = Array.from({ length: 8 }, () =>
      fetch(`${gateway.origin}/api/cars/car-0`, sent).catch(() => 'broken'),
    );
    await peer.wrote(new RegExp(`(?:received .*\n){${8 * round}}`));
    expect(await gateway.end('SIGKILL')).toBe('SIGKILL');
    expect(await Promise.all(writes)).toEqual(Array(8).fill('broken'));
  }
  const database = new DatabaseSync(clients);
  expect(Object.values(database.prepare('PRAGMA integrity_check').get() ?? {})).toEqual(['ok']);
  database.close();
  const store = await openSqlite(clients, []);
  expect((await store.apiKeys.all()).map(({ name }) => name)).toEqual(['web']);
  await store.close();
});
