/** The process before an API: what passes, what is translated, what fails and how it ends. */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { document, es, pt } from '../boats.ts';
import { createFolder, sendRaw, startApi, startRawApi, startServe } from './process.ts';

const folder = createFolder({ 'document.json': document });
mkdirSync(join(folder, 'tables'));
writeFileSync(join(folder, 'tables/es.json'), JSON.stringify(es));
writeFileSync(join(folder, 'tables/pt.json'), JSON.stringify(pt));

const BOAT = '{"name":"Aurora","kind":"sail","length":12.10,"id":1533947986218845197}';

async function ask(
  url: string,
  options: Parameters<typeof request>[1] = {},
  body?: string,
): Promise<IncomingMessage & { body: string }> {
  const sent = request(url, options).end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return Object.assign(answer, { body: await text(answer) });
}

test('requests and answers are translated, and canonical ones pass as they are', async () => {
  const seen: string[] = [];
  const api = await startApi(async (incoming, outgoing) => {
    const { method, url, headers } = incoming;
    seen.push(
      `${method} ${url} ${headers.authorization ?? '-'} ${headers['content-type'] ?? '-'} ${await text(incoming)}`,
    );
    outgoing.writeHead(method === 'POST' ? 201 : 200, 'Fine', [
      'Content-Type',
      'application/json',
      'X-Case',
      'a',
      'X-Case',
      'b',
      'Location',
      '/boats/1',
      'Set-Cookie',
      'a=1',
      'Set-Cookie',
      'b=2',
    ]);
    outgoing.end(method === 'GET' ? `[${BOAT}]` : BOAT);
  });
  const { url } = await startServe(api, folder);
  const list = await ask(`${url}/barcos?tipo=vela&orden=-nombre`, { headers: { authorization: 'Bearer x' } });
  expect(list.body).toBe('[{"nombre":"Aurora","tipo":"vela","eslora":12.10,"id":1533947986218845197}]');
  expect(list.headers['set-cookie']).toEqual(['a=1', 'b=2']);
  expect([list.headers.location, list.statusMessage]).toEqual(['/barcos/1', 'Fine']);
  const plain = await ask(`${url}/boats?kind=sail`);
  expect(plain.body).toBe(`[${BOAT}]`);
  expect(plain.rawHeaders.filter((_, at) => at < 10)).toEqual([
    'Content-Type',
    'application/json',
    'X-Case',
    'a',
    'X-Case',
    'b',
    'Location',
    '/boats/1',
    'Set-Cookie',
    'a=1',
  ]);
  const headers = { 'content-type': 'application/json', 'content-length': '33' };
  expect(
    (await ask(`${url}/barcos`, { method: 'POST', headers }, '{"nombre":"Luz","tipo":"vela"}   ')).statusCode,
  ).toBe(201);
  const wrong = await ask(`${url}/barcos?kind=sail`);
  expect([wrong.statusCode, JSON.parse(wrong.body).errors[0].suggestion]).toEqual([400, 'tipo']);
  for (const method of ['DELETE', 'PATCH', 'PROPFIND', 'TRACE', 'OPTIONS', 'HEAD', 'GET']) {
    for (const path of ['/boats/1', '/barcos/1']) {
      const answer = await ask(
        url + path,
        { method, headers: { 'content-type': 'text/x-odd', 'content-length': '3' } },
        'ñ.',
      );
      expect([method, answer.statusCode]).toEqual([method, 200]);
    }
  }
  expect(seen.slice(0, 3)).toEqual([
    'GET /boats?kind=sail&sort=-name Bearer x - ',
    'GET /boats?kind=sail - - ',
    'POST /boats - application/json {"name":"Luz","kind":"sail"}   ',
  ]);
  expect(seen.slice(3).map((line) => line.replace(/^\w+ /, ''))).toEqual(Array(14).fill('/boats/1 - text/x-odd ñ.'));
});

