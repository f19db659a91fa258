import { expect, test } from 'vitest';
import { openApp, useFreshApp } from '../../support/app/app.ts';
import { linkedFrom } from '../../support/app/links.ts';
import { onServer } from '../../support/database/database.ts';
import { temporaryFolder } from '../../support/process/folder.ts';

const { send } = useFreshApp({
  given: [
    ...[1, 2, 3, 4, 5, 6].map((at) => ['/api/cars', { identifier: `k${at}`, brand: 'Seat', model: `M${at}` }] as const),
    ...['a', 'b', 'c', 'd'].map(
      (type) => ['/api/cars/k1/oils', { type, otherInfo: `${'ñ😀'.repeat(200)}${type}` }] as const,
    ),
  ],
});

const keys = (json: readonly Record<string, string>[], word = 'identifier') => json.map((each) => each[word]);

test('a page by position begins where the one before it ended, whatever was deleted or created meanwhile', async () => {
  const first = await send('GET', '/api/cars?number_of_elements=2');
  expect(keys(first.json)).toEqual(['k1', 'k2']);
  await send('DELETE', '/api/cars/k1');
  await send('DELETE', '/api/cars/k2');
  await send('POST', '/api/cars', { identifier: 'k0', brand: 'Seat', model: 'M0' });
  const second = await send('GET', linkedFrom(first, 'next'));
  expect(keys(second.json)).toEqual(['k3', 'k4']);
  expect(second.headers.get('x-total-count')).toBe('5');
  const third = await send('GET', linkedFrom(second, 'next'));
  expect(keys(third.json)).toEqual(['k5', 'k6']);
  const fourth = await send('GET', linkedFrom(third, 'next'));
  expect([keys(fourth.json), linkedFrom(fourth, 'next'), linkedFrom(fourth, 'last')]).toEqual([['k0'], '', '']);
});

test('a position holds in every tree, for pages of any size, members and format', async () => {
  const { headers } = await send('GET', '/api/cars?number_of_elements=2&sort_by=model&order=desc');
  const [, after] = /after=([\w-]+)/.exec(headers.get('link') ?? '') ?? [];
  const spanish = await send('GET', `/api/coches?ordenar_por=modelo&orden=descendente&despues_de=${after}`);
  expect(keys(spanish.json, 'identificador')).toEqual(['k4', 'k3', 'k2', 'k1']);
  const csv = `/api/cars?sort_by=model&order=desc&after=${after}&number_of_elements=1&fields=model&format=csv`;
  expect((await send('GET', csv)).text).toBe('identifier,model\r\nk4,M4\r\n');
});

const LONG = 'x'.repeat(65);
const token = (...cells: readonly unknown[]): string => Buffer.from(JSON.stringify(cells)).toString('base64url');
/** As `after` of the list of oils sorted by another information, with its own digest. */
const digestOf = async (path: string): Promise<unknown> => {
  const { headers } = await send('GET', `${path}number_of_elements=1`);
  const [, after = ''] = /after=([\w-]+)/.exec(headers.get('link') ?? '') ?? [];
  return JSON.parse(Buffer.from(after, 'base64url').toString())[0];
};

test.each([
  ['/api/cars?number_of_elements=2&after=x', 'must be the position that the “Link” of this list gives'],
  ['/api/cars?after=', '“after” must not be empty.'],
  ['/api/coches?despues_de=a&despues_de=b', '«despues_de» solo puede aparecer una vez.'],
  ['/api/cars?sort_by=year&after=OWN', 'with the same filters and order.'],
  ['/api/coches?marca=seat&despues_de=OWN', 'con los mismos filtros y el mismo orden.'],
  ['/api/coches?orden=descendente&despues_de=OWN', 'con los mismos filtros y el mismo orden.'],
  ['/api/cars/k1/oils?after=OWN', 'with the same filters and order.'],
  ['/api/cars?page=2&after=OWN', '“after” and “page” exclude each other.'],
  ['/api/coches?agrupar_por=marca&despues_de=OWN', '«despues_de» y «agrupar_por» se excluyen entre sí.'],
])('%s is 400', async (path, detail) => {
  const { headers } = await send('GET', '/api/cars?number_of_elements=2');
  const [, own = ''] = /after=([\w-]+)/.exec(headers.get('link') ?? '') ?? [];
  const { status, json } = await send('GET', path.replace('OWN', own));
  expect([status, json.code, json.detail]).toEqual([400, 'invalid-parameter', expect.stringContaining(detail)]);
  const parameter = path.includes('coches') ? 'despues_de' : 'after';
  expect(json.errors).toMatchObject([{ parameter, name: 'after', code: 'invalid-parameter' }]);
});

