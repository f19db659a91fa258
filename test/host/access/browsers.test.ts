/** What pages may not do through the browser of somebody who can reach the service. */
import { once } from 'node:events';
import { afterAll, describe, expect, test } from 'vitest';
import { type BrowserOptions, createBrowserPolicies } from '../../../src/host/access/browsers.ts';
import { openServer } from '../../support/app/server.ts';
import { openSocket } from '../../support/process/service.ts';
import { serveHere } from '../../support/process/service-here.ts';

type Headers = Readonly<Record<string, string>>;

const CAR = '{"identificador":"a","marca":"Seat","modelo":"Ibiza"}';
const ANYWHERE: BrowserOptions = { listensOn: '0.0.0.0', allowedHosts: [], allowedOrigins: [] };
const LOCAL: BrowserOptions = { ...ANYWHERE, listensOn: '127.0.0.1' };

const open = (options = LOCAL) => openServer({ policies: createBrowserPolicies(options) });

const service = await open();
afterAll(service.close);

const cases: readonly (readonly [headers: Headers, status: number])[] = [
  [{}, 201],
  [{ 'Sec-Fetch-Site': 'same-origin' }, 201],
  [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'http://localhost' }, 201],
  [{ 'Sec-Fetch-Site': 'none' }, 201],
  [{ 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }, 403],
  [{ 'Sec-Fetch-Site': 'cross-site', Origin: 'http://localhost' }, 403],
  [{ 'Sec-Fetch-Site': 'same-site', Origin: 'http://localhost:8000' }, 403],
  [{ 'Sec-Fetch-Site': 'same-origin, cross-site' }, 403],
  [{ 'Sec-Fetch-Site': '' }, 403],
  [{ Origin: 'http://localhost' }, 201],
  [{ Origin: 'http://localhost', Host: 'localhost:80' }, 201],
  [{ Origin: 'http://LOCALHOST:3000', Host: 'LocalHost:3000' }, 201],
  [{ Origin: 'http://[::1]:3000', Host: '[::1]:3000' }, 201],
  [{ Origin: 'http://localhost:8000', Host: 'localhost:3000' }, 403],
  [{ Origin: 'http://127.0.0.1:3000', Host: 'localhost:3000' }, 403],
  [{ Origin: 'https://evil.example' }, 403],
  [{ Origin: 'https://localhost.evil.example' }, 403],
  [{ Origin: 'null' }, 403],
  [{ Origin: '' }, 403],
  [{ Origin: 'localhost' }, 403],
  [{ Origin: 'http://localhost, http://localhost' }, 403],
];

test.each(cases)('a write with %j is %i, and only then done', async (headers, status) => {
  const { ask } = service;
  // A second try finds what the first one has left.
  await ask('DELETE', '/api/cars/a');
  const created = await ask('POST', '/api/coches', headers, CAR);
  expect(created.status).toBe(status);
  expect((await ask('GET', '/api/coches/a', {})).status).toBe(status === 201 ? 200 : 404);
  if (status === 201) expect((await ask('DELETE', '/api/cars/a', headers)).status).toBe(204);
});

const FOREIGN = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };

test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('%s for a page of another site is the first fault', async (method) => {
  const faulty = ['/api/coches', '/api/coches/a', '/api/nada', '/api/coches/%zz', `/api/coches?${'a'.repeat(9_000)}`];
  for (const path of faulty) {
    const { status, text } = await service.ask(method, path, { ...FOREIGN, Accept: 'text/html' });
    expect([method, path.slice(0, 20), status]).toEqual([method, path.slice(0, 20), 403]);
    expect(text).toContain('"code":"forbidden"');
  }
});

test.each(['GET', 'HEAD', 'OPTIONS'])('%s for a page of another site is answered', async (method) => {
  const { status } = await service.ask(method, '/api/coches', FOREIGN);
  expect(status).toBe(method === 'OPTIONS' ? 204 : 200);
});

test('a page of another site learns in the language of the path who could allow it', async () => {
  const spanish = await service.ask('POST', '/api/coches', FOREIGN, CAR);
  expect(spanish.text).toMatch(/\r\ncontent-language: es\r\n/i);
  expect(spanish.text).toContain(
    'Las páginas de «https://evil.example» no pueden modificar nada aquí. Quien administra el servicio puede permitirlo con «CORS_ORIGINS».',
  );
  const english = await service.ask('POST', '/api/cars', { 'Sec-Fetch-Site': 'cross-site' }, '{}');
  expect(english.text).toContain(
    'Pages of “null” cannot change anything here. The operator can allow them with “CORS_ORIGINS”.',
  );
});

