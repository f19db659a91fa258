/** What a client can send to every parser, at its worst: twice as much never takes more than two and a half times as long. */
import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chooseLanguage, tagFinder } from '../../../packages/vocabularies/src/accept-language.ts';
import { fold } from '../../../packages/vocabularies/src/words.ts';
import { chooseId, decode, decodeWord } from '../../../src/gateway/http/exchange.ts';
import { findAcceptable } from '../../../src/gateway/read/accept.ts';
import { checkContentType } from '../../../src/gateway/read/body/body.ts';
import { isNotModified, readPrecondition } from '../../../src/gateway/read/conditions.ts';
import { parsePreferences } from '../../../src/gateway/read/prefer.ts';
import { parseQuery, refuseQuery } from '../../../src/gateway/read/query/query.ts';
import { refuseUnusable } from '../../../src/host/server/server.ts';
import { openApp } from '../../support/app/app.ts';

const DOUBLINGS = 3;
const LIMIT = 2.5 ** DOUBLINGS;
/** The garbage of what ran before, and a core that another program shares, are no fault: one of these measures must be below the limit. */
const TRIES = 50;

/** Microseconds that this process works, whatever else the machine does. */
const workOf = async (run: (input: string) => unknown, input: string, times: number): Promise<number> => {
  const { user, system } = process.cpuUsage();
  for (let time = 0; time < times; time++) {
    try {
      await run(input);
    } catch {
      // A refusal is as good as any other result.
    }
  }
  const after = process.cpuUsage();
  return after.user + after.system - user - system;
};

/** @returns how many times as much work the larger input is, at best */
const growthOf = async (run: (input: string) => unknown, small: string, large: string): Promise<number> => {
  const times = 2 ** DOUBLINGS;
  let least = Infinity;
  for (let attempt = 0; attempt < TRIES && least >= LIMIT; attempt++) {
    const ofSmall = await workOf(run, small, times);
    const ofLarge = await workOf(run, large, 1);
    least = Math.min(least, (times * ofLarge) / Math.max(ofSmall, 1));
  }
  return least;
};

const filled = (fragment: string, length: number): string =>
  fragment.repeat(Math.ceil(length / fragment.length)).slice(0, length);

const fragments = [
  ...[
    ...['a', '-', 'a-', 'a-b-c-d,', 'a,', ',', ' ', ', ', '\t,', ';', '; ;', 'a;', 'a;q=', 'a;q=0.5,', 'a;b="'],
    'a;b="\\',
  ],
  ...['"', '"a"', '"a",', 'W/"', '"" ', '" ,', '*/*,', '/', '+', '=', ':', '.', '[', '{', '0', '; charset ', 'x/'],
  ...['%', '%41', '%zz', '%zz&', '%C3%A9', '%C0&', '&', 'a&', 'a=1&', 'brand=a&', '?', '#', '@', '\xe9'],
  '\u0301\u0323',
];

const find = tagFinder(['en', 'es']);
const arriving = (headers: IncomingHttpHeaders, url: string) =>
  refuseUnusable({
    httpVersion: '1.1',
    method: 'GET',
    url,
    headers,
    rawHeaders: Object.entries(headers).flatMap(([name, value]) => [name, String(value)]),
  });

/** Folded texts are remembered. */
let texts = 0;

type Parser = readonly [what: string, parse: (text: string) => unknown, prefixes?: readonly string[]];

const parsers: readonly Parser[] = [
  ['Accept', (text) => findAcceptable(text, [{ type: 'application/json' }, { type: 'text/html' }])],
  ['Accept-Language', (text) => chooseLanguage(text, find, ['en', 'es'])],
  [
    'If-Match',
    (text) => readPrecondition(new Headers({ 'if-match': text }), (mark) => mark === 'en'),
    ['', '"a"', '"a",'],
  ],
  ['If-None-Match', (text) => isNotModified(new Headers({ 'if-none-match': text }), '"a"'), ['', 'W/"a",']],
  [
    'Content-Type',
    (text) => checkContentType({ method: 'PATCH', headers: new Headers({ 'content-type': text }) }),
    ['', 'application/', 'application/json', 'application/json; charset="'],
  ],
  [
    'Content-Encoding',
    (text) => checkContentType({ method: 'PUT', headers: new Headers({ 'content-encoding': text }) }),
  ],
  ['X-Request-Id', chooseId],
  ['Prefer', parsePreferences, ['', 'a=']],
  ['Host', (text) => arriving({ host: text }, '/'), ['', '[', 'x:']],
  ['Transfer-Encoding', (text) => arriving({ host: 'x', 'transfer-encoding': text }, '/'), ['', 'chunked']],
  ['a target', (text) => arriving({ host: 'x' }, text), ['', '/', 'http://', 'http://x/']],
  ['percent-encoding', decode],
  ['a word', decodeWord, ['', '%41']],
  ['a text', (text) => fold(`${decode(text)}${texts++}`)],
  ['a query', parseQuery],
  ['a query where there is none', refuseQuery],
];

