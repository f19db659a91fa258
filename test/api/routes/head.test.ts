import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApp } from '../../support/app/app.ts';
import { openServer } from '../../support/app/server.ts';
import { short } from '../../support/app/trees.ts';
import { spoilLists } from '../../support/database/reads.ts';
import { temporaryFolder } from '../../support/process/folder.ts';

type Server = Awaited<ReturnType<typeof openServer>>;

interface Answer {
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const NEVER = /(?!)/;
/** What every answer has anew. */
const NEW = ['date', 'x-request-id'];
const LONG = `/api/cars?brand=${'x'.repeat(8_200)}`;

/** An answer as it comes, up to the end of its connection. */
const ask = async ({ raw }: Server, method: string, target: string, more = ''): Promise<Answer> => {
  const own = `Connection: close\r\n${more}`;
  const answer = await raw(`${method} ${target} HTTP/1.1\r\nHost: x\r\n${own}\r\n`, NEVER);
  const end = answer.indexOf('\r\n\r\n');
  const [line = '', ...fields] = answer.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    fields.map((field) => [
      field.slice(0, field.indexOf(':')).toLowerCase(),
      field.slice(field.indexOf(':') + 1).trim(),
    ]),
  );
  return { line, headers, body: answer.slice(end + 4) };
};

const without = (headers: Readonly<Record<string, string>>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

const create = async ({ origin }: Server, path: string, items: readonly object[]): Promise<void> => {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(items) });
  expect(answer.status).toBe(200);
};

/** The status with either method, what is asked for, and what else the request says. */
const exact: readonly [status: number, target: string, more: string][] = [
  [200, '/api/cars/k0', ''],
  [200, '/api/coches/k0/', ''],
  [200, '/api/cars/k0/oils/5W-30', ''],
  [200, '/api/coches/k0/aceites/5W-30', ''],
  [404, '/api/cars/none', ''],
  [404, '/api/coches/k0/aceites/none', ''],
  [404, '/api/cars/k0/a/b/c', ''],
  [400, '/api/coches?marca=x&orden=x&pagina=0', ''],
  [400, '/api/coches/k0?x=1', ''],
  [400, '/api/coches/%zz', ''],
  [414, LONG, ''],
  [406, '/api/cars/k0', 'Accept: text/html\r\n'],
  [412, '/api/cars/k0', 'If-Match: "x"\r\n'],
  [412, '/api/coches', 'If-Match: "x"\r\n'],
  [304, '/api/cars/k0', 'If-None-Match: *\r\n'],
  [304, '/api/cars', 'If-None-Match: *\r\n'],
  [304, '/api/coches/k0/aceites', 'If-None-Match: *\r\n'],
  [400, '/api/coches', 'Host: y\r\n'],
  [200, '/livez', ''],
  [200, '/readyz', ''],
  [400, '/api/problems/not-found?x=1', ''],
  [200, '/api/problems/not-found', ''],
  [200, '/api/problems/not-found', 'Accept-Language: es-MX\r\n'],
  [404, '/api/problems/none', 'Accept-Language: es\r\n'],
  [404, '/nada', 'Accept-Language: es\r\n'],
];

const lists = [
  ...['/api/cars/k0/oils', '/api/coches/k0/aceites/', '/api/cars/k1/oils'],
  ...['/api/cars?brand=seat&number_of_elements=3&page=2', '/api/coches?modelo=M7', '/api/coches?marca=nadie'],
  ...['/api/coches?pagina=99', '/api/cars', '/api/coches', '/api/coches?orden=descendente&ordenar_por=modelo'],
] as const;