test('pages of origins that are allowed may write', async () => {
  const { ask, close } = await open({ ...LOCAL, allowedOrigins: ['https://shop.example'] });
  const from = (Origin: string) =>
    ask('POST', '/api/coches', { ...FOREIGN, Origin }, '{"marca":"Seat","modelo":"Ibiza"}');
  expect((await from('https://shop.example')).status).toBe(201);
  expect((await from('https://evil.example')).status).toBe(403);
  expect((await from('null')).status).toBe(403);
  await close();
  const lenient = await open({ ...LOCAL, allowedOrigins: ['*'] });
  expect((await lenient.ask('DELETE', '/api/cars/a', FOREIGN)).status).toBe(404);
  await lenient.close();
});

const BROWSERS: readonly Headers[] = [
  { 'Sec-Fetch-Site': 'none' },
  { 'Sec-Fetch-Site': 'same-origin' },
  { Origin: 'http://evil.example' },
  { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64)' },
];
const PROGRAMS: readonly Headers[] = [{}, { 'User-Agent': 'curl/8.5.0' }, { 'User-Agent': 'python-requests/2.32' }];
const OWN = ['localhost', 'LOCALHOST:3000', 'localhost.', 'cars.localhost', '127.0.0.1', '127.1.2.3:80', '[::1]:3000'];
const OTHERS = [
  'evil.example',
  'evil.example:3000',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '10.0.0.1',
  '',
];

describe('a service that listens on the machine itself', () => {
  test.each(BROWSERS)('answers a browser (%j) by names of the machine only', async (browser) => {
    // Twice, so that the second one could be a kept answer.
    for (const Host of [...OWN, ...OWN]) {
      expect([Host, (await service.ask('GET', '/api/coches', { ...browser, Host })).status]).toEqual([Host, 200]);
    }
    for (const Host of OTHERS) {
      const { status, text } = await service.ask('GET', '/api/coches', { ...browser, Host });
      expect([Host, status]).toEqual([Host, 403]);
      expect(text).toContain(
        `Los navegadores no pueden acceder al servicio como «${Host}». Si es uno de sus nombres, quien lo administra puede permitirlo con «ALLOWED_HOSTS».`,
      );
    }
  });

  test.each(PROGRAMS)('answers a program (%j) by any name', async (program) => {
    for (const Host of [...OWN, ...OTHERS]) {
      expect([Host, (await service.ask('DELETE', '/api/coches/none', { ...program, Host })).status]).toEqual([
        Host,
        404,
      ]);
    }
  });

  test('has the names that it is given', async () => {
    const allowing = await open({ ...LOCAL, allowedHosts: ['cars.example', '[fd00::1]'] });
    const any = await open({ ...LOCAL, allowedHosts: ['*'] });
    const ask = async ({ ask }: typeof any, Host: string) =>
      (await ask('GET', '/api/coches', { 'Sec-Fetch-Site': 'none', Host })).status;
    for (const Host of ['cars.example', 'Cars.Example:8080', '[FD00::1]:3000', 'localhost']) {
      expect([Host, await ask(allowing, Host)]).toEqual([Host, 200]);
    }
    for (const Host of ['www.cars.example', 'example', 'evil.example']) {
      expect([Host, await ask(allowing, Host), await ask(any, Host)]).toEqual([Host, 403, 200]);
    }
    await allowing.close();
    await any.close();
  });
});

test('a service that others can reach does not mind its name', async () => {
  const { ask, close } = await open(ANYWHERE);
  for (const browser of BROWSERS) {
    for (const Host of OTHERS) expect((await ask('GET', '/api/coches', { ...browser, Host })).status).toBe(200);
  }
  expect((await ask('POST', '/api/coches', FOREIGN, CAR)).status).toBe(403);
  await close();
});

test('the settings name hosts and origins', async () => {
  const { port } = await serveHere({ ALLOWED_HOSTS: 'cars.example', CORS_ORIGINS: 'https://shop.example' });
  const statusOf = async (request: string): Promise<string> => {
    const socket = await openSocket(port);
    const answered = once(socket, 'data');
    socket.write(`${request}\r\n\r\n`);
    return String(await answered).slice(9, 12);
  };
  const get = (host: string) => statusOf(`GET /api/cars HTTP/1.1\r\nHost: ${host}\r\nSec-Fetch-Site: none`);
  expect([await get('cars.example'), await get('evil.example')]).toEqual(['200', '403']);
  const write = (origin: string) => statusOf(`DELETE /api/cars/a HTTP/1.1\r\nHost: localhost\r\nOrigin: ${origin}`);
  expect([await write('https://shop.example'), await write('https://evil.example')]).toEqual(['404', '403']);
});
