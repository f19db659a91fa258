/** `npm run key` beside services that run. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runHere } from '../../support/commands/given.ts';
import { sqliteUrl } from '../../support/database/files.ts';
import { temporaryFolder } from '../../support/process/folder.ts';
import { sendTo } from '../../support/process/service.ts';
import { serveHere } from '../../support/process/service-here.ts';

const KEY = /^cardealer_[0-9A-Za-z]{10}_[0-9A-Za-z]{32}\n$/;
const MAIN = 'src/tools/api-keys/main.ts';

const run = async (url: string, ...args: readonly string[]) => {
  const [code, all, printed] = await runHere(MAIN, args, { DATABASE_URL: url });
  return { code, all, printed };
};

const post = async (origin: string, key: string): Promise<number> =>
  (await sendTo(origin)('POST', '/api/coches', { marca: 'Seat', modelo: 'Ibiza' }, { 'x-api-key': key })).status;

/** Resolves once every service answers so. */
const until = async (origins: readonly string[], key: string, status: number): Promise<void> => {
  for (const origin of origins) while ((await post(origin, key)) !== status);
};

test('a key is made, listed and revoked, and every service that runs follows', async () => {
  const database = sqliteUrl();
  const env = { DATABASE_URL: database, ACCESS: 'write', LOG_LEVEL: 'debug' };
  const [other, own] = await Promise.all([serveHere(env, { format: 'pretty' }), serveHere(env, { format: 'pretty' })]);
  const origins = [other.origin, own.origin];

  expect(await Promise.all(origins.map((origin) => post(origin, 'x')))).toEqual([401, 401]);
  const args = ['--name', 'The shop', '--scopes', 'read,write', '--expires', '2099-12-31'];
  const first = await run(database, 'create', ...args);
  expect([first.code, first.printed]).toEqual([0, expect.stringMatching(KEY)]);
  const key = first.printed.trim();
  await until(origins, key, 201);
  const { code: created, printed: made } = await run(database, 'create', '--name', 'Señora Núñez');
  expect([created, made]).toEqual([0, expect.stringMatching(KEY)]);
  const reading = made.trim();
  await until(origins, reading, 403);

  const id = key.slice(10, 20);
  const { code, printed } = await run(database, 'list');
  expect(code).toBe(0);
  const [heading, one = '', another = ''] = printed.split('\n');
  expect(heading).toMatch(/^id +scopes +created +expires +name$/);
  expect(one).toMatch(new RegExp(`^${id}  read,write  20\\S+Z  2100-01-01T00:00:00Z  The shop$`));
  expect(another).toMatch(/ {2}read +20\S+Z +- +Señora Núñez$/);
  expect(printed).not.toContain(key.slice(21));

  expect(await run(database, 'revoke', id)).toMatchObject({ code: 0, printed: `${id} is revoked.\n` });
  await until(origins, key, 401);
  expect(await run(database, 'revoke', id)).toMatchObject({ code: 1, all: `No key has the id “${id}”.\n` });
  expect(await run(database, 'revoke', reading)).toMatchObject({ code: 0 });
  await until(origins, reading, 401);

  for (const logged of [other, own].map(({ lines }) => lines().join('\n'))) {
    expect(logged).toMatch(/ method=POST status=403 path=\/api\/coches /);
    expect(logged).not.toContain('cardealer_');
  }
});

describe('refuses', () => {
  test('a database that would not last', async () => {
    const { code, all } = await run('sqlite::memory:', 'list');
    expect([code, all]).toEqual([2, 'DATABASE_URL names a database in memory, which no other process can reach.\n']);
  });

  test.each([['list'], ['revoke', '0123456789']])('to create a database for “%s”', async (...args) => {
    const missing = join(temporaryFolder(), 'catalogue.db');
    const { code, all } = await run(`sqlite:${missing}`, ...args);
    expect([code, all, existsSync(missing)]).toEqual([2, `${missing} does not exist, or is not a file.\n`, false]);
  });

  test('what it does not know, without a word of it', async () => {
    const { code, all } = await run('sqlite::memory:', 'cardealer_secret');
    expect([code, all]).toEqual([
      2,
      'The command must be one of: create, list, revoke, export, import.\n“npm run key -- --help” explains the command.\n',
    ]);
  });
});
