/** Neither cached rows nor a connection that stays open mix formats, languages or parts of items, however often they are asked for. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServer } from '../../support/app/server.ts';
import { carWords } from '../../support/language/car-words.ts';
import { temporaryFolder } from '../../support/process/folder.ts';

let server: Awaited<ReturnType<typeof openServer>>;
beforeAll(async () => {
  server = await openServer({ database: `sqlite:${temporaryFolder(afterAll)}/cars.db`, cacheBytes: 1_000_000 });
  await write('POST', '/api/cars', { identifier: 'a', brand: 'Seat', model: 'Ibiza', year: 2008 });
});
afterAll(() => server.close());

const ask = async (path: string, init: RequestInit = {}): Promise<string> =>
  Buffer.from(await (await fetch(server.origin + path, init)).arrayBuffer()).toString();
const write = (method: string, path: string, body?: object) =>
  ask(path, { method, headers: { 'content-type': 'application/json' }, ...(body && { body: JSON.stringify(body) }) });

/** Each is asked for so often that it comes from whatever is kept. */
const TIMES = 4;

const JSON_LIST = '[{"identificador":"a","marca":"Seat","modelo":"Ibiza","anio":2008}]';
const CSV = `${carWords.es.join(';')}\r\na;Seat;Ibiza;2008;;;;;;\r\n`;
const asked: readonly (readonly [query: string, accept: string, text: string])[] = [
  ['', '*/*', JSON_LIST],
  ['', 'application/x-ndjson', `${JSON_LIST.slice(1, -1)}\n`],
  ['', 'text/csv', `\uFEFF${CSV}`],
  ['', 'text/csv; delimiter=semicolon', CSV],
  ['', 'text/csv; delimiter=tab', CSV.replaceAll(';', '\t')],
  ['', 'text/csv; delimiter=tab;q=0.5, application/json;q=0.6', JSON_LIST],
  ['&formato=csv', 'application/json', `\uFEFF${CSV}`],
  ['&formato=json', 'text/csv', JSON_LIST],
];

test.each(['/api/coches?pagina=1', '/api/coches?marca=seat', '/api/coches?numero_de_elementos=50'])(
  'of the formats of %s each is the one that is asked for',
  async (list) => {
    for (let round = 0; round < TIMES; round++) {
      for (const [query, accept, text] of round % 2 === 0 ? asked : asked.toReversed())
        expect([round, query, accept, await ask(list + query, { headers: { accept } })]).toEqual([
          ...[round, query, accept, text],
        ]);
    }
  },
);

const partsOf = (year: number, oils: string): readonly (readonly [path: string, text: string])[] => {
  const whole = `{"identifier":"a","brand":"Seat","model":"Ibiza","year":${year}}`;
  const includes = `{"identifier":"a","brand":"Seat","model":"Ibiza","year":${year},"oils":${oils}}`;
  return [
    ['/api/cars/a', whole],
    ['/api/cars/a?fields=year', `{"identifier":"a","year":${year}}`],
    ['/api/cars/a?include=oils', includes],
    ['/api/coches/a?campos=anio', `{"identificador":"a","anio":${year}}`],
    ['/api/cars', `[${whole}]`],
    ['/api/cars?brand=seat&page=1&fields=year', `[{"identifier":"a","year":${year}}]`],
    ['/api/cars?sort_by=year&page=1&fields=brand', '[{"identifier":"a","brand":"Seat"}]'],
    ['/api/cars?sort_by=year&page=1', `[${whole}]`],
    ['/api/cars?sort_by=year&page=1&include=oils', `[${includes}]`],
  ];
};

test('of the parts of an item each is as it was written last', async () => {
  const changes = [
    [['PUT', '/api/cars/a', { year: 2009 }], 2009, '[]'],
    [['POST', '/api/cars/a/oils', { type: 'x' }], 2009, '[{"type":"x"}]'],
    [['PUT', '/api/cars/a/oils/x', { otherInfo: 'y' }], 2009, '[{"type":"x","otherInfo":"y"}]'],
    [['PATCH', '/api/coches/a', { anio: 2010 }], 2010, '[{"type":"x","otherInfo":"y"}]'],
    [['DELETE', '/api/cars/a/oils/x'], 2010, '[]'],
  ] as const;
  for (const [[method, path, body], year, oils] of changes) {
    await write(method, path, body);
    for (let time = 0; time < TIMES; time++)
      for (const [part, text] of partsOf(year, oils)) expect([part, await ask(part)]).toEqual([part, text]);
  }
});