test('absolute addresses of the API become those of the process, and redirects are passed on', async () => {
  const bodies: string[] = [];
  const api = await startApi(async (incoming, outgoing) => {
    const { host } = incoming.headers;
    bodies.push(await text(incoming));
    const location = `http://${host}/boats?kind=sail`;
    outgoing.writeHead(incoming.method === 'GET' ? 200 : 307, { location, 'content-type': 'application/json' });
    outgoing.end(
      `{"url":"http://${host}/boats/3","name":"http://${host}/boats/3","owner":{"boats":[{"url":"//other/boats/1"}]}}`,
    );
  });
  const { url } = await startServe(api, folder);
  const sent = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const redirect = await ask(`${url}/barcos`, sent, `{"url":"${url}/barcos/1"}`);
  expect([redirect.statusCode, redirect.headers.location]).toEqual([307, `${url}/barcos?tipo=vela`]);
  expect(bodies).toEqual([`{"url":"${api}/boats/1"}`]);
  expect(JSON.parse((await ask(`${url}/barcos/1`)).body)).toEqual({
    url: `${url}/barcos/3`,
    nombre: `${api}/boats/3`,
    propietario: { barcos: [{ url: '//other/boats/1' }] },
  });
});

test('bodies stream both ways, and an abort on one side ends the other', async () => {
  let ended = 0;
  let sendEvent = (): void => {};
  const api = await startApi(async (incoming, outgoing) => {
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) ended++;
    });
    if (incoming.method === 'GET') {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      sendEvent = () => void outgoing.write('data: {"name":"Ana"}\n\n');
      return;
    }
    outgoing.writeHead(200, { 'content-type': 'application/json' });
    outgoing.end(JSON.stringify({ name: String((await buffer(incoming)).length) }));
  });
  const { url } = await startServe(api, folder);
  for (const [path, line] of [
    ['/boats/1/owners', 'data: {"name":"Ana"}\n\n'],
    ['/barcos/1/propietarios', 'data: {"titular":"Ana"}\n\n'],
  ]) {
    const sent = request(url + path).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    sendEvent();
    expect(String((await once(answer, 'data'))[0])).toBe(line);
    answer.on('error', () => {});
    sent.destroy();
  }
  await expect.poll(() => ended).toBe(2);
  const rows = '{"nombre":"a"}\n'.repeat(200_000);
  const sent = await ask(
    `${url}/barcos`,
    { method: 'POST', headers: { 'content-type': 'application/x-ndjson' } },
    rows,
  );
  expect(sent.statusCode).toBe(200);
});

test('an API that is not there, is slow or breaks off is a problem in the language of the client', async () => {
  const { url, lines } = await startServe('http://127.0.0.1:1', folder);
  const gone = await ask(`${url}/barcos`, { method: 'POST', headers: { 'content-type': 'application/json' } }, '{}');
  expect([gone.statusCode, gone.headers['content-type'], gone.headers['content-language']]).toEqual([
    502,
    'application/problem+json',
    'es',
  ]);
  expect(JSON.parse(gone.body)).toMatchObject({ code: 'api-unreachable', title: 'API no disponible' });
  expect(JSON.parse((await ask(`${url}/boats`)).body).title).toBe('API not reachable');
  expect(JSON.parse((await ask(`${url}/boats`, { headers: { 'accept-language': 'es-AR' } })).body).title).toBe(
    'API no disponible',
  );
  expect((await ask(`${url}/livez`)).statusCode).toBe(200);
  expect((await ask(`${url}/readyz`)).statusCode).toBe(503);
  expect(
    lines()
      .filter(({ level }) => level === 'error')
      .map(({ path, status, problem }) => [path, status, problem]),
  ).toEqual(Array(3).fill(['/boats', 502, 'api-unreachable']));
});

test('a write whose outcome nobody knows says so', async () => {
  const api = await startRawApi((socket, sent) => {
    if (sent.includes('/boats/1')) socket.destroy();
  });
  const { url } = await startServe(api, folder, '--timeout', '1');
  const put = { method: 'PUT', headers: { 'content-type': 'application/json' } };
  const broken = await ask(`${url}/barcos/1`, put, '{}');
  expect([broken.statusCode, JSON.parse(broken.body).code]).toEqual([504, 'outcome-unknown']);
  const slow = await ask(`${url}/boats/2`, put, '{}');
  expect([slow.statusCode, JSON.parse(slow.body).code]).toEqual([504, 'outcome-unknown']);
  const read = await ask(`${url}/barcos/2`);
  expect([read.statusCode, JSON.parse(read.body).code]).toEqual([504, 'gateway-timeout']);
  const cut = await ask(`${url}/barcos/1`);
  expect([cut.statusCode, JSON.parse(cut.body).code]).toEqual([502, 'bad-gateway']);
});