test('a position that somebody made up is refused, or is one: nothing is 500', async () => {
  const lists: readonly (readonly [path: string, ...cells: readonly unknown[]])[] = [
    ['/api/cars?', 2 ** 53],
    ['/api/cars?', 1.5],
    ['/api/cars?', 'x'],
    ['/api/cars?', null],
    ['/api/cars?', true],
    ['/api/cars?', {}],
    ['/api/cars?', -(2 ** 53) + 1],
    ['/api/cars?sort_by=year&', '2008', 1],
    ['/api/cars?sort_by=year&', 2 ** 52, 2 ** 52],
    ['/api/cars?sort_by=year&', null, 1],
    ['/api/cars?sort_by=brand&', 5, 1],
    ['/api/cars?sort_by=brand&', 'a\0', 1],
    ['/api/cars?sort_by=brand&', '\ud800', 1],
    ['/api/cars?sort_by=brand&', LONG, 1],
    ['/api/cars?sort_by=brand&', 'a', 1, 1],
    ['/api/cars?search=seat&', 2 ** 40, 1],
    ['/api/cars?search=seat&', null, 1],
  ];
  const statuses: number[] = [];
  for (const [path, ...cells] of lists) {
    const after = token(await digestOf(path), ...cells);
    statuses.push((await send('GET', `${path}after=${after}`)).status);
  }
  expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 200, 400, 200, 200, 400, 400, 400, 200, 400, 200, 400]);
});

test('a page of any size follows a position', async () => {
  const { headers } = await send('GET', '/api/cars?number_of_elements=2&sort_by=year');
  const [, after] = /after=([\w-]+)/.exec(headers.get('link') ?? '') ?? [];
  for (const size of ['500', '501', '9007199254740991', '99999999999999999999']) {
    const page = await send('GET', `/api/cars?sort_by=year&after=${after}&number_of_elements=${size}`);
    expect([size, keys(page.json), linkedFrom(page, 'next')]).toEqual([size, ['k3', 'k4', 'k5', 'k6'], '']);
  }
});

test('a text that is too long for a URL is compared whole, and by its beginning once it is gone', async () => {
  const list = '/api/cars/k1/oils?sort_by=otherInfo&number_of_elements=2';
  const first = await send('GET', list);
  expect(linkedFrom(first, 'next').length).toBeLessThan(400);
  const next = async () => keys((await send('GET', linkedFrom(first, 'next'))).json, 'type');
  expect([keys(first.json, 'type'), await next()]).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  await send('DELETE', '/api/cars/k1/oils/b');
  expect(await next()).toEqual(['a', 'c']);
});

test.each(onServer ? ['a server'] : ['memory', 'a file'])(
  'pages too long to be read at once follow each other, too (%s)',
  async (where) => {
    const database = where === 'a file' ? { database: `sqlite:${temporaryFolder()}/some.db` } : {};
    const app = await openApp({ ...database });
    const rows = Array.from(
      { length: 2_500 },
      (_, at) => `k${at},Seat,M${at % 7},${at % 3 === 0 ? '' : 2000 + (at % 5)}`,
    );
    const csv = ['identifier,brand,model,year', ...rows].join('\n');
    expect((await app.send('POST', '/api/cars', csv, { 'content-type': 'text/csv' })).status).toBe(200);
    for (const sort of ['', '&sort_by=year&order=desc', '&sort_by=model,year', '&search=seat']) {
      const whole = keys((await app.send('GET', `/api/cars?${sort}`)).json);
      const pages: (string | undefined)[][] = [];
      let address = `/api/cars?number_of_elements=1000${sort}`;
      while (address !== '') {
        const page = await app.send('GET', address);
        const head = await app.send('HEAD', address);
        expect(head.headers.get('link')).toBe(page.headers.get('link'));
        pages.push(keys(page.json));
        address = linkedFrom(page, 'next');
      }
      expect([sort, pages.map(({ length }) => length)]).toEqual([sort, [1_000, 1_000, 500]]);
      expect(pages.flat()).toEqual(whole);
    }
    await app.close();
  },
);
