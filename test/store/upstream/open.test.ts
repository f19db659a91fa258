/** The service before an API: its settings, what it says at start, and what it keeps of clients. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/host/service/open-store.ts';
import { readConfig } from '../../../src/host/settings/config.ts';
import type { MappingFile } from '../../../src/store/upstream/mapping/mapping.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { listening, peers } from '../../support/peers/peers.ts';
import { temporaryFolder } from '../../support/process/folder.ts';

const opened = async (url: string, mapping: MappingFile) => {
  const folder = temporaryFolder();
  const mappingFile = join(folder, 'upstream.json');
  await writeFile(mappingFile, JSON.stringify({ clients: join(folder, 'clients.db'), ...mapping }));
  const lines: string[] = [];
  const store = await openStore(`upstream+${url}`, catalogue, { mappingFile, report: (line) => void lines.push(line) });
  return { store, lines };
};

test('a start names what differs between the catalogue and what is there', async () => {
  const { listener, mapping } = await peers['json-server 0.17']({
    cars: [
      { id: 'a', brand: 'Seat', model: 'Ibiza', year: '2008', price: 9_000, doors: 5, enginePower: 105, version: '' },
      { id: 'b', brand: 'Seat', year: '2009', clima: true, ac: false },
    ],
    oils: [{ id: 1, carId: 'a', type: 'x', otherInfo: 'y' }],
  });
  const { store, lines } = await opened(await listening(listener), mapping);
  expect(lines).toEqual([
    'upstream: cars: model: is required, and some items have no "model"',
    'upstream: cars: year: upstream: "year" is "2008", which is no value of this field; it may need a "type"',
    'upstream: cars: fuel: none of the first items has "fuel"',
    'upstream: cars: "price" is there, and is no field of the catalogue',
  ]);
  await store.close();
});

test('an API that does not respond is reported, and is not ready; keys and quotas are kept here', async () => {
  const { store, lines } = await opened('http://127.0.0.1:1', { preset: 'this' });
  expect(lines.join('\n')).toMatch(/^upstream: cars: .*ECONNREFUSED/);
  expect(await store.ready()).toBe(false);
  const key = { id: 'one', name: 'web', hash: 'ab', scopes: ['read'], created: 1, expires: undefined };
  await store.apiKeys.add(key);
  expect(await store.apiKeys.all()).toEqual([key]);
  expect(await store.takeQuota({ client: 'c', window: 1, quota: 5, count: 2 })).toEqual({ granted: 2, left: 3 });
  expect((await store.size()).bytes).toBeGreaterThan(0);
  await store.close();
});

test('a list below each item is looked at in the first one', async () => {
  const { listener, mapping } = await peers['this service, in Spanish']({
    cars: [{ id: 'a', brand: 'Seat', model: 'Ibiza' }],
    oils: [{ carId: 'a', type: 'x' }],
  });
  const { store, lines } = await opened(await listening(listener), mapping);
  expect(lines.at(-1)).toBe('upstream: oils: otherInfo: none of the first items has "otros_datos"');
  expect(await store.ready()).toBe(true);
  await store.close();
});

test.each([
  ['upstream+https://api.example/v1', true],
  ['upstream+http://127.0.0.1:3001', true],
  ['upstream+ftp://api.example', false],
  ['upstream+http://api.example?x=1', false],
  ['upstream+', false],
])('DATABASE_URL=%s is taken: %s', (url, isTaken) => {
  const read = () => readConfig({ DATABASE_URL: url });
  if (isTaken) expect(read().DATABASE_URL).toBe(url);
  else expect(read).toThrow('DATABASE_URL: must be');
});

test('a mapping that is missing, or has a fault, stops the start and is named', async () => {
  const open = (mappingFile: string) => openStore('upstream+http://127.0.0.1:1', catalogue, { mappingFile });
  await expect(open('/nowhere/upstream.json')).rejects.toThrow(/^\/nowhere\/upstream\.json: ENOENT/);
  const file = join(temporaryFolder(), 'upstream.json');
  await writeFile(file, '{"preset": "rest"}');
  await expect(open(file)).rejects.toThrow(/^preset: /);
});

test('requests carry the secret of the settings, and another one once it has changed', async () => {
  const seen: (string | undefined)[] = [];
  const url = await listening((incoming, outgoing) => {
    seen.push(incoming.headers.authorization);
    outgoing.writeHead(200, { 'content-type': 'application/json', 'x-total-count': '0' }).end('[]');
  });
  const mappingFile = join(temporaryFolder(), 'upstream.json');
  await writeFile(mappingFile, JSON.stringify({ preset: 'this', clients: ':memory:' }));
  const store = await openStore(`upstream+${url}`, catalogue, { mappingFile, authorization: 'Bearer one' });
  store.changeAuthorization?.('Bearer two');
  expect(await store.ready()).toBe(true);
  expect([seen[0], seen.at(-1)]).toEqual(['Bearer one', 'Bearer two']);
  await store.close();
});
