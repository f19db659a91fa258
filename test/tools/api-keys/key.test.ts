/** `npm run key` beside services that run. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { catalogue } from '../../../src/catalogue.ts';
import { createLog } from '../../../src/host/log/log.ts';
import { startService } from '../../../src/host/service/service.ts';
import { readConfig } from '../../../src/host/settings/config.ts';
import { runHere } from '../../support/commands/given.ts';
import { sqliteUrl } from '../../support/database/files.ts';
import { collectInto } from '../../support/process/collect-into.ts';
import { temporaryFolder } from '../../support/process/folder.ts';
import { launch, project, sendTo, serve } from '../../support/process/service.ts';

const KEY = /^cardealer_[0-9A-Za-z]{10}_[0-9A-Za-z]{32}$/;
const MAIN = 'src/tools/api-keys/main.ts';

const run = async (url: string, ...args: readonly string[]) => {
  const [code, all, printed] = await runHere(MAIN, args, { DATABASE_URL: url });
  return { code, all, printed };
};

/** The first key by a process of its own, whose standard output is the key and nothing else. */
const createKey = async (url: string, ...args: readonly string[]): Promise<string> => {
  const { child, exit } = launch({
    env: { DATABASE_URL: url },
    args: [join(project, MAIN), 'create', ...args],
  });
  let printed = '';
  child.stdout?.on('data', (text: string) => {
    printed += text;
  });
  expect(await exit).toBe(0);
  expect(printed).toMatch(/^cardealer_\w+\n$/);
  return printed.trim();
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
  const lines: string[] = [];
  const log = createLog({ level: 'debug', format: 'pretty', write: collectInto(lines) });
  const [other, own] = await Promise.all([
    serve({ env }),
    startService(catalogue, readConfig({ ...env, PORT: '0' }), log),
  ]);
  onTestFinished(own.stop);
  const origins = [other.origin, own.origin];

  expect(await Promise.all(origins.map((origin) => post(origin, 'x')))).toEqual([401, 401]);
  const key = await createKey(database, '--name', 'The shop', '--scopes', 'read,write', '--expires', '2099-12-31');
  expect(key).toMatch(KEY);
  await until(origins, key, 201);
  const { code: created, printed: made } = await run(database, 'create', '--name', 'Señora Núñez');
  expect([created, made]).toEqual([0, expect.stringMatching(/^cardealer_\w+\n$/)]);
  const reading = made.trim();
  await until(origins, reading, 403);

  const id = key.slice(10, 20);
  const { code, printed } = await run(database, 'list');
  expect(code).toBe(0);
  const [heading, first = '', second = ''] = printed.split('\n');
  expect(heading).toMatch(/^id +scopes +created +expires +name$/);
  expect(first).toMatch(new RegExp(`^${id}  read,write  20\\S+Z  2100-01-01T00:00:00Z  The shop$`));
  expect(second).toMatch(/ {2}read +20\S+Z +- +Señora Núñez$/);
  expect(printed).not.toContain(key.slice(21));

  expect(await run(database, 'revoke', id)).toMatchObject({ code: 0, printed: `${id} is revoked.\n` });
  await until(origins, key, 401);
  expect(await run(database, 'revoke', id)).toMatchObject({ code: 1, all: `No key has the id “${id}”.\n` });
  expect(await run(database, 'revoke', reading)).toMatchObject({ code: 0 });
  await until(origins, reading, 401);

  log.close();
  for (const logged of [other.output(), lines.join('')]) {
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
