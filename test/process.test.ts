import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { catalogue } from '../src/catalogue.ts';
import { createLog } from '../src/host/log/log.ts';
import { explain } from '../src/host/service/process.ts';
import { startService } from '../src/host/service/service.ts';
import { readConfig } from '../src/host/settings/config.ts';
import { apart, folderOf, tableFrom } from './support/language/locale-folder.ts';
import { collectInto } from './support/process/collect-into.ts';
import { temporaryFolder } from './support/process/folder.ts';
import { freePort } from './support/process/free-port.ts';
import { commandLine, launch, project, sendTo, serve } from './support/process/service.ts';

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');

const TAGS = ['en', 'es'];
/** The service's own, which its process has. */
const ownTable = (tag: string) => tableFrom(join(project, 'locales'), tag);
/** Tables that leave nothing out, of which nothing is told at start. */
const wholeTables = (): string =>
  folderOf(apart(Object.fromEntries(TAGS.map((tag) => [`${tag}.json`, ownTable(tag)]))));
const STACK = /^\s+at /m;

const post = (origin: string) => sendTo(origin)('POST', '/api/cars', { brand: 'Seat', model: 'Ibiza' });

/** Creates a car whose key is made for it. */
const expectKey = async (origin: string, pattern: RegExp): Promise<void> => {
  const response = await post(origin);
  const { identifier } = (await response.json()) as { identifier: string };
  expect([response.status, identifier]).toEqual([201, expect.stringMatching(pattern)]);
  expect(response.headers.get('location')).toBe(`/api/cars/${identifier}`);
};

/** Starts a service without a process of its own. */
const begin = (env: Readonly<Record<string, string>>) => {
  const lines: string[] = [];
  const log = createLog({ level: 'info', format: 'pretty', write: collectInto(lines) });
  const all = { PORT: '0', DATABASE_URL: 'sqlite::memory:', LOCALES_DIR: wholeTables(), ...env };
  return { lines, service: startService(catalogue, readConfig(all), log) };
};

