import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/process/folder.ts';
import { launch, project } from '../support/process/service.ts';

/** Starts the demo with a temporary folder of its own. */
const startDemo = (PORT = '0') => {
  const folder = temporaryFolder();
  const args = ['test/demo/main.ts'];
  return { folder, ...launch({ args, cwd: project, env: { TMPDIR: folder, PORT } }) };
};

test.each([
  [['--help'], 0, /^npm run demo\n/],
  [['--port', '80'], 2, /^Unknown option '--port'/],
])('%j starts nothing', async (args, code, text) => {
  const folder = temporaryFolder();
  const { exit, output } = launch({ args: ['test/demo/main.ts', ...args], cwd: project, env: { TMPDIR: folder } });
  expect([await exit, output()]).toEqual([code, expect.stringMatching(text)]);
  expect(readdirSync(folder)).toEqual([]);
});

test('it needs no package that only the tests install', () => {
  const files = ['main.ts', 'commands.ts'].map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'));
  const packages = files.flatMap((code) => [...code.matchAll(/ from '([^'.][^']*)'/g)].map(([, name]) => name));
  expect(packages.filter((name) => !name?.startsWith('node:'))).toEqual([]);
});

const hasDatabase = (folder: string): boolean =>
  readdirSync(folder).some((name) => existsSync(join(folder, name, 'demo.db')));

/** Waits until the demo has printed everything. */
const openDemo = async () => {
  const demo = startDemo();
  await demo.wrote(/\nCtrl-C .*\n$/);
  const linesOf = (pattern: RegExp): readonly string[] => demo.output().match(pattern) ?? [];
  return { ...demo, links: linesOf(/(?<=^ {2})http:\S+$/gm), commands: linesOf(/(?<=^ {2})curl .+$/gm) };
};

/** What each link leads to, in the printed order: a page, or how many cars. */
const led: readonly [language: string, what: number | 'page'][] = [
  ['en', 'page'],
  ['en', 5],
  ['en', 5],
  ['en', 93],
  ['es', 'page'],
  ['es', 5],
  ['es', 5],
  ['es', 93],
];

/** How each command of one language is answered, in the printed order. */
const answered: readonly [method: string, status: number, hasContent: boolean][] = [
  ['POST', 201, true],
  ['GET', 200, true],
  ['PUT', 200, true],
  ['POST', 201, true],
  ['GET', 200, true],
  ['PUT', 400, true],
  ['DELETE', 204, false],
  ['GET', 200, true],
];

const follow = async (link: string): Promise<readonly unknown[]> => {
  const response = await fetch(link);
  const isPage = response.headers.get('content-type')?.startsWith('text/html');
  const text = await response.text();
  return [response.status, response.headers.get('content-language'), isPage ? 'page' : JSON.parse(text).length];
};

const shell = (command: string): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile('sh', ['-c', command], { env: { PATH: process.env.PATH } }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${command}\n${stderr}`, { cause: error }));
      else resolve(stdout);
    });
  });

const run = async (command: string): Promise<readonly unknown[]> => {
  const answer = await shell(command);
  const method = / -X ([A-Z]+) /.exec(command)?.[1] ?? 'GET';
  const status = Number(/^HTTP\/1.1 (\d{3}) /.exec(answer)?.[1]);
  return [method, status, /^content-language: (.*)\r$/im.exec(answer)?.[1]];
};

describe('the demo', () => {
  test('prints links that lead to what is there, and commands that a shell runs as they are, in each language alone; it leaves nothing behind', async () => {
    const { links, commands, child, exit, folder } = await openDemo();
    expect(links.length + commands.length).toBe(led.length + 2 * answered.length);
    const leads: unknown[] = [];
    for (const link of links) leads.push(await follow(link));
    expect(leads).toEqual(led.map(([tag, what]) => [200, tag, what]));

    // Those of one language find nothing of the other's: the last are run first, and delete what they have made.
    for (const [language, tree] of [
      ['es', '/api/coches'],
      ['en', '/api/cars'],
    ] as const) {
      const own = commands.filter((each) => each.includes(tree) || each.includes(`Accept-Language: ${language}`));
      const found: unknown[] = [];
      for (const command of own) found.push(await run(command));
      expect(found).toEqual(
        answered.map(([method, status, hasContent]) => [method, status, hasContent ? language : undefined]),
      );
    }

    expect(hasDatabase(folder)).toBe(true);
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('leaves nothing behind when it cannot start', async () => {
    const { exit, folder } = startDemo('99999');
    expect(await exit).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('leaves nothing behind when it is ended while it loads its cars', async () => {
    const { child, exit, folder } = startDemo();
    while (child.exitCode === null && !hasDatabase(folder)) await setTimeout(5);
    child.kill('SIGINT');
    await exit;
    expect(readdirSync(folder)).toEqual([]);
  });
});
