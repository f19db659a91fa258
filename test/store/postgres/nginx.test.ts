import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCar, inPortions } from '../../support/conformance/fixtures.ts';
import { openForTest, preparedDatabase } from '../../support/database/database.ts';
import { openRelay } from '../../support/faults/relay.ts';
import { shared, type WhenOver } from '../../support/process/folder.ts';
import { freePort } from '../../support/process/free-port.ts';
import { noNginx, startNginx } from '../../support/process/nginx.ts';
import { sendTo, serve } from '../../support/process/service.ts';

/** Two instances on one database, which they reach through a relay, and nginx in front of them. */
const openGateway = async (whenOver: WhenOver) => {
  const url = await preparedDatabase(whenOver);
  const through = new URL(url);
  const relay = await openRelay(Number(through.port), whenOver);
  through.port = String(relay.port);
  // Two long lists of the one client that nginx is may come to the same instance.
  const env = { DATABASE_URL: through.href, DATABASE_POOL: '3', CLIENT_SHARE: '100' };
  const start = (port: number) => serve({ env: { ...env, PORT: String(port) }, whenOver });
  // Their own, also while nobody listens there.
  const [first, second] = await Promise.all([start(await freePort()), start(await freePort())]);
  const { origin, countServed } = await startNginx([first.port, second.port], whenOver);
  return { url, relay, start, first, second, countServed, send: sendTo(origin) };
};

const IBIZA = { identifier: 'ibiza-1', brand: 'Seat', model: 'Ibiza' };

/** Long enough to be worth compressing. */
const LARGE = { brand: 'Seat', model: 'Ibiza', version: '🚗'.repeat(200), fuel: '🚗'.repeat(200) };

/** Of letters that do not compress well, so that a list is long for nginx too. */
const noise = (length = 200): string =>
  String.fromCharCode(...Array.from({ length }, () => 0x4e00 + Math.random() * 0x5000));

/** Cars of more than 1 kB each. */
const fill = async (url: string, count: number): Promise<void> => {
  const store = await openForTest(url);
  await inPortions(count, (at) => createCar(store, `car-${at}`, { version: noise(), fuel: noise() }));
};

/** Cars, more than one chunk of a list. */
const LONG = 700;