describe('a service that starts', () => {
  test('says what it is, and then so in one line, with the address of each tree', async () => {
    const env = { LOCALES_DIR: wholeTables(), BODYLIMIT: 'secret', CLIENT_SHARE: '70', LOG_LEVEL: 'info' };
    const service = await serve({ env: { ...env, DATABASE_URL: 'sqlite::memory:' } });
    const [first, warning, line = '', ...more] = linesOf(service.output());
    expect(first).toMatch(
      / info {2}car-dealer-catalogue \d+\.\d+\.\d+, Node\.js 2\d\.\d+\.\d+, database sqlite::memory:$/,
    );
    expect(warning).toMatch(/ warn {2}BODYLIMIT is not a setting; did you mean BODY_LIMIT\?$/);
    expect(more).toEqual([]);
    for (const tag of TAGS) {
      const address = `${service.origin}/api/${ownTable(tag).paths.cars}`;
      expect(line).toContain(`${address} (${tag})`);
      expect((await fetch(address)).status).toBe(200);
    }
    await expectKey(service.origin, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('tells a translator what is left out of a table', async () => {
    const { pages: _, ...spanish } = ownTable('es');
    const tables = { 'en.json': ownTable('en'), 'es.json': spanish };
    const { lines, service } = begin({ LOCALES_DIR: folderOf(apart(tables)) });
    onTestFinished((await service).stop);
    const [leftOut] = lines;
    expect(leftOut).toMatch(/ info {2}es: \d+ sentences of its own, \d+ in en\n$/);
  });

  test('in a project whose path holds a space and an accent makes data/catalogue.db where it stands, and says nothing but errors where it is told to', async () => {
    const root = join(temporaryFolder(), 'mi catálogo');
    mkdirSync(root);
    for (const part of ['src', 'packages', 'locales', 'package.json'])
      cpSync(join(project, part), join(root, part), { recursive: true });
    symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'));
    const cwd = temporaryFolder();
    const { child, exit, output } = await quiet(root, cwd);
    expect(existsSync(join(cwd, 'data', 'catalogue.db'))).toBe(true);
    child.kill('SIGTERM');
    expect([await exit, output()]).toEqual([0, '']);
  });

  test('beside others that start on the same new file serves like all of them', async () => {
    const url = `sqlite:${join(temporaryFolder(), 'cars.db')}`;
    const services = await Promise.all(Array.from({ length: 3 }, () => serve({ env: { DATABASE_URL: url } })));
    expect((await post(services[0]?.origin ?? '')).status).toBe(201);
    for (const { origin } of services) {
      const cars = await fetch(`${origin}/api/coches`);
      expect(cars.headers.get('x-total-count')).toBe('1');
    }
  });

  test('IDENTIFIERS=nanoid makes such keys, in folders that it makes for its database', async () => {
    const path = join(temporaryFolder(), 'a', 'b c', 'cars.db');
    const { origin, stop } = await begin({ IDENTIFIERS: 'nanoid', DATABASE_URL: `sqlite:${path}` }).service;
    onTestFinished(stop);
    expect(existsSync(path)).toBe(true);
    for (const probe of ['/livez', '/readyz']) expect((await fetch(origin + probe)).status).toBe(200);
    await expectKey(origin, /^[\w-]{8,21}$/);
  });
});

/** A service that says nothing, known to serve because its database is there. */
const quiet = async (root: string, cwd: string) => {
  const port = await freePort();
  const launched = launch({
    cwd,
    args: commandLine(root),
    // What is compiled of a copy is of no use to the next one.
    env: { DATABASE_URL: '', LOG_LEVEL: 'error', PORT: String(port), NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  const isServing = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/livez`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isServing, { timeout: 60_000, interval: 20 }).toBe(true);
  return launched;
};

/** Starts what cannot start, as a process. @returns what it says besides what it is */
const failure = async (env: Readonly<Record<string, string>>): Promise<readonly string[]> => {
  const { exit, output } = launch({ env: { LOCALES_DIR: wholeTables(), ...env } });
  expect(await exit).toBe(1);
  expect(output()).not.toMatch(STACK);
  return linesOf(output()).filter((line) => !/ info {2}car-dealer-catalogue /.test(line));
};

/** The same without a process, for what differs in its reason only. */
const reasons: typeof failure = async (env) => {
  const { lines, service } = begin(env);
  const failed = await service.then(
    () => expect.fail('it has started'),
    (error: unknown) => explain(error),
  );
  expect(failed.join('\n')).not.toMatch(STACK);
  return [...lines, ...failed];
};

describe('a service that cannot start says why, without a stack trace, and exits with 1', () => {
  test('all bad settings at once', async () => {
    const lines = await failure({ PORT: 'x', LOG_LEVEL: 'x' });
    expect(lines.toSorted()).toEqual([expect.stringMatching(/^LOG_LEVEL\b/), expect.stringMatching(/^PORT\b/)]);
  });

  test('a port that is busy', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    expect(await failure({ PORT: String(port) })).toEqual([expect.stringContaining(String(port))]);
  });

  test('an address that is not of this machine', async () => {
    expect(await reasons({ HOST: '192.0.2.1', ACCESS: 'write' })).toEqual([expect.stringContaining('192.0.2.1')]);
  });

  const noFiles: readonly (readonly [what: string, make: (path: string) => void, start: typeof failure])[] = [
    // To open one of these two may never end.
    ['a named pipe', (path) => void execFileSync('mkfifo', [path]), failure],
    ['a device', (path) => symlinkSync('/dev/zero', path), failure],
    ['a folder', (path) => void mkdirSync(path), reasons],
    [
      'a socket',
      (path) => {
        const server = createServer().listen(path);
        onTestFinished(() => void server.close());
      },
      reasons,
    ],
  ];
  test.skipIf(process.platform === 'win32').each(noFiles)('%s as database', async (_, make, start) => {
    const path = join(temporaryFolder(), 'catalogue.db');
    make(path);
    expect(await start({ DATABASE_URL: `sqlite:${path}` })).toEqual([`DATABASE_URL: ${path}: is not a file`]);
  });

  test('a server that refuses connections', async () => {
    const env = { DATABASE_URL: 'postgres://cars:s3cret@127.0.0.1:1/cars' };
    expect(await reasons(env)).toEqual([
      expect.stringMatching(/^DATABASE_URL: postgres:\/\/127\.0\.0\.1:1\/cars: .*ECONNREFUSED/),
    ]);
  });

  test('locale tables that are at fault, all of them', async () => {
    const { paths: _, ...pathless } = ownTable('es');
    const folder = folderOf({ 'de.json': '{', 'en.json': ownTable('en'), 'es.json': pathless });
    const lines = await reasons({ LOCALES_DIR: folder });
    expect(lines).toEqual([expect.stringMatching(/^de\.json\b/), expect.stringMatching(/^es\.json: paths\b/)]);
  });
});