test('a line of the log and a counter say each request by its template', async () => {
  const api = await startApi(({ method }, outgoing) => {
    if (method === 'PATCH') outgoing.writeHead(401, { 'content-type': 'application/json' });
    outgoing.end('{}');
  });
  const { url, metrics, lines } = await startServe(api, folder, '--metrics-port', '0');
  await ask(`${url}/barcos/secret?tipo=vela`, { headers: { 'x-request-id': 'abc-1' } });
  await ask(`${url}/other/secret`);
  await ask(`${url}/barcos?kind=secret`);
  await ask(`${url}/boats/secret`, { method: 'PATCH' });
  await ask(`${url}/barcos/secret`, { method: 'PATCH' });
  const readLog = () => lines().filter(({ method }) => method);
  await expect.poll(() => readLog().length).toBe(5);
  const logged = readLog();
  expect(logged).toMatchObject([
    { level: 'info', method: 'GET', path: '/boats/{id}', vocabulary: 'es', status: 200, id: 'abc-1' },
    { path: '*', vocabulary: '' },
    { path: '/boats', vocabulary: 'es', status: 400 },
    { path: '/boats/{id}', vocabulary: '' },
    { path: '/boats/{id}', vocabulary: 'es' },
  ]);
  const notices = lines().flatMap(({ message }) => (/describe/.test(`${message}`) ? [message] : []));
  expect(notices).toEqual([
    'the document does not describe PATCH /boats/{id} 401 application/json, which is answered as it is',
  ]);
  expect(JSON.stringify(logged)).not.toContain('secret');
  const counted = await ask(metrics as string);
  expect(counted.body).toContain(
    'vocabularies_request_duration_seconds_count{method="GET",path="/boats/{id}",vocabulary="es",status="200"} 1',
  );
  expect((await ask(`${url}/metrics`)).body).toBe('{}');
  expect((await ask(`${url}/readyz`)).body).toBe('ok\n');
});

test('the log says which client has left, and what the API has broken off', async () => {
  const api = await startApi((incoming, outgoing) => {
    if (incoming.url === '/boats/silent') return;
    if (incoming.url === '/boats/coded') {
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'br' }).end('{');
      return;
    }
    outgoing.writeHead(200, { 'content-type': 'application/json' }).write('{"name":');
    if (incoming.url === '/boats/broken') setImmediate(() => outgoing.destroy());
  });
  const { url, lines } = await startServe(api, folder);
  const silent = request(`${url}/barcos/silent`).on('error', () => {});
  silent.end();
  const coded = await ask(`${url}/barcos/coded`);
  expect([coded.statusCode, coded.statusMessage]).toEqual([502, 'Bad Gateway']);
  await ask(`${url}/barcos/broken`).catch(() => {});
  silent.destroy();
  const find = () =>
    lines()
      .filter(({ method }) => method)
      .map(({ level, status, problem }) => [level, status, problem]);
  await expect.poll(find).toEqual([
    ['error', 502, 'bad-gateway'],
    ['error', expect.anything(), 'bad-gateway'],
    ['info', 499, 'client-gone'],
  ]);
});

test('it goes on when nobody reads its log any more', async () => {
  const api = await startApi((_, outgoing) => void outgoing.end('{}'));
  const { url, child } = await startServe(api, folder);
  child.stdout?.destroy();
  child.stderr?.destroy();
  for (let at = 0; at < 5; at++) expect((await ask(`${url}/barcos/${at}`)).statusCode).toBe(200);
  expect(child.exitCode).toBe(null);
});

test('it stops within ten seconds, and lets short requests end', async () => {
  const api = await startApi((incoming, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'application/json' });
    outgoing.write('{');
    if (incoming.url === '/boats/1') setTimeout(() => outgoing.end('}'), 500);
  });
  const { url, child } = await startServe(api, folder);
  const short = ask(`${url}/barcos/1`);
  const endless = sendRaw(url, 'GET /boats/2 HTTP/1.1\r\nHost: a\r\n\r\n');
  await new Promise((resolve) => setTimeout(resolve, 300));
  const start = Date.now();
  child.kill('SIGTERM');
  expect((await short).body).toBe('{}');
  await endless;
  if (child.exitCode === null) await once(child, 'exit');
  expect([child.exitCode, Date.now() - start < 10_000]).toEqual([0, true]);
}, 20_000);
