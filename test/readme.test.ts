/** The exchanges that both READMEs print, done as they stand there: each command, and then the response below it. */
import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openServer } from './support/app/server.ts';
import { project } from './support/process/service.ts';

const BLOCK = /```(\w+)\n([\s\S]*?)```/g;

interface Exchange {
  readonly command: string;
  readonly response: string;
}

/** Every curl command that has a response below it. */
const exchangesIn = (file: string): readonly Exchange[] => {
  const blocks = [...readFileSync(join(project, file), 'utf8').matchAll(BLOCK)];
  return blocks.flatMap(([, kind, command = ''], at) => {
    const [, next, response = ''] = blocks[at + 1] ?? [];
    return kind === 'sh' && command.startsWith('curl') && next !== 'sh' ? [{ command, response }] : [];
  });
};

/** What changes with each request is printed as `…`. */
const patternOf = (line: string): RegExp => new RegExp(`^${line.split('…').map(RegExp.escape).join('.+')}$`, 'm');

/** JSON on several lines, as people read it, is one line on the wire. */
const linesOf = (response: string): readonly string[] => {
  const at = response.search(/^[[{]/m);
  const headers = response.slice(0, at).trim().split('\n').filter(Boolean);
  return [...headers, response.slice(at).replaceAll(/\n\s*/g, '')];
};

describe.each(['README.md', 'README.es.md'])('the exchanges of %s', (file) => {
  let server: Awaited<ReturnType<typeof openServer>>;
  beforeAll(async () => {
    server = await openServer();
  });
  afterAll(() => server.close());

  test('are what the service does', async () => {
    const exchanges = exchangesIn(file);
    expect(exchanges).toHaveLength(3);
    for (const { command, response } of exchanges) {
      const line = command.replaceAll('http://localhost:3000', server.origin);
      const { stdout } = await promisify(execFile)('sh', ['-c', line]);
      for (const expected of linesOf(response)) expect(stdout.replaceAll('\r', '')).toMatch(patternOf(expected));
    }
  });
});

/** What to send so that the service answers as the document shows it. */
const importDocs = [
  ['docs/imports.md', '/api/cars', 'brand,model,year\nSeat,Ibiza,2008\nSeat,Ibiza,MM\n'],
  ['docs/imports.es.md', '/api/coches', 'marca,modelo,anio\nSeat,Ibiza,2008\nSeat,Ibiza,MM\n'],
] as const;

test.each(importDocs)('%s shows rejected rows as the service tells of them', async (file, path, body) => {
  const server = await openServer();
  const headers = { 'content-type': 'text/csv' };
  const sent = await fetch(server.origin + path, { method: 'POST', headers, body });
  const shown = [...readFileSync(join(project, file), 'utf8').matchAll(BLOCK)].map(([, , text = '']) => text);
  const [line = ''] = shown.filter((text) => text.includes('rejected-rows')).flatMap(linesOf);
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
  const files = globSync('{*,docs/*}.md', { cwd: project });
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
