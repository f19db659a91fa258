/** The exchanges that both READMEs print, done as they stand there: the commands of a block, and then the response below it. */
import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openServer } from './support/app/server.ts';
import { launch, project } from './support/process/service.ts';

const BLOCK = /```(\w+)\n([\s\S]*?)```/g;

interface Exchange {
  readonly commands: string;
  readonly kind: string;
  readonly response: string;
}

/** All curl commands, with the response below them. */
const exchangesIn = (file: string): readonly Exchange[] => {
  const blocks = [...readFileSync(join(project, file), 'utf8').matchAll(BLOCK)];
  return blocks.flatMap(([, kind, commands = ''], at) => {
    const [, answer = '', response = ''] = blocks[at + 1] ?? [];
    return kind === 'sh' && commands.includes('curl ') ? [{ commands, kind: answer, response: response.trim() }] : [];
  });
};

/** What changes with each request is printed as `…`. */
const patternOf = (text: string): RegExp => new RegExp(`^${text.split('…').map(RegExp.escape).join('.+')}$`, 'm');

/** What `jq` prints, which not every machine has. */
const jq = (json: string): string => JSON.stringify(JSON.parse(json), null, 2);

describe.each(['README.md', 'README.es.md'])('the exchanges of %s', (file) => {
  let server: Awaited<ReturnType<typeof openServer>>;
  const cwd = mkdtempSync(join(tmpdir(), 'readme-'));
  beforeAll(async () => {
    server = await openServer();
  });
  afterAll(async () => {
    rmSync(cwd, { recursive: true });
    await server.close();
  });

  test('are what the service does', async () => {
    const exchanges = exchangesIn(file);
    expect(exchanges).toHaveLength(8);
    for (const { commands, kind, response } of exchanges) {
      const script = commands.replaceAll('http://localhost:3000', server.origin).replace(' | jq', '');
      const { stdout } = await promisify(execFile)('sh', ['-c', script], { cwd });
      const answer = commands.includes('| jq') ? jq(stdout) : stdout.replaceAll('\r', '');
      // Some headers are left out, of a body nothing.
      const shown = kind === 'http' ? response.split(/\n+/) : [response];
      for (const part of shown) expect(answer).toMatch(patternOf(part));
    }
  });
});

/** @returns the commands of the table of what a reader may do now, a row each */
const nextSteps = (file: string): readonly (readonly string[])[] => {
  const [, table = ''] =
    /\n## (?:What you may do now|Lo que puede hacer ahora)\n(.*?)\n## /s.exec(
      readFileSync(join(project, file), 'utf8'),
    ) ?? [];
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && line.includes('`'));
  return rows.map((row) => [...row.replace(/^\| [^|]*/, '').matchAll(/`([^`]+)`/g)].map(([, command = '']) => command));
};

describe('what a reader may do now', () => {
  const [init = [], around = [], propose = [], mount = [], parity = []] = nextSteps('README.md');

  test('is the same in Spanish, and five things', () => {
    expect(nextSteps('README.es.md')).toEqual([init, around, propose, mount, parity]);
  });

  test('the archive has the version and the program of the package, and init takes what is written', async () => {
    const { name, version, bin } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
    const [, archive, line = ''] = /^npm pack && npx --yes \.\/(\S+) (init .*)$/.exec(init[0] ?? '') ?? [];
    expect([archive, Object.keys(bin)]).toEqual([`${name}-${version}.tgz`, [name]]);
    const { exit, output } = launch({ args: [join(project, 'src/bin.ts'), ...line.split(' ')], env: { LANG: 'C' } });
    expect([await exit, output()]).toEqual([
      0,
      expect.stringContaining('cd shop && npm install && npm test && npm start'),
    ]);
  });

  test.each([
    ['around handlers', around],
    ['in a Hono app', mount],
  ])('%s: the example answers what is asked', async (_, [command = '', request = '']) => {
    const [, main = ''] = /^npx node (\S+)$/.exec(command) ?? [];
    const { wrote } = launch({ args: [join(project, main)] });
    const [origin] = await wrote(/http:\/\/[\d.]+:\d+/);
    const url = request.replace('curl http://localhost:3000', origin);
    expect(await (await fetch(url)).json()).toEqual([]);
  });

  test('a first table, and parity with the demonstration', async () => {
    const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
    const script = /^npm run vocabularies -- (.*)$/.exec(propose[0] ?? '')?.[1] ?? '';
    const [, main = ''] = /^exec node (\S+)$/.exec(scripts.vocabularies) ?? [];
    const { exit, output } = launch({ cwd: project, args: [main, ...script.split(' ')] });
    expect([await exit, output()]).toEqual([0, expect.stringContaining('"products": "products"')]);
    expect(parity).toEqual(['npm run demo', 'npm run parity -- http://localhost:3000']);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['demo', 'parity']));
  });

  test('no command names a package that is not published', () => {
    const files = ['README.md', 'README.es.md', 'examples/new/README.md'];
    const named = files.flatMap(
      (file) => readFileSync(join(project, file), 'utf8').match(/npx (?!(?:--yes )?\.\/|node |vitest )\S+/g) ?? [],
    );
    expect(named).toEqual([]);
  });
});

/** What to send so that the service answers as the document shows it. */
const importDocs = [
  ['docs/imports.md', '/api/cars', 'brand,model,year\nSeat,Ibiza,2008\nSeat,Ibiza,MM\n'],
  ['docs/es/imports.md', '/api/coches', 'marca,modelo,anio\nSeat,Ibiza,2008\nSeat,Ibiza,MM\n'],
] as const;

/** JSON on several lines, as people read it, is one line on the wire. */
const onOneLine = (text: string): string => text.replaceAll(/\n\s*/g, '');

test.each(importDocs)('%s shows rejected rows as the service tells of them', async (file, path, body) => {
  const server = await openServer();
  const headers = { 'content-type': 'text/csv' };
  const sent = await fetch(server.origin + path, { method: 'POST', headers, body });
  const shown = [...readFileSync(join(project, file), 'utf8').matchAll(BLOCK)].map(([, , text = '']) => text);
  const [line = ''] = shown.filter((text) => text.includes('rejected-rows')).map(onOneLine);
  expect([sent.status, await sent.text()]).toEqual([422, expect.stringMatching(patternOf(line))]);
  await server.close();
});

/** As GitHub makes it of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

test('every link between the documents leads to a file, and to a heading in it', () => {
  const files = globSync('{*,docs/*,docs/es/*}.md', { cwd: project });
  const anchors = (file: string): readonly string[] =>
    [...readFileSync(join(project, file), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
  const broken = files.flatMap((file) => {
    const links = readFileSync(join(project, file), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g);
    return [...links].filter(([, path = '', anchor]) => {
      const to = path === '' ? file : join(dirname(file), path);
      return !existsSync(join(project, to)) || (anchor !== undefined && !anchors(to).includes(anchor));
    });
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});