const SMALL = 2_048;
const LARGE = SMALL * 2 ** DOUBLINGS;

test.each(parsers.map(([what, parse, prefixes = ['']]) => ({ what, parse, prefixes })))(
  '$what grows with its length',
  async ({ parse, prefixes }) => {
    for (const prefix of prefixes) {
      for (const fragment of fragments) {
        for (const end of ['', '!', '"']) {
          const inputOf = (length: number) => prefix + filled(fragment, length) + end;
          const growth = await growthOf(parse, inputOf(SMALL), inputOf(LARGE));
          expect(growth, `${prefix}${fragment}…${end}`).toBeLessThan(LIMIT);
        }
      }
    }
  },
);

describe('a whole request', () => {
  let service: Awaited<ReturnType<typeof openApp>>;
  beforeAll(async () => {
    service = await openApp();
  });
  afterAll(() => service.close());
  /** Unchecked, for that is work too. */
  const ask = async (target: string, init?: RequestInit): Promise<string> =>
    (await service.app.request('http://localhost/', init, { target })).text();

  test.each(['/api/', '/api/coches/', '/api/coches/a/aceites/', '/api/coches?', '/api/coches?marca=', '/api?'])(
    '%s grows with what follows',
    async (start) => {
      for (const fragment of fragments) {
        const pathOf = (length: number) => start + filled(fragment, length);
        expect(await growthOf(ask, pathOf(1_000), pathOf(8_000)), fragment).toBeLessThan(LIMIT);
      }
    },
  );

  const numbered = (length: number, member: (at: number) => string): string =>
    Array.from({ length: length / member(9_999).length }, (_, at) => member(at)).join(',');
  const bodies: readonly (readonly [what: string, make: (length: number) => string])[] = [
    ['arrays in arrays', (length) => '['.repeat(length / 2) + ']'.repeat(length / 2)],
    ['objects in objects', (length) => `${'{"a":'.repeat(length / 6)}1${'}'.repeat(length / 6)}`],
    ['empty objects', (length) => `[${'{},'.repeat(length / 3)}1]`],
    ['arrays that never end', (length) => '['.repeat(length)],
    ['unknown members', (length) => `{${numbered(length, (at) => `"a${at}":1`)}}`],
    ['numbers as members', (length) => `{${numbered(length, (at) => `"${at}":1`)}}`],
    ['long unknown members', (length) => `{${numbered(length, (at) => `"${'b'.repeat(50)}${at}":1`)}}`],
    ['a long string', (length) => `{"marca":"${'x'.repeat(length)}"}`],
    ['escapes', (length) => `{"marca":"${'\\u0041'.repeat(length / 6)}"}`],
    ['escapes in a name', (length) => `{"${'\\u0041'.repeat(length / 6)}":1}`],
    ['lone surrogates', (length) => `{"marca":"${'\\ud800'.repeat(length / 6)}"}`],
    ['a long blank', (length) => `{"marca":"${' '.repeat(length)}"}`],
    ['blanks around', (length) => `${' '.repeat(length)}{}`],
    ['a long number', (length) => `{"anio":${'1'.repeat(length)}}`],
    ['a long fraction', (length) => `{"anio":0.${'1'.repeat(length)}}`],
    ['marks in a name', (length) => `{"a${'\u0301\u0323'.repeat(length / 4)}":1}`],
    ['quotes', (length) => `"${'\\"'.repeat(length / 2)}`],
  ];
  test.each(bodies)('with %s as a body grows with its length', async (_, make) => {
    const headers = { 'content-type': 'application/json' };
    const post = (body: string) => ask('/api/coches', { method: 'POST', headers, body });
    expect(await post('{')).toContain('malformed-json');
    expect(await growthOf(post, make(SMALL), make(LARGE))).toBeLessThan(LIMIT);
  });
});
