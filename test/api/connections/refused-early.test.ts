/** What a request says of itself counts also where it is refused before it reaches the app. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServer } from '../../support/app/server.ts';

let server: Awaited<ReturnType<typeof openServer>>;
beforeAll(async () => {
  server = await openServer();
});
afterAll(() => server.close());

const HOST = 'Host: x\r\n';
const OWN = 'X-Request-Id: own.id-1\r\n';
/** Until the connection ends. */
const NEVER = /(?!)/;

test('OPTIONS * has an identifier of its own, or the client’s', async () => {
  const anew = await server.raw(`OPTIONS * HTTP/1.1\r\n${HOST}\r\n`);
  expect(anew).toMatch(/^HTTP\/1.1 204 .*\r\nx-request-id: [\w-]{21}\r\n/is);
  const own = await server.raw(`OPTIONS * HTTP/1.1\r\n${HOST}${OWN}\r\n`);
  expect(own).toMatch(/^HTTP\/1.1 204 .*\r\nx-request-id: own\.id-1\r\n/is);
  const unusable = await server.raw(`OPTIONS * HTTP/1.1\r\n${HOST}X-Request-Id: a b\r\n\r\n`);
  expect(unusable).toMatch(/\r\nx-request-id: [\w-]{21}\r\n/i);
});

const refused: readonly (readonly [what: string, line: string, headers: string, status: number])[] = [
  ['a host with a space', 'GET / HTTP/1.1', 'Host: a b\r\n', 400],
  ['two hosts', 'GET /livez HTTP/1.1', `${HOST}${HOST}`, 400],
  ['no host', 'GET /nowhere HTTP/1.1', '', 400],
  ['CONNECT', 'CONNECT x.example:80 HTTP/1.1', HOST, 501],
  ['an unknown expectation', 'GET / HTTP/1.1', `${HOST}Expect: tea\r\n`, 417],
  ['headers over 16 KiB', 'GET / HTTP/1.1', `${HOST}X-A: ${'a'.repeat(17_000)}\r\n`, 431],
];
const languages = [
  ['es', 'es-MX, en;q=0.5'],
  ['en', 'en'],
  ['en', 'fr'],
] as const;

test.each(refused)(
  '%s is refused in the language and with the identifier of the request',
  async (_, line, headers, status) => {
    for (const [tag, accepted] of languages) {
      const answer = await server.raw(`${line}\r\n${headers}${OWN}Accept-Language: ${accepted}\r\n\r\n`);
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(answer).toMatch(new RegExp(`\r\ncontent-language: ${tag}\r\n`, 'i'));
      expect(answer).toMatch(/\r\nx-request-id: own\.id-1\r\n/i);
      expect(answer).toContain('"requestId":"own.id-1"');
    }
  },
);

const headless: readonly (readonly [what: string, target: string, headers: string, status: number])[] = [
  ['a host with a space', '/api/coches', 'Host: a b\r\n', 400],
  ['a space before a colon', '/api/coches', `${HOST}X-A : b\r\n`, 400],
  ['U+0000 in a header', '/api/cars', `${HOST}X-A: a\0b\r\n`, 400],
  ['an unknown expectation', '/api/cars', `${HOST}Expect: tea\r\n`, 417],
  ['headers over 16 KiB', '/api/coches', `${HOST}X-A: ${'a'.repeat(17_000)}\r\n`, 431],
  ['headers over what Node reads', '/api/coches', `${HOST}X-A: ${'a'.repeat(50_000)}\r\n`, 431],
  ['raw bytes in the path', '/api/coches/Citro\xc3\xabn', HOST, 400],
];

test.each(headless)('HEAD with %s is refused without a body', async (_, target, headers, status) => {
  const answer = await server.raw(`HEAD ${target} HTTP/1.1\r\n${headers}\r\n`, NEVER);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer).toMatch(/\r\ncontent-length: [1-9]/i);
  expect(answer.slice(answer.indexOf('\r\n\r\n'))).toBe('\r\n\r\n');
});

const raw: readonly (readonly [target: string, language: string, sentence: string, suggestion: string])[] = [
  [
    '/api/coches?marca=Citro\xc3\xabn&modelo=x%20\xc3\xa0',
    'es',
    'codifíquelos en UTF-8 con «%XX» (por ejemplo, «ñ» es «%C3%B1»)',
    '/api/coches?marca=Citro%C3%ABn&modelo=x%20%C3%A0',
  ],
  [
    '/api/coches/Citro\xc3\xabn',
    'es',
    'codifíquelos en UTF-8 con «%XX» (por ejemplo, «ñ» es «%C3%B1»)',
    '/api/coches/Citro%C3%ABn',
  ],
  [
    '/api/cars?brand=Citro\xebn',
    'en',
    'percent-encode them as UTF-8 (for example, “ñ” is “%C3%B1”)',
    '/api/cars?brand=Citro%C3%ABn',
  ],
];

test.each(raw)('%s, not ASCII, is answered with what to do', async (target, language, sentence, suggestion) => {
  const answer = await server.raw(`GET ${target} HTTP/1.1\r\n${HOST}\r\n`);
  expect(answer).toMatch(/^HTTP\/1.1 400 /);
  expect(answer).toMatch(new RegExp(`\r\ncontent-language: ${language}\r\n`, 'i'));
  expect(Buffer.from(answer, 'latin1').toString()).toContain(sentence);
  expect(answer).toContain(`"suggestion":"${suggestion}"`);
});
