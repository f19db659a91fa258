/** `npm run key` beside services that run. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { preparedDatabase } from '../support/database/database.ts';
import { temporaryFolder } from '../support/process/folder.ts';
import { commandLine, launch, project, serve } from '../support/process/service.ts';

const KEY = /^cardealer_[0-9A-Za-z]{10}_[0-9A-Za-z]{32}$/;
const MAIN = join(project, 'src/keys/main.ts');

/** Runs a command to its end. */
const run = async (url: string, ...args: readonly string[]) => {
  const { child, output, exit } = launch({
    env: { DATABASE_URL: url },
    args: [...commandLine().slice(0, -1), MAIN, ...args],
  });
  let printed = '';
  child.stdout?.on('data', (text: string) => {
    printed += text;
  });
  return { code: await exit, printed, all: output() };
};

const createKey = async (url: string, ...args: readonly string[]): Promise<string> => {
  const { code, printed } = await run(url, 'create', ...args);
  expect(code).toBe(0);
  expect(printed).toMatch(/^cardealer_\w+\n$/);
  return printed.trim();
};

/** A URL for each test. */
const url = async (): Promise<string> =>
  process.env.TEST_STORE === 'postgres' ? preparedDatabase() : `sqlite:${join(temporaryFolder(), 'catalogue.db')}`;

const post = async (origin: string, key: string): Promise<number> => {
  const headers = { 'content-type': 'application/json', 'x-api-key': key };
  const body = '{"marca":"Seat","modelo":"Ibiza"}';
  return (await fetch(`${origin}/api/coches`, { method: 'POST', headers, body })).status;
};

/** Resolves once every service answers so. */
const until = async (origins: readonly string[], key: string, status: number): Promise<void> => {
  for (const origin of origins) while ((await post(origin, key)) !== status);
};

test('a key is made, listed and revoked, and every service that runs follows', async () => {
  const database = await url();
  const env = { DATABASE_URL: database, ACCESS: 'write', LOG_LEVEL: 'debug' };
  const services = await Promise.all([serve({ env }), serve({ env })]);
  const origins = services.map(({ origin }) => origin);

  expect(await Promise.all(origins.map((origin) => post(origin, 'x')))).toEqual([401, 401]);
  const key = await createKey(database, '--name', 'The shop', '--scopes', 'read,write', '--expires', '2099-12-31');
  expect(key).toMatch(KEY);
  await until(origins, key, 201);
  const reading = await createKey(database, '--name', 'Señora Núñez');
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

  for (const { output } of services) expect(output()).not.toContain('cardealer_');
});

describe('refuses', () => {
  test('a database that would not last', async () => {
    const { code, all } = await run('sqlite::memory:', 'list');
    expect([code, all]).toEqual([2, 'DATABASE_URL names a database in memory, which no other process can reach.\n']);
  });

  test('what it does not know, without a word of it', async () => {
    const { code, all } = await run('sqlite::memory:', 'cardealer_secret');
    expect([code, all]).toEqual([
      2,
      'The command must be one of: create, list, revoke.\n“npm run key -- --help” explains the command.\n',
    ]);
  });
});

test('a service that others can reach says at its start that they may write', async () => {
  const warned =
    /warn {2}HOST=0\.0\.0\.0 ACCESS=open: whoever reaches the service may write; ACCESS=write asks for a key/;
  const open = launch({ env: { HOST: '0.0.0.0' } });
  await open.wrote(/serving/);
  expect(open.output()).toMatch(warned);
  const others = [{ HOST: '0.0.0.0', ACCESS: 'write' }, { HOST: '127.0.0.1' }, { HOST: 'localhost' }];
  for (const env of others) {
    const { wrote, output } = launch({ env });
    await wrote(/serving/);
    expect([env, output()]).toEqual([env, expect.not.stringContaining('may write')]);
  }
});
