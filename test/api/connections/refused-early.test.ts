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
  ['an unknown expectation', 'GET / HTTP/1.1', `${HOST}Expect: tea\r\n`, 417],
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
  ['an unknown expectation', '/api/cars', `${HOST}Expect: tea\r\n`, 417],
];

test.each(headless)('HEAD with %s is refused without a body', async (_, target, headers, status) => {
  const answer = await server.raw(`HEAD ${target} HTTP/1.1\r\n${headers}\r\n`, NEVER);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer).toMatch(/\r\ncontent-length: [1-9]/i);
  expect(answer.slice(answer.indexOf('\r\n\r\n'))).toBe('\r\n\r\n');
});
