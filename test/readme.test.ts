/** The exchanges that both READMEs print, done as they stand there: the commands of a block, and then the response below it. */
import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openServer } from './support/app/server.ts';
import { project } from './support/process/service.ts';

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
