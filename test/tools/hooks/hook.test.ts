/** `npm run hook` beside services that run. */

import { expect, test } from 'vitest';
import { runHere } from '../../support/commands/given.ts';
import { onServer, sharedDatabase } from '../../support/database/database.ts';
import { sqliteUrl } from '../../support/database/files.ts';
import { receiver } from '../../support/process/receiver.ts';
import { serve } from '../../support/process/service.ts';

const MAIN = 'src/tools/hooks/main.ts';
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=\n$/;

test('changes arrive while services run, by one of them, also where it stops', async () => {
  const DATABASE_URL = await sharedDatabase();
  const env = { DATABASE_URL, HOOK_ADDRESSES: 'any' };
  const run = (...args: readonly string[]) => runHere(MAIN, args, env);
  const { url, bodies, answer, items } = await receiver();
  const [first, second] = await Promise.all([serve({ env }), serve({ env })]);

  const [made, , secret] = await run('add', url, '--language', 'es', '--marca', 'Seat');
  expect([made, secret]).toEqual([0, expect.stringMatching(SECRET)]);
  const [, listed] = await run('list');
  expect(listed).toMatch(/^id +URL +list +state\n\w{10} {2}http:\S+\/in {2}\/api\/coches\?marca=Seat {2}delivered\n$/);
  expect(listed).not.toContain(secret.slice(6, 20));
  const id = listed.split('\n')[1]?.slice(0, 10) ?? '';

  await first.send('POST', '/api/cars', { identifier: 'a', brand: 'Seat', model: 'Ibiza' });
  await second.send('POST', '/api/coches', { identificador: 'b', marca: 'Kia', modelo: 'Rio' });
  await expect.poll(items).toEqual([
    { identificador: 'a', marca: 'Seat', modelo: 'Ibiza' },
    { identificador: 'b', eliminado: true },
  ]);

  answer.status = 500;
  await second.send('PUT', '/api/cars/a', { year: 2008 });
  await expect.poll(async () => (await run('list'))[1]).toMatch(/1 × failed since \S+: HTTP 500/);
  expect(await run('test', id)).toEqual([1, `${id}: the address has not accepted the test (HTTP 500).\n`, '']);
  answer.status = 204;
  const before = bodies.length;
  expect(await run('test', id)).toEqual([0, `${id}: the address has accepted the test.\n`, '']);
  expect(bodies[before]).toMatchObject({ type: 'test', data: [] });
  expect(await first.end('SIGTERM')).toBe(0);
  await second.send('DELETE', '/api/coches/a');
  await expect.poll(async () => (await run('resume', id))[1]).toBe(`${id} is tried again.\n`);
  await expect.poll(() => items().at(-1)).toEqual({ identificador: 'a', eliminado: true });
  expect(items().slice(2)).toContainEqual({ identificador: 'a', marca: 'Seat', modelo: 'Ibiza', anio: 2008 });

  expect(await run('remove', id)).toEqual([0, `${id} is removed.\n`, '']);
  expect(await run('remove', id)).toEqual([1, `No hook has the id “${id}”.\n`, '']);
  expect(await second.end('SIGTERM')).toBe(0);
});

const ADD = ['add', 'https://shop.example/'];
test.skipIf(onServer).each([
  [['--list', 'cars'], '/api/cars'],
  [['--list', '/api/cars/'], '/api/cars'],
  [['--list', 'coches'], '/api/coches'],
  [['--list', '/api/coches'], '/api/coches'],
  [['--list', '/api/coches', '--marca', 'Seat'], '/api/coches?marca=Seat'],
  [['--list', '/api/coches', '--language', 'en', '--brand', 'Seat'], '/api/cars?brand=Seat'],
  [['--list', 'https://cars.example/shop/api/coches/'], '/api/coches'],
] as const)('%j is the list %s', async (args, list) => {
  const [code, printed] = await runHere(MAIN, [...ADD, ...args], { DATABASE_URL: sqliteUrl() });
  expect([code, printed]).toEqual([0, expect.stringContaining(`: ${list} – `)]);
});

test.skipIf(onServer).each([
  [[], 'The command must be one of: add, list, remove, test, resume, export, import.'],
  [['add'], '“add” needs one URL such as https://shop.example/changes'],
  [['add', 'https://shop.example/', 'x'], '“add” needs one URL'],
  [['add', 'http://shop.example/'], '“add” needs one URL'],
  [['add', 'https://me:secret@shop.example/'], '“add” needs one URL'],
  [['add', 'https://192.168.0.1/'], '“add” needs one URL'],
  [['add', 'https://shop.example/', '--language', 'es', '--brand', 'Seat'], '«brand»'],
  [['add', 'https://shop.example/', '--sort_by', 'year'], '“changed_since” and “sort_by”'],
  [['add', 'https://shop.example/', '--changed_since', 'x.y'], '“changed_since”'],
  [[...ADD, '--list', 'bikes'], 'bikes'],
  [[...ADD, '--list', '/api/coche'], 'There is nothing at “/api/coche”.'],
  [[...ADD, '--list', '/api/car'], 'There is nothing at “/api/car”; did you mean “cars”?'],
  [[...ADD, '--list', '/api/cars?brand=Seat'], 'There is nothing at “/api/cars?brand=Seat”.'],
  [[...ADD, '--list', 'cars/%zz/oils'], 'There is nothing at “cars/%zz/oils”.'],
  [['list', '--brand', 'Seat'], '“--brand” is not an option of this command.'],
  [['remove'], '“remove” needs one ID.'],
  [['test', '--language', 'es'], '“--language” is not an option of this command.\n“test” needs one ID.'],
] as const)('%j is refused', async (args, said) => {
  const [code, printed] = await runHere(MAIN, args, { DATABASE_URL: sqliteUrl() });
  expect([code, printed]).toEqual([2, expect.stringContaining(said)]);
});
