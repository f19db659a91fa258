import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openServer } from '../../support/app/server.ts';

let server: Awaited<ReturnType<typeof openServer>>;
beforeAll(async () => {
  server = await openServer();
});
afterAll(() => server.close());

const HOST = 'Host: x\r\n';
/** Until the connection ends. */
const NEVER = /(?!)/;
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const get = (target: string, headers = HOST): string => `GET ${target} HTTP/1.1\r\n${headers}\r\n`;
const post = (headers: string, body: string): string => `POST /api/coches HTTP/1.1\r\n${HOST}${headers}\r\n${body}`;

/**
 * What Node's parser refuses, of each kind one: its own plain answer, before any language is known, and the end of the
 * connection.
 */
const unreadable: readonly [what: string, request: string, status: number][] = [
  ['a length and a transfer coding', post(`Content-Length: 5\r\n${CHUNKED}`, '0\r\n\r\n'), 400],
  ['line feeds alone', 'GET /api/coches HTTP/1.1\nHost: x\n\n', 400],
  ['a chunk longer than it says', post(CHUNKED, '2\r\n{}}}}\r\n0\r\n\r\n'), 400],
  ['a method that nobody knows', `FOO /api/coches HTTP/1.1\r\n${HOST}\r\n`, 400],
  ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01', 400],
  ['headers over 32 KiB', get('/api/coches', `${HOST}X-A: ${'a'.repeat(50_000)}\r\n`), 431],
];

test.each(unreadable)('%s is refused by Node', async (_, request, status) => {
  const answer = await server.raw(request, NEVER);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} [A-Z][A-Za-z ]+\r\nConnection: close\r\n\r\n$`));
});

/** What the parser lets pass and the standard forbids: the connection ends with the answer. */
const refused: readonly [what: string, request: string, status: number, code: string][] = [
  ['two hosts', get('/api/coches', `${HOST}Host: y\r\n`), 400, 'bad-request'],
  ['no host', get('/api/coches', ''), 400, 'bad-request'],
  ['a host with a space', get('/api/coches', 'Host: a b\r\n'), 400, 'bad-request'],
  ['a host with a path', get('/api/coches', 'Host: a/b@c\r\n'), 400, 'bad-request'],
  ['a host with an impossible port', get('/api/coches', 'Host: x:99999\r\n'), 400, 'bad-request'],
  ['a coding before chunked', post('Transfer-Encoding: gzip, chunked\r\n', '0\r\n\r\n'), 400, 'bad-request'],
  ['HTTP/1.0 with chunks', `POST /api/coches HTTP/1.0\r\n${CHUNKED}\r\n0\r\n\r\n`, 400, 'bad-request'],
  ['HTTP/0.9', 'GET /api/coches\r\n\r\n', 400, 'bad-request'],
  ['a target of another scheme', get('ftp://x.example/api/coches'), 400, 'bad-request'],
  ['a backslash in the path', get('/api/coches/a\\b'), 400, 'bad-request'],
  ['an unknown expectation', post('Expect: 200-ok\r\nContent-Length: 2\r\n', '{}'), 417, 'expectation-failed'],
];

test.each(refused)('%s is refused in the language of the path', async (_, request, status, code) => {
  const answer = await server.raw(request);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer).toContain(`"code":"${code}"`);
  expect(answer).toMatch(/\r\ncontent-type: application\/problem\+json\r\n/i);
  expect(answer).toMatch(/\r\ncontent-language: es\r\n/i);
  expect(answer).toMatch(/\r\nconnection: close\r\n/i);
});

test('an asterisk as target is refused in the default language', async () => {
  const answer = await server.raw(get('*'));
  expect(answer).toMatch(/^HTTP\/1.1 400 /);
  expect(answer).toContain('"code":"bad-request"');
  expect(answer).toMatch(/\r\ncontent-language: en\r\n/i);
  expect(answer).toMatch(/\r\nvary: accept-language\r\n/i);
});

/** Answered in the usual way; the connection may go on. */
const answered: readonly [what: string, request: string, status: number, within: string][] = [
  ['an absolute target', get('http://elsewhere.example/api/coches?marca=x'), 200, '[]'],
  ['HTTP/1.0 without a host', 'GET /api/coches HTTP/1.0\r\n\r\n', 200, '[]'],
  ['an empty host', get('/api/coches', 'Host:\r\n'), 200, '[]'],
  ['empty lines before it', `\r\n\r\n${get('/api/coches')}`, 200, '[]'],
  ['an offer of another protocol', get('/api/coches', `${HOST}Connection: upgrade\r\nUpgrade: h2c\r\n`), 200, '[]'],
  ['OPTIONS *', `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, 204, 'Allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'],
  ['TRACE', `TRACE /api/coches HTTP/1.1\r\n${HOST}\r\n`, 405, 'Allow: GET, HEAD, POST, OPTIONS'],
  ['PATCH', `PATCH /api/coches HTTP/1.1\r\n${HOST}\r\n`, 405, 'Allow: GET, HEAD, POST, OPTIONS'],
  ['a path of broken encoding', get('/api/coches/%zz'), 400, '"code":"malformed-path"'],
  ['a path of overlong encoding', get('/api/coches/%C0%AF'), 400, '"code":"malformed-path"'],
  ['a path with U+0000', get('/api/coches/%00'), 400, '"code":"malformed-path"'],
  ['dots for a key', get('/api/coches/..'), 404, '"code":"not-found"'],
  ['encoded dots for a key', get('/api/coches/%2e%2E'), 404, '"code":"not-found"'],
  ['neither a body nor a length', post('', ''), 400, '"code":"malformed-json"'],
  ['a file without a body', post('Content-Type: text/csv\r\n', ''), 400, '"code":"malformed-file"'],
  ['a URL over 8 KiB', get(`/api/coches?${'a'.repeat(9_000)}`), 414, '"code":"uri-too-long"'],
];