/** The same two for all tests, one after the other: each leaves them as the next one finds them. */
describe.skipIf(noNginx)(`two instances behind nginx${noNginx ? `: ${noNginx}` : ''}`, () => {
  const open = shared(openGateway);
  let gateway: Awaited<ReturnType<typeof openGateway>>;
  beforeAll(async () => {
    gateway = open();
    await gateway.send('POST', '/api/cars', IBIZA);
  });

  // What a first try has left: instances that it has ended, and cars.
  beforeEach(async ({ task }) => {
    if (!task.result?.retryCount) return;
    const { start, send, first, second } = gateway;
    const revive = ({ child, port }: typeof first) =>
      child.exitCode !== null || child.signalCode !== null ? start(port) : undefined;
    gateway = { ...gateway, first: (await revive(first)) ?? first, second: (await revive(second)) ?? second };
    const cars = (await (await fetch(`${gateway.first.origin}/api/cars`)).json()) as readonly { identifier: string }[];
    for (const { identifier } of cars) {
      const path = `/api/cars/${encodeURIComponent(identifier)}`;
      if (identifier !== IBIZA.identifier) await send('DELETE', path);
    }
  });

  /** @returns resolves once both instances have answered something since */
  const bothServe = () => {
    const { first, second, countServed } = gateway;
    const counts = () => [first, second].map(({ port }) => countServed(port));
    const before = counts();
    return () => expect.poll(() => counts().every((count, at) => count > (before[at] ?? 0))).toBe(true);
  };

  test('answer as one alone does', async () => {
    const { send } = gateway;
    const served = bothServe();
    const created = await send('POST', '/api/coches', { identificador: 'a/b', marca: 'Seat', modelo: 'León' });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe('/api/coches/a%2Fb');
    const tag = created.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[0-9a-z]+\.es"$/);

    // Keys with slashes, in both trees and on both instances.
    for (let round = 0; round < 4; round++) {
      const item = await send('GET', '/api/cars/a%2Fb', undefined, {
        'accept-encoding': 'gzip',
        'x-request-id': 'my-own',
      });
      expect(await item.json()).toEqual({ identifier: 'a/b', brand: 'Seat', model: 'León' });
      expect([item.headers.get('etag'), item.headers.get('content-encoding')]).toEqual([
        tag.replace('.es', '.en'),
        null,
      ]);
      expect(item.headers.get('x-request-id')).toBe('my-own');
    }
    await served();
    const anonymous = await send('GET', '/api/coches/a%2Fb', undefined, { 'if-none-match': tag });
    expect([anonymous.status, anonymous.headers.get('x-request-id')]).toEqual([
      304,
      expect.stringMatching(/^[0-9a-f]{32}$/),
    ]);
    expect(
      (await send('POST', '/api/coches/a%2Fb/aceites', { tipo: '10W/40', otros_datos: 'x'.repeat(9_999) })).status,
    ).toBe(201);
    const oil = await send('GET', '/api/cars/a%2Fb/oils/10W%2F40', undefined, { 'accept-encoding': 'gzip' });
    expect([oil.headers.get('etag'), ((await oil.json()) as { readonly otherInfo: string }).otherInfo.length]).toEqual([
      expect.stringMatching(/^"[0-9a-z]+\.en"$/),
      9_999,
    ]);
    for (const key of ['%2F', '..%2F', '..%2Fa', 'a%2F%2Fb', '%3F', '%25', 'a%20b', '%C3%A9']) {
      const car = { ...LARGE, identifier: decodeURIComponent(key) };
      const location = `/api/cars/${key}`;
      expect((await send('POST', '/api/cars/', car)).headers.get('location')).toBe(location);
      const item = await send('GET', location, undefined, { 'accept-encoding': 'gzip' });
      expect(await item.json()).toEqual(car);
      const etag = item.headers.get('etag') ?? '';
      expect((await send('PUT', location, { doors: 5 }, { 'if-match': etag })).status).toBe(200);
    }
  });

  test('say themselves what is too long or too large, in the tree’s language; nginx says what is far beyond', async () => {
    const { send } = gateway;
    const own = [
      await send('GET', `/api/coches?marca=${'a'.repeat(9_000)}`),
      await send('POST', '/api/coches', `{"marca":"${'a'.repeat(1_100_000)}"}`),
    ];
    const beyond = [
      await send('GET', `/api/coches?marca=${'a'.repeat(20_000)}`),
      await send('POST', '/api/coches', `{"marca":"${'a'.repeat(2_200_000)}"}`),
    ];
    const told = async (answer: Response) => [
      answer.status,
      answer.headers.get('content-type'),
      answer.headers.get('content-language'),
      ((await answer.json()) as { readonly code: string }).code,
    ];
    const json = 'application/problem+json';
    expect(await Promise.all(own.map(told))).toEqual([
      [414, json, 'es', 'uri-too-long'],
      [413, json, 'es', 'body-too-large'],
    ]);
    expect(await Promise.all(beyond.map(told))).toEqual([
      [414, json, 'en', 'uri-too-long'],
      [413, json, 'en', 'body-too-large'],
    ]);
  });

  test('import files of more than a single item may have, and say themselves what they cannot import', async () => {
    const { send } = gateway;
    const csv = { 'content-type': 'text/csv' };
    const text = '汽'.repeat(190);
    const rows = Array.from({ length: 2_000 }, () => `Seat,Ibiza,${text},${text}\n`).join('');
    const prefer = { prefer: 'handling=check' };
    const checked = await send('POST', '/api/cars', `brand,model,version,fuel\n${rows}`, { ...csv, ...prefer });
    expect([checked.status, await checked.json()]).toEqual([200, expect.objectContaining({ created: 2_000 })]);
    const refused = await send('POST', '/api/coches', `marka,modelo,version,fuel\n${rows}`, csv);
    expect([refused.status, await refused.json()]).toEqual([
      400,
      expect.objectContaining({ errors: [expect.objectContaining({ suggestion: 'marca' })] }),
    ]);
  });

  test.each([
    ['a filter of 900 characters', 900],
    ['a URL of 8 KiB', 8_100],
  ])('%s takes no instance away from others', async (_, length) => {
    const { send } = gateway;
    // Characters that take most room in the links of a response.
    const filter = 'ñ'.repeat(length / 6);
    const statuses = new Set<number>();
    for (let round = 0; round < 3; round++) {
      const long = ['/api/cars?brand=', '/api/coches?pagina=1&marca='].map((path) =>
        send('GET', path + encodeURIComponent(filter)),
      );
      const others = Array.from({ length: 10 }, (_, at) =>
        at % 2 === 0
          ? send('GET', '/api/cars/ibiza-1')
          : send('POST', '/api/coches', { marca: 'Seat', modelo: 'Ibiza' }),
      );
      for (const response of await Promise.all([...long, ...others])) {
        await response.arrayBuffer();
        statuses.add(response.status);
      }
    }
    expect(statuses).toEqual(new Set([200, 201]));
  });

  test('do not show that one of them was killed, but to a POST; and serve again when it is back', async () => {
    const { start, send, first, second } = gateway;
    const statuses: number[] = [];
    let isOver = false;
    const asking = Array.from({ length: 8 }, async (_, at) => {
      while (!isOver) {
        const path = at % 2 === 0 ? '/api/cars/ibiza-1' : '/api/coches/ibiza-1';
        const answer = await (at < 6 ? send('GET', path) : send('PUT', path, { version: `${at}` }));
        await answer.arrayBuffer();
        statuses.push(answer.status);
      }
    });
    const more = async () => {
      const wanted = statuses.length + 60;
      await expect.poll(() => statuses.length, { timeout: 40_000 }).toBeGreaterThan(wanted);
    };
    await more();
    await first.end('SIGKILL');
    await more();
    isOver = true;
    await Promise.all(asking);
    expect(new Set(statuses)).toEqual(new Set([200]));

    gateway = { ...gateway, first: await start(first.port) };
    await second.end('SIGTERM');
    await expect.poll(async () => (await send('GET', '/api/cars/ibiza-1')).status, { timeout: 40_000 }).toBe(200);
    gateway = { ...gateway, second: await start(second.port) };
  });

  test('send long lists as they read them, compressed where that is asked for, and never pass a part for the whole', async () => {
    const { url, relay, send, first, second } = gateway;
    await fill(url, LONG);
    const direct = await fetch(`${first.origin}/api/coches`);
    const total = direct.headers.get('x-total-count');
    expect(Number(total)).toBeGreaterThan(LONG);
    const whole = await direct.text();
    for (const coding of ['identity', 'gzip']) {
      const list = await send('GET', '/api/coches', undefined, { 'accept-encoding': coding });
      expect(list.headers.get('content-encoding')).toBe(coding === 'gzip' ? 'gzip' : null);
      expect(list.headers.get('x-total-count')).toBe(total);
      expect((await list.text()) === whole).toBe(true);
      const again = await send('GET', '/api/coches', undefined, { 'if-none-match': list.headers.get('etag') ?? '' });
      expect(again.status).toBe(304);
    }
    // Of each list the first chunk comes, and what would ask for the next one is held back.
    let chunks = 0;
    relay.inspect({
      sent: (piece) => (piece.includes('FETCH') && chunks++ % 2 === 1 ? new Promise<'cut'>(() => {}) : 'pass'),
    });
    const readers = [];
    for (const coding of ['identity', 'gzip']) {
      const list = await send('GET', '/api/coches', undefined, { 'accept-encoding': coding });
      expect(list.status).toBe(200);
      const reader = list.body?.getReader();
      expect(await reader?.read()).toMatchObject({ done: false });
      readers.push(reader);
    }
    expect(chunks).toBe(4);
    await Promise.all([first.end('SIGKILL'), second.end('SIGKILL')]);
    for (const reader of readers) {
      const rest = async () => {
        while (!(await reader?.read())?.done);
      };
      await expect(rest()).rejects.toThrow('terminated');
    }
  });

  test('are a 503 with a problem where none is left', async () => {
    const { send, first, second } = gateway;
    await Promise.all([first.end('SIGTERM'), second.end('SIGTERM')]);
    const file = { 'content-type': 'text/csv' };
    for (const [method, body, headers] of [
      ['GET', undefined, {}],
      ['POST', IBIZA, {}],
      ['POST', 'x'.repeat(3_000_000), file],
    ] as const) {
      const answer = await send(method, '/api/coches', body, { 'x-request-id': 'my-own', ...headers });
      expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
        503,
        '1',
        expect.objectContaining({ code: 'unavailable', status: 503, requestId: 'my-own' }),
      ]);
    }
  });
});