describe('HEAD', () => {
  let server: Server;
  beforeAll(async () => {
    server = await openServer({ database: `sqlite:${join(temporaryFolder(afterAll), 'cars.db')}` });
    await create(
      server,
      '/api/cars',
      Array.from({ length: 600 }, (_, at) => ({ identifier: `k${at}`, brand: 'Seat', model: `M${at}` })),
    );
    await create(server, '/api/coches/k0/aceites', [{ tipo: '5W-30', otros_datos: 'ñ' }]);
  });
  afterAll(() => server.close());

  const named = exact.map(([status, target, more]) => [status, short(target), more, target] as const);
  test.each(named)(
    'of what is answered %s at %s %j has all headers of GET, and no body',
    async (status, _, more, target) => {
      const [get, head] = [await ask(server, 'GET', target, more), await ask(server, 'HEAD', target, more)];
      expect(get.line).toContain(` ${status} `);
      expect(head.line).toBe(get.line);
      expect(without(head.headers, NEW)).toEqual(without(get.headers, NEW));
      expect(get.headers['content-length']).toBe(status === 304 ? undefined : String(get.body.length));
      expect(get.body === '').toBe(status === 304);
      expect(head.body).toBe('');
    },
  );

  test.each(lists)('of %s has the headers of GET, but for those of its length, and no body', async (target) => {
    const [get, head] = [await ask(server, 'GET', target), await ask(server, 'HEAD', target)];
    expect([get.line, head.line]).toEqual(['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK']);
    const length = ['content-length', 'transfer-encoding'];
    expect(without(head.headers, [...NEW, ...length])).toEqual(without(get.headers, [...NEW, ...length]));
    expect(head.headers).toHaveProperty('x-total-count');
    expect(head.headers).toHaveProperty('etag');
    const sent = head.headers['content-length'];
    if (sent !== undefined) expect(sent).toBe(String(get.body.length));
    expect(get.body).not.toBe('');
    expect(head.body).toBe('');
  });

  test('leaves the connection in order for what comes after it', async () => {
    const head = 'HEAD /api/coches HTTP/1.1\r\nHost: x\r\n\r\n';
    const answer = await server.raw(`${head}${head}GET /livez HTTP/1.1\r\nHost: x\r\n\r\n`, /"ok"/);
    expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(Array(3).fill('HTTP/1.1 200'));
    expect(answer).not.toContain('[');
  });

  test('a condition may be spread over several lines', async () => {
    for (const path of ['/api/cars/k1', '/api/coches/k1']) {
      const { headers } = await ask(server, 'GET', path);
      const lines = (name: string): string => `${name}: "x", "y"\r\n${name}: ${headers.etag}\r\n${name}: "z"\r\n`;
      expect((await ask(server, 'GET', path, lines('If-None-Match'))).line).toBe('HTTP/1.1 304 Not Modified');
      expect((await ask(server, 'GET', path, lines('If-Match'))).line).toBe('HTTP/1.1 200 OK');
      expect((await ask(server, 'DELETE', path, lines('If-None-Match'))).line).toBe('HTTP/1.1 412 Precondition Failed');
    }
  });

  test('304 and 204 have neither a body nor headers that tell of one', async () => {
    const requests = [
      ['GET', '/api/cars/k1', 'If-None-Match: *\r\n'],
      ['GET', '/api/coches', 'If-None-Match: *\r\n'],
      ['OPTIONS', '/api/coches/k1', ''],
      ['OPTIONS', '/livez', ''],
      ['DELETE', '/api/coches/k1', ''],
    ] as const;
    for (const [method, target, more] of requests) {
      const { line, headers, body } = await ask(server, method, target, more);
      expect(line).toMatch(/ (?:304|204) /);
      expect(body).toBe('');
      for (const name of ['content-type', 'content-language', 'content-length', 'transfer-encoding']) {
        expect(headers).not.toHaveProperty(name);
      }
    }
  });
});

const spoiled = [
  '/api/cars',
  '/api/coches?pagina=1',
  '/api/cars/k0/oils',
  '/api/coches/k0/aceites?tipo=5W-30',
] as const;

test.each(spoiled)('HEAD of %s, and GET of a client that knows it, reads no rows', async (target) => {
  const list = () => {
    throw new Error('rows were read');
  };
  const { request, faults, close } = await openApp({ spoil: (store) => spoilLists(store, list) });
  const headers = { 'content-type': 'application/json' };
  const car = '{"identifier":"k0","brand":"Seat","model":"Ibiza"}';
  await request('/api/cars', { method: 'POST', body: car, headers });
  await request('/api/cars/k0/oils', { method: 'POST', body: '{"type":"5W-30"}', headers });
  const head = await request(target, { method: 'HEAD' });
  expect([head.status, head.headers.get('x-total-count')]).toEqual([200, '1']);
  const known = await request(target, { headers: { 'if-none-match': head.headers.get('etag') ?? '' } });
  expect(known.status).toBe(304);
  expect(faults).toEqual([]);
  expect((await request(target)).status).toBe(500);
  expect(faults).toEqual([new Error('rows were read')]);
  await close();
});