test.each(answered)('%s is answered', async (_, request, status, within) => {
  const answer = await server.raw(request);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer).toContain(within);
});

describe('a connection', () => {
  test('of a client that has said all it will is still answered', async () => {
    const answer = await new Promise<string>((resolve) => {
      const socket = server.open();
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('end', () => resolve(text));
      socket.end(`GET /livez HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`);
    });
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
  });

  test('asks for a body that it will read, and not for one that it will not', async () => {
    const asked = await server.raw(post('Expect: 100-continue\r\nContent-Length: 2\r\n', ''), /100 Continue/);
    expect(asked).toMatch(/^HTTP\/1.1 100 Continue/);
    const refusal = await server.raw(post('Expect: 100-continue\r\nContent-Length: 99999999\r\n', ''));
    expect(refusal).toMatch(/^HTTP\/1.1 413 /);
  });

  test.each(['{}', 'brand,model\r\nSeat,Ibiza\r\n'])('is not asked where it speaks HTTP/1.0: %j', async (body) => {
    const type = body === '{}' ? 'application/json' : 'text/csv';
    const headers = `Expect: 100-continue\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n`;
    const answer = await server.raw(`POST /api/cars HTTP/1.0\r\n${headers}\r\n${body}`);
    expect(answer).toMatch(/^HTTP\/1.1 [24]/);
    expect(answer).not.toContain('100 Continue');
  });

  test('learns that a body is too large before it is sent', async () => {
    expect(await server.raw(post('Content-Length: 99999999\r\n', '{'))).toMatch(/^HTTP\/1.1 413 /);
    const chunk = `10000\r\n${'a'.repeat(0x1_0000)}\r\n`;
    expect(await server.raw(post(CHUNKED, chunk.repeat(17)))).toMatch(/^HTTP\/1.1 413 /);
  });
});

const OWN = 'X-Request-Id: own.id-1\r\n';

test('OPTIONS * has an identifier of its own, or the client’s', async () => {
  const anew = await server.raw(`OPTIONS * HTTP/1.1\r\n${HOST}\r\n`);
  expect(anew).toMatch(/^HTTP\/1.1 204 .*\r\nx-request-id: [\w-]{21}\r\n/is);
  const own = await server.raw(`OPTIONS * HTTP/1.1\r\n${HOST}${OWN}\r\n`);
  expect(own).toMatch(/^HTTP\/1.1 204 .*\r\nx-request-id: own\.id-1\r\n/is);
  const unusable = await server.raw(`OPTIONS * HTTP/1.1\r\n${HOST}X-Request-Id: a b\r\n\r\n`);
  expect(unusable).toMatch(/\r\nx-request-id: [\w-]{21}\r\n/i);
});

const early: readonly (readonly [what: string, line: string, headers: string, status: number])[] = [
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

test.each(early)(
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
