/** A hostile client and a hostile API, made at random from a seed, beside the same through a proxy that checks nothing. */
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished } from 'vitest';
import { document, es } from '../boats.ts';
import { createFolder, type Served, startApi, startRawApi, startServe } from './process.ts';

/** Attacks at a time. */
const LANES = 16;

function createRandom(seed: number) {
  let state = seed;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  return { below, pick, some: <T>(list: readonly T[], share = 4): T[] => list.filter(() => below(share) === 0) };
}

type Random = ReturnType<typeof createRandom>;

async function startBare(api: string): Promise<string> {
  const agent = new Agent({ keepAlive: true });
  const server = createServer((incoming, outgoing) => {
    const { url: path, method, headers } = incoming;
    const sent = request(api, { path, method, headers, agent } as never, (answer) => {
      outgoing.on('close', () => answer.destroy());
      try {
        outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
      } catch {
        outgoing.destroy();
      }
      answer.on('error', () => outgoing.destroy()).pipe(outgoing);
    });
    sent.on('error', () => outgoing.destroy());
    incoming.on('error', () => sent.destroy()).pipe(sent);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function startBoats(api: string, ...options: readonly string[]): Promise<Served> {
  const folder = createFolder({ 'document.json': document });
  mkdirSync(join(folder, 'tables'));
  writeFileSync(join(folder, 'tables/es.json'), JSON.stringify(es));
  return startServe(api, folder, ...options);
}

/** A server that nobody may ever ask. */
async function startElsewhere() {
  let asked = 0;
  const url = await startApi((_, outgoing) => {
    asked++;
    outgoing.end();
  });
  return { host: url.slice('http://'.length), count: () => asked };
}

/** Checks what must hold during and after all attacks. */
async function expectAlive({ url, child }: Served): Promise<void> {
  expect(child.exitCode).toBe(null);
  expect((await fetch(`${url}/livez`)).status).toBe(200);
  const file = `/proc/${child.pid}/status`;
  const peak = existsSync(file) ? Number(/VmHWM:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1]) / 1024 : 0;
  expect(peak).toBeLessThan(400);
}

async function runLanes(count: number, attack: (at: number) => Promise<void>, pause: () => Promise<void>) {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) {
      await attack(at);
      if (at % 100 === 99) await pause();
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  await pause();
}

/** @returns marks of requests in a text, each once: another one's would have leaked */
const findMarks = (text: string): readonly string[] => [...new Set(text.match(/mark\d+x/g))];

/** Words and names that stand at one place. */
type Pair = readonly [words: string, names: string];
const same = (text: string): Pair => [text, text];

const PATHS: readonly Pair[] = [
  ['/barcos', '/boats'],
  ['/barcos/ID', '/boats/ID'],
  ['/barcos/ID/propietarios', '/boats/ID/owners'],
  same('/others/ID'),
  same('//nowhere.example/ID'),
];
const IDS = [
  '7',
  'a%2Fb',
  'a%5Cb',
  '%0d%0aX-Evil:%201',
  '%00',
  'a;b=c',
  '@',
  'a:b',
  '%',
  '%zz',
  'a..b',
  "!$&'()*+,=~",
  '..',
];
const DOTTED = ['../..', '%2e%2e/x', '.%2E', '..%2f..', '..;', '..\\x', '.', 'x/%2e/y'];
const QUERIES: readonly Pair[] = [
  same(''),
  ['?tipo=vela', '?kind=sail'],
  ['?orden=-nombre,eslora', '?sort=-name,length'],
  ['?tipo=%76ela&x=%0d%0aX-Evil:1', '?kind=sail&x=%0d%0aX-Evil:1'],
  same(`?x=${'a'.repeat(4000)}`),
  same('?%'),
  same('?=&&?'),
  same('?../..//x'),
];
const KEPT_HEADERS = [
  'Authorization: Bearer x',
  'Accept: a/b',
  'X-Kept: a',
  `X-Long: ${'b'.repeat(8000)}`,
  'X-Kept: \xe9',
  'Cookie: a=b; c=d',
  ...Array.from({ length: 100 }, (_, at) => `X-Number-${at}: ${at}`),
];
const DROPPED_HEADERS = [
  'X-Forwarded-Host: EVIL',
  'Forwarded: host=EVIL;for=1.1.1.1',
  'X_Forwarded_For: EVIL',
  'Keep-Alive: timeout=1000',
  'Proxy-Connection: keep-alive',
  'Proxy-Authorization: EVIL',
  'TE: trailers',
  'Upgrade: EVIL',
  'X-Secret: EVIL',
];
const BROKEN_HEADERS = [
  'X-A: a\rX-Evil: 1',
  'X-A: \0',
  'X A: 1',
  ': 1',
  'X-A\x01: 1',
  'Content-Length: 5\r\nContent-Length: 6',
  'Content-Length: 5\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: \x0bchunked',
  'Content-Length: -1',
  'Content-Length: 0x5',
  `X-A: ${'a'.repeat(20_000)}`,
];
const SMUGGLED = '\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: EVIL\r\n\r\n';

interface ClientAttack {
  readonly words: string;
  readonly names: string;
  /** What the API must be asked, if the request is legal. */
  readonly expected: { readonly url: string; readonly body: string } | undefined;
}

function createClientAttack(random: Random, mark: string, elsewhere: string): ClientAttack {
  const { below, pick, some } = random;
  const isBroken = below(3) === 0;
  const method = pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY', 'HEAD']);
  const [path, query] = [pick(PATHS), pick(QUERIES)];
  const id = isBroken && below(3) === 0 ? pick(DOTTED) : pick(IDS.slice(0, -1));
  const kind = isBroken ? below(6) : -1;
  const isList = path[0] === '/barcos' && /^(GET|HEAD|OPTIONS)$/.test(method);
  const target = ([0, 1] as const).map((at) => path[at].replace('ID', id) + query[isList ? at : 1]) as unknown as Pair;
  const origin = below(5) === 0 ? `http://${elsewhere}` : '';
  const isRead = path[0] === '/barcos' ? method === 'POST' : path[0] === '/barcos/ID' && method === 'PUT';
  const isJson = isRead && below(2) === 0;
  const hasBody = method !== 'GET' && method !== 'HEAD' && below(2) === 0;
  const smuggled = `${mark}${SMUGGLED}`;
  const sent = isJson ? ([`{"nombre":"${mark}"}`, `{"name":"${mark}"}`] as const) : same(smuggled);
  const body = hasBody ? sent : same('');
  const isChunked = below(2) === 0;
  const shared = [
    `X-Mark: ${mark}`,
    'Connection: close, X-Secret',
    ...some(KEPT_HEADERS),
    ...some(DROPPED_HEADERS),
    ...(kind === 0 ? [pick(BROKEN_HEADERS)] : []),
  ];
  const write = (at: 0 | 1): string => {
    const own = body[at];
    const cut = below(own.length + 1);
    const chunks = [own.slice(0, cut), own.slice(cut)].filter((part) => part !== '');
    const chunked = `${chunks.map((part) => `${part.length.toString(16)};x=y\r\n${part}\r\n`).join('')}0\r\nX-Trailer: EVIL\r\n\r\n`;
    const framing =
      own === ''
        ? []
        : [
            `Content-Type: ${isJson ? 'application/json' : 'text/plain'}`,
            isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${own.length}`,
          ];
    const host =
      kind === 1
        ? `Host: ${pick(['EVIL/', 'a@b', 'a b', '[::', 'x\tx', ''])}`
        : `Host: ${pick(['me', elsewhere, '[::1]:80'])}`;
    const head = `${method} ${origin}${target[at]} ${kind === 2 ? pick(['HTTP/9.9', 'HTTP/1.1 x', '', 'http/1.1']) : 'HTTP/1.1'}\r\n${[host, ...shared, ...framing].join('\r\n')}\r\n\r\n`;
    const whole = head + (own === '' ? '' : isChunked ? chunked : own);
    if (kind === 3) return whole.slice(0, below(whole.length));
    const hole = below(whole.length);
    if (kind === 4) return whole.slice(0, hole) + pick(['\0', '\r', '\n', '\xff', ' ']) + whole.slice(hole + below(2));
    return whole;
  };
  const url = target[1];
  return {
    words: write(0),
    names: write(1),
    expected: isBroken ? undefined : { url, body: body[1] },
  };
}

/** Sends bytes. @returns what comes back until the connection ends: at once if the request is cut or aborted */
async function send(url: string, bytes: string, until: 'answered' | 'cut' | 'aborted'): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const { promise, resolve } = Promise.withResolvers<void>();
  let received = '';
  socket.on('error', () => {}).on('close', () => resolve());
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  if (until === 'cut') socket.end(bytes, 'latin1');
  else socket.write(bytes, 'latin1', () => until === 'aborted' && socket.resetAndDestroy());
  await promise;
  return received;
}

/** Attacks as a client. @returns how many requests the API was asked beside how many were legal */
export async function attackAsClient(count: number, seed: number): Promise<{ legal: number; passed: number }> {
  const random = createRandom(seed);
  const elsewhere = await startElsewhere();
  const asked = new Map<string, { url: string; host: string; headers: string; body: string }[]>();
  const api = await startApi(async (incoming, outgoing) => {
    const body = (await buffer(incoming).catch(() => Buffer.from('aborted'))).toString('latin1');
    const mark = String(incoming.headers['x-mark']);
    const { url = '', headers } = incoming;
    const seen = asked.get(mark) ?? [];
    asked.set(mark, [...seen, { url, host: headers.host ?? '', headers: JSON.stringify(incoming.rawHeaders), body }]);
    outgoing.setHeader('content-type', 'application/json').setHeader('x-mark', mark);
    outgoing.end(`{"name":"${mark}","kind":"sail"}`);
  });
  const [bare, served] = [await startBare(api), await startBoats(api, '--timeout', '5')];
  let [legal, passed] = [0, 0];
  const attack = async (at: number): Promise<void> => {
    const mark = `mark${at}x`;
    const { words, names, expected } = createClientAttack(random, mark, elsewhere.host);
    const answer = await send(served.url, words, expected ? 'answered' : at % 2 === 0 ? 'cut' : 'aborted');
    const seen = asked.get(mark) ?? [];
    asked.delete(mark);
    expect([words, findMarks(answer).every((found) => found === mark), seen.length < 2]).toEqual([words, true, true]);
    for (const { host, headers, url } of seen) {
      expect([words, host, /EVIL/.test(headers), url.includes('smuggled')]).toEqual([
        words,
        api.slice(7),
        false,
        false,
      ]);
    }
    if (!expected) return;
    const plain = await send(bare, names, 'answered');
    const [alone] = asked.get(mark) ?? [];
    asked.delete(mark);
    if (!/^HTTP\/1\.1 200/.test(plain) || !alone) return;
    legal++;
    const { url, body } = seen[0] ?? {};
    expect([words, answer.slice(0, 12), url, body]).toEqual([words, 'HTTP/1.1 200', expected.url, alone.body]);
    passed++;
  };
  await runLanes(count, attack, () => expectAlive(served));
  expect([
    elsewhere.count(),
    asked.has('undefined') && asked.get('undefined')?.some(({ url }) => url === '/smuggled'),
  ]).toEqual([0, false]);
  return { legal, passed };
}

interface HostileAnswer {
  readonly bytes: Buffer;
  /** Whether the connection stays open behind it. */
  readonly isOpen: boolean;
  /** What a client gets of it, in words and as it is; nothing if the answer is not legal. */
  readonly legal: { readonly status: number; readonly words: string; readonly names: string } | undefined;
}

const ODD_HEADERS = [
  'X-Empty:',
  'X-Odd: \xe9\xff',
  'X-Tab: a\tb',
  'Set-Cookie: a=b; Path=/boats',
  'Set-Cookie: c=d',
  'X-Secret: EVIL',
  'Keep-Alive: timeout=1000',
  'Proxy-Authenticate: EVIL',
  'Trailer: X-Trailer',
  'Upgrade: EVIL',
  'Vary: *',
  'ETag: "a"',
  '__proto__: x',
  'constructor: x',
  ...Array.from({ length: 50 }, (_, at) => `X-Number-${at}: ${at}`),
];
const BROKEN_ANSWERS = [
  'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
  'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}',
  'HTTP/1.1 200 OK\r\nX: a\rb\r\nContent-Length: 2\r\n\r\n{}',
  'HTTP/1.1 200 OK\r\nX: \0\r\nContent-Length: 2\r\n\r\n{}',
  'HTTP/1.1 200 OK\r\n X: folded\r\nContent-Length: 2\r\n\r\n{}',
  `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(20_000)}\r\n\r\n{}`,
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{\r\n',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nraw',
  'HTTP/1.1 099 Low\r\n\r\n',
  'HTTP/1.1 2000 High\r\n\r\n',
  'HTTP/3 200 OK\r\n\r\n',
  'SSH-2.0-x\r\n',
  '\x16\x03\x01\x02\x00',
  '',
];
const BODIES = [
  '['.repeat(50_000),
  `{"name":${'[{"name":'.repeat(2000)}`,
  '\xff\xfe{"name":1}',
  '{"name":1e999,"name":-0,"name":"\\ud800","__proto__":{"name":1}}',
  'null',
  '"',
  '{"name":"a"}{"name":"b"}',
  `{"owner":{"name":"${'a'.repeat(70_000)}"}}`,
  '',
];

function createHostileAnswer(random: Random, mark: string, elsewhere: string): HostileAnswer {
  const { below, pick, some } = random;
  const make = (text: string | Buffer, isOpen = false): HostileAnswer => {
    const bytes = typeof text === 'string' ? Buffer.from(text, 'latin1') : text;
    return { bytes, isOpen, legal: undefined };
  };
  if (below(5) === 0) return make(pick(BROKEN_ANSWERS));
  const isError = below(4) === 0;
  const status = pick(isError ? [400, 404, 422, 500, 503] : [200, 201, 203, 206]);
  const isKnown = below(3) > 0;
  const names = isKnown ? `{"name":"${mark}","kind":"sail","length":12.10}` : pick(BODIES);
  const isGzip = below(3) === 0;
  const body = isGzip ? gzipSync(Buffer.from(names, 'latin1')) : Buffer.from(names, 'latin1');
  const headers = [
    `X-Mark: ${mark}`,
    'Content-Type: application/json',
    'Connection: X-Secret, close',
    ...(isGzip ? ['Content-Encoding: gzip'] : []),
    ...(below(3) === 0 ? [`Location: http://${elsewhere}/boats`] : []),
    ...some(ODD_HEADERS, 6),
  ];
  const fault = below(8);
  const early =
    below(4) === 0 ? pick(['HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n', 'HTTP/1.1 102 P\r\n\r\n']) : '';
  const write = (...more: string[]) =>
    `${early}HTTP/1.1 ${status} Fine\r\n${[...headers, ...more].join('\r\n')}\r\n\r\n`;
  if (fault === 0) return make(Buffer.concat([Buffer.from(write(`Content-Length: ${body.length + 5}`)), body]));
  if (fault === 1)
    return make(Buffer.concat([Buffer.from(write('Transfer-Encoding: chunked')), Buffer.from('ffff\r\n'), body]));
  if (fault === 2 && isGzip) {
    const broken = body.subarray(0, below(body.length));
    return make(Buffer.concat([Buffer.from(write(`Content-Length: ${broken.length}`)), broken]));
  }
  if (fault === 3)
    return make(write('Transfer-Encoding: chunked') + `ffff\r\n${'"'.repeat(65_535)}\r\n`.repeat(8), true);
  const kind = below(3);
  const cut = below(body.length);
  const parts = [body.subarray(0, cut), body.subarray(cut)].filter(({ length }) => length > 0);
  const chunked = [
    ...parts.flatMap((part) => [Buffer.from(`${part.length.toString(16)};a="b"\r\n`), part, Buffer.from('\r\n')]),
    Buffer.from(`0\r\nX-Trailer: ${mark}\r\n\r\n`),
  ];
  const bytes =
    kind === 0
      ? Buffer.concat([Buffer.from(write(`Content-Length: ${body.length}`), 'latin1'), body])
      : kind === 1
        ? Buffer.concat([Buffer.from(write('Transfer-Encoding: chunked'), 'latin1'), ...chunked])
        : Buffer.concat([Buffer.from(write(), 'latin1'), body]);
  // What follows a whole answer is no answer of the next request.
  const behind =
    kind === 0 && below(4) === 0
      ? Buffer.from('HTTP/1.1 200 OK\r\nX-Mark: mark0000x\r\nContent-Length: 0\r\n\r\n')
      : Buffer.alloc(0);
  const words = isKnown && status === 200 ? `{"nombre":"${mark}","tipo":"vela","eslora":12.10}` : names;
  const legal = isKnown && !(isError && isGzip) ? { status, words, names } : undefined;
  return { bytes: Buffer.concat([bytes, behind]), isOpen: false, legal };
}

/** @returns what a client of good will gets; nothing if it breaks off */
async function ask(url: string): Promise<{ status: number; head: string; body: Buffer } | undefined> {
  const { promise, resolve } = Promise.withResolvers<{ status: number; head: string; body: Buffer } | undefined>();
  const sent = request(url, { agent: false }, async (answer) => {
    const { statusCode: status = 0, rawHeaders } = answer;
    const body = await buffer(answer).catch(() => undefined);
    resolve(body && { status, head: rawHeaders.join('\n'), body });
  });
  sent
    .on('error', () => resolve(undefined))
    .on('close', () => resolve(undefined))
    .end();
  return promise;
}

/** Attacks as an API. @returns how many legal answers passed */
export async function attackAsApi(count: number, seed: number): Promise<{ legal: number; passed: number }> {
  const random = createRandom(seed);
  const elsewhere = await startElsewhere();
  const answers = new Map<string, HostileAnswer>();
  const api = await startRawApi((socket, sent) => {
    const answer = answers.get(/^GET \S*\/(mark\d+x)/.exec(sent)?.[1] ?? '');
    if (!answer) return void socket.destroy();
    socket.write(answer.bytes);
    if (!answer.isOpen) socket.end();
  });
  const served = await startBoats(api, '--timeout', '5', '--max-time', '8', '--max-answer', '400000');
  const bare = await startBare(api);
  let [legal, passed] = [0, 0];
  const attack = async (at: number): Promise<void> => {
    const mark = `mark${at}x`;
    const answer = createHostileAnswer(random, mark, elsewhere.host);
    answers.set(mark, answer);
    for (const [path, expected] of [
      [`/barcos/${mark}`, answer.legal?.words],
      [`/boats/${mark}`, answer.legal?.names],
    ]) {
      const got = await ask(served.url + path);
      const text = got ? got.head + got.body.toString('latin1') : '';
      const shown = answer.bytes.toString('latin1').slice(0, 4000);
      const hasLeak = findMarks(text).some((found) => found !== mark) || /EVIL/.test(text);
      expect([path, shown, hasLeak]).toEqual([path, shown, false]);
      if (!answer.legal || !(await ask(`${bare}/boats/${mark}`))) continue;
      legal++;
      const isCoded = /^content-encoding$/im.test(got?.head ?? '');
      const body = got && (isCoded ? gunzipSync(got.body) : got.body).toString('latin1');
      expect([path, shown, got?.status, body]).toEqual([path, shown, answer.legal.status, expected]);
      passed++;
    }
    answers.delete(mark);
  };
  await runLanes(count, attack, () => expectAlive(served));
  expect(elsewhere.count()).toBe(0);
  return { legal, passed };
}
