/** What is sent to receivers, over real sockets. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { attempt, createSecret } from '../../../src/host/hooks/attempt.ts';
import { temporaryFolder } from '../../support/process/folder.ts';
import { project } from '../../support/process/service.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const receiver = async (answer: RequestListener) => {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ headers: request.headers, body: Buffer.concat(chunks) });
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`, received };
};

const batch = { id: 'msg_1', body: '{"type":"test","data":[{"modelo":"León"}]}' };
const secret = createSecret();

test('a body arrives as it is, signed so that the verifiers of the documents accept it, and nothing else', async () => {
  const { url, received } = await receiver((_, response) => response.writeHead(204).end());
  expect(await attempt({ url, secret }, batch, { reach: 'any' })).toEqual({ status: 204, retryAfter: undefined });
  const [{ headers, body } = { headers: {}, body: Buffer.alloc(0) }] = received;
  expect(body.toString()).toBe(batch.body);
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': 'msg_1' });
  const other = Buffer.from(body.toString().replace('León', 'Leon'));
  const old = { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 600) };
  const sent = [
    [secret, headers, body],
    [createSecret(), headers, body],
    [secret, headers, other],
    [secret, old, body],
    [secret, { ...headers, 'webhook-signature': `v1,AAAA ${headers['webhook-signature']}` }, body],
    [secret, {}, body],
  ] as const;
  const verdicts = [true, false, false, false, true, false];

  for (const document of ['docs/hooks.md', 'docs/es/hooks.md']) {
    const text = readFileSync(join(project, document), 'utf8');
    const codeIn = (language: string): string =>
      new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(text)?.[1] ?? '';
    const file = join(temporaryFolder(), 'verify.ts');
    writeFileSync(file, codeIn('ts'));
    const { isGenuine } = await import(file);
    expect(sent.map((each) => isGenuine(...each))).toEqual(verdicts);
    expect(() => isGenuine(secret, headers, JSON.parse(body.toString()))).toThrow(TypeError);

    const calls = sent.map(([key, head, bytes]) => [key, head, bytes.toString('base64')]);
    const program = `${codeIn('python')}\nimport json, sys\nprint(json.dumps([is_genuine(k, h, base64.b64decode(b)) for k, h, b in json.load(sys.stdin)]))`;
    const printed = execFileSync('python3', ['-c', program], { input: JSON.stringify(calls) });
    expect(JSON.parse(printed.toString())).toEqual(verdicts);
  }
});

test.each([
  ['a redirect is not followed', 302, { location: '/y' }, { status: 302, retryAfter: undefined }],
  ['seconds to wait are read', 429, { 'retry-after': '7' }, { status: 429, retryAfter: 7_000 }],
  [
    'a date in the past is no wait',
    503,
    { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' },
    { status: 503, retryAfter: 0 },
  ],
  ['nonsense is none', 503, { 'retry-after': 'soon' }, { status: 503, retryAfter: undefined }],
] as const)('%s', async (_, status, headers, answer) => {
  const { url, received } = await receiver((__, response) => response.writeHead(status, headers).end());
  expect(await attempt({ url, secret }, batch, { reach: 'any' })).toEqual(answer);
  expect(received).toHaveLength(1);
});

test('an answer without an end is not read to its end', async () => {
  const closed = Promise.withResolvers<unknown>();
  const { url } = await receiver((_, response) => {
    response.on('close', closed.resolve);
    const write = (): void => {
      while (response.write(Buffer.alloc(65_536)));
    };
    response.on('drain', write);
    write();
  });
  expect(await attempt({ url, secret }, batch, { reach: 'any' })).toEqual({ status: 200, retryAfter: undefined });
  await closed.promise;
});

test('an address of this machine is refused, by its number and by its name; nothing arrives', async () => {
  const { url, received } = await receiver((_, response) => response.end());
  for (const each of [url, url.replace('127.0.0.1', 'localhost')]) {
    await expect(attempt({ url: each, secret }, batch, { reach: 'public' })).rejects.toThrow(
      / is not a public address$/,
    );
  }
  expect(received).toEqual([]);
});

/** Receivers that answer nothing that a client of HTTP expects: neither the service nor another receiver waits for them. */

const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

/** Answers every request with these bytes, and then says nothing. */
const strange = async (bytes: string) => {
  const open = new Set<Socket>();
  const server = createTcpServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => {});
    socket.once('data', () => socket.write(bytes));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`, open };
};

const send = (url: string) => attempt({ url, secret }, batch, { reach: 'any' });

test.each([
  ['switches to another protocol', SWITCHING, 101],
  ['begins an answer that has no end', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx', 200],
  ['never sends the content of its answer', 'HTTP/1.1 500 Oops\r\nTransfer-Encoding: chunked\r\n\r\n', 500],
])('a receiver that %s has answered, and holds no connection', async (_, bytes, status) => {
  const { url, open } = await strange(bytes);
  for (let tries = 0; tries < 2; tries++) {
    expect(await send(url)).toEqual({ status, retryAfter: undefined });
    expect(open.size).toBeLessThanOrEqual(1);
  }
  await expect.poll(() => open.size).toBe(0);
});

test('a receiver that ends without an answer has answered nothing', async () => {
  const { url, open } = await strange('HTTP/1.1 102 Processing\r\n\r\n');
  const sent = send(url);
  await expect.poll(() => open.size).toBe(1);
  for (const socket of open) socket.end();
  await expect(sent).rejects.toThrow('socket hang up');
});
