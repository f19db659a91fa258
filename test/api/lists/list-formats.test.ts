import { readXlsx } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import { tryAll } from '../../support/app/tries.ts';
import { spoilLists } from '../../support/database/reads.ts';
import { carWords } from '../../support/language/car-words.ts';

const { request } = useApp({
  given: [
    ['/api/cars', { identifier: 'a-1', brand: 'Citroën', model: 'C4', year: 2006, clima: false }],
    ['/api/cars', { identifier: 'a,2', brand: 'Seat', model: 'Ibiza "FR"', year: 2008, fuel: '' }],
    ['/api/cars', { identifier: 'a-3', brand: 'Seat', model: 'León' }],
    ['/api/cars/a-1/oils', { type: '5W-30', otherInfo: 'VW 504\nVW 507' }],
  ],
});

const NDJSON = 'application/x-ndjson';
const CSV = 'text/csv';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** What is sent as CSV. */
const CSV_CONTENT = 'text/csv; charset=utf-8; header=present';
const MARK = '\uFEFF';

const get = async (path: string, accept?: string, more: Readonly<Record<string, string>> = {}) => {
  const response = await request(path, { headers: { ...(accept === undefined ? {} : { accept }), ...more } });
  const { status, headers } = response;
  return {
    status,
    headers,
    type: headers.get('content-type'),
    text: Buffer.from(await response.arrayBuffer()).toString(),
  };
};

/** Lists as files, typed out. */
const files: readonly (readonly [path: string, accept: string, type: string, name: string, text: string])[] = [
  [
    '/api/coches',
    NDJSON,
    NDJSON,
    'coches.ndjson',
    '{"identificador":"a-1","marca":"Citroën","modelo":"C4","anio":2006,"climatizador":false}\n' +
      '{"identificador":"a,2","marca":"Seat","modelo":"Ibiza \\"FR\\"","anio":2008,"fuel":""}\n' +
      '{"identificador":"a-3","marca":"Seat","modelo":"León"}\n',
  ],
  ['/api/coches/a-1/aceites', NDJSON, NDJSON, 'aceites.ndjson', '{"tipo":"5W-30","otros_datos":"VW 504\\nVW 507"}\n'],
  [
    '/api/cars',
    CSV,
    CSV_CONTENT,
    'cars.csv',
    `${carWords.en.join(',')}\r\n` +
      'a-1,Citroën,C4,2006,,,,false,,\r\n"a,2",Seat,"Ibiza ""FR""",2008,,,,,,""\r\na-3,Seat,León,,,,,,,\r\n',
  ],
  [
    '/api/coches',
    CSV,
    CSV_CONTENT,
    'coches.csv',
    `${MARK}${carWords.es.join(';')}\r\n` +
      'a-1;Citroën;C4;2006;;;;false;;\r\na,2;Seat;"Ibiza ""FR""";2008;;;;;;""\r\na-3;Seat;León;;;;;;;\r\n',
  ],
  [
    '/api/coches?marca=seat&ordenar_por=modelo&orden=descendente&numero_de_elementos=1',
    `${CSV}; delimiter=tab`,
    CSV_CONTENT,
    'coches.csv',
    `${carWords.es.join('\t')}\r\na-3\tSeat\tLeón\t\t\t\t\t\t\t\r\n`,
  ],
  ['/api/cars?group_by=brand', CSV, CSV_CONTENT, 'cars.csv', 'brand,total\r\nSeat,2\r\nCitroën,1\r\n'],
  ['/api/coches?agrupar_por=anio', CSV, CSV_CONTENT, 'coches.csv', `${MARK}anio;total\r\n2006;1\r\n2008;1\r\n;1\r\n`],
  ['/api/cars?group_by=brand&brand=seat', NDJSON, NDJSON, 'cars.ndjson', '{"brand":"Seat","total":2}\n'],
  ['/api/coches/a-3/aceites', CSV, CSV_CONTENT, 'aceites.csv', `${MARK}tipo;otros_datos\r\n`],
];

test.each(files)('the list %s as %s', async (path, accept, type, name, text) => {
  const found = await get(path, accept);
  expect(found).toMatchObject({ status: 200, type, text });
  const { headers } = found;
  expect(headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
  expect(headers.get('content-language')).toBe(path.startsWith('/api/cars') ? 'en' : 'es');
  expect(headers.get('vary')).toBe('Accept');
  const json = await get(path);
  for (const each of ['x-total-count', 'link']) expect(headers.get(each)).toBe(json.headers.get(each));
  expect(json.headers.has('content-disposition')).toBe(false);
  const head = await request(path, { method: 'HEAD', headers: { accept } });
  expect([head.status, await head.text()]).toEqual([200, '']);
  const named = ['content-type', 'content-disposition', 'etag', 'x-total-count', 'link'];
  expect(named.map((each) => head.headers.get(each))).toEqual(named.map((each) => headers.get(each)));
});

/** What is sent as `Accept`, and the type of the response to it. */
const choices: readonly (readonly [accept: string, type: string])[] = [
  [`${NDJSON}, application/json`, 'application/json'],
  [`application/json,${CSV};q=0.5`, 'application/json'],
  [`${NDJSON}, application/json;q=0.9`, NDJSON],
  [`${NDJSON};q=0.1, */*;q=0.5`, 'application/json'],
  [`${XLSX}, ${CSV};q=0.9`, XLSX],
  ['text/*', CSV_CONTENT],
  [`${CSV};q=0.5, ${NDJSON};q=0.4`, CSV_CONTENT],
  [`${CSV}; delimiter=pipe, application/json;q=0.1`, 'application/json'],
  ['application/json;q=0, application/*', NDJSON],
  // What browsers send.
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', 'application/json'],
];

test('a list as a workbook', async () => {
  const response = await request('/api/coches?agrupar_por=marca&marca=citroen', { headers: { accept: XLSX } });
  const { sheets } = await readXlsx(new Uint8Array(await response.arrayBuffer()));
  expect(sheets[0]?.rows).toEqual([
    ['marca', 'total'],
    ['Citroën', 1],
  ]);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    ...{ 'content-type': XLSX, 'content-disposition': 'attachment; filename="coches.xlsx"', 'x-total-count': '1' },
  });
});

/** Longer than a sheet can be, but for what is paged. */
const TOTAL = 1_048_576;
let isReleased = false;
const long = useApp({
  spoil: (store) => ({
    summarize: () => ({ total: TOTAL, change: 1 }),
    ...spoilLists(store, () => ({
      total: TOTAL,
      change: 1,
      rows: [],
      rest: {
        next: async () => ({ done: true, value: undefined }),
        return: async () => {
          isReleased = true;
          return { done: true, value: undefined };
        },
      },
    })),
  }),
});

describe('a list that is longer than a sheet', () => {
  test('is refused as a workbook', async () => {
    isReleased = false;
    const { status, json } = await long.send('GET', '/api/coches', undefined, { accept: XLSX });
    const detail =
      'Esta lista tiene 1\u{a0}048\u{a0}576 filas y un archivo de este formato admite 1\u{a0}048\u{a0}575 como máximo: pida menos filas o use otro formato.';
    expect([status, json.code, json.detail]).toEqual([406, 'not-acceptable', detail]);
    expect(isReleased).toBe(true);
  });

  test.each([
    ['/api/cars?format=csv', 200],
    ['/api/cars?format=xlsx', 406],
    ['/api/cars?format=xlsx&number_of_elements=1048575', 200],
    ['/api/cars?format=xlsx&number_of_elements=1048576', 406],
    ['/api/cars?format=xlsx&number_of_elements=1048576&page=2', 200],
  ])('HEAD %s is %i', async (path, status) => {
    expect((await long.send('HEAD', path)).status).toBe(status);
  });
});

describe('Accept', () => {
  test.each(choices)('%s is %s', async (accept, type) => {
    expect(await get('/api/coches', accept)).toMatchObject({ status: 200, type });
  });

  test.each([NDJSON, CSV, XLSX])('an item is JSON only: %s is refused', async (accept) => {
    expect((await get('/api/cars/a-1', accept)).status).toBe(406);
    const created = await request('/api/cars', {
      method: 'POST',
      headers: { accept, 'content-type': 'application/json' },
      body: '{"brand":"Seat","model":"Ibiza"}',
    });
    expect(created.status).toBe(406);
  });
});

/** A query that names a format, `Accept`, and the type of the response. */
const named: readonly (readonly [target: string, accept: string | undefined, type: string])[] = [
  ['/api/cars?format=ndjson', undefined, NDJSON],
  ['/api/coches?formato=ndjson', 'application/json', NDJSON],
  ['/api/coches?formato=json', NDJSON, 'application/json'],
  ['/api/coches?formato=xlsx', undefined, XLSX],
  ['/api/coches?formato=csv', 'text/html, */*;q=0.8', CSV_CONTENT],
];

/** Queries that name none, and what is said of them. */
tryAll(`
GET /api/cars?format=pdf
400 invalid-parameter “format” must be one of … not “pdf”.
GET /api/cars?format=NDJSON
400 invalid-parameter “format” must be one of … not “NDJSON”; did you mean “ndjson”?
GET /api/coches?formato=jsom
400 invalid-parameter «formato» debe ser uno de estos valores: … no «jsom»; ¿quería decir «json»?
GET /api/coches?format=json → formato
GET /api/cars?formato=json → format
GET /api/cars?format=
400 invalid-parameter “format” must not be empty.
GET /api/cars?format=json&format=json
400 invalid-parameter “format” may appear only once.
GET /api/cars/a-1?format=json
400 unknown-parameter “format” is a parameter of lists, not of a single item.
GET /api/coches?pagina=0 Accept: text/html
406 not-acceptable La respuesta solo se puede enviar como …, text/csv (delimiter=comma|semicolon|tab; formulas=escaped; tags=present), …
GET /api/cars Accept: text/csv; delimiter=pipe
406 not-acceptable The response is only available as …
`);

test.each(named)('the parameter of %s with Accept %s is %s', async (target, accept, type) => {
  expect(await get(target, accept)).toMatchObject({ status: 200, type });
});

/** What `Accept` says of CSV holds beside `format=csv`, too: it is applied, or refused. */
test.each([
  ['/api/cars?format=csv', 'text/csv; delimiter=semicolon', 'identifier;brand;model'],
  ['/api/coches?formato=csv', 'application/json, text/csv;q=0.1; delimiter=tab', 'identificador\tmarca\tmodelo'],
  ['/api/exports/cars?format=csv', 'text/csv; delimiter=tab; charset=utf-8', 'identifier\tbrand\tmodel'],
  ['/api/cars?format=csv', 'application/json; delimiter=tab', 'identifier,brand,model'],
  ['/api/cars?format=csv', 'text/csv; formulas=escaped', 'identifier,brand,model'],
])('%s with Accept: %s', async (path, accept, start) => {
  const { status, text } = await get(path, accept);
  expect([status, text.slice(0, start.length)]).toEqual([200, start]);
});

test.each([
  ['/api/cars?format=csv', 'text/csv; delimiter=pipe'],
  ['/api/coches?formato=csv', 'text/csv; formulas=evaluated, application/json'],
])('%s cannot be had with Accept: %s', async (path, accept) => {
  const { status, text } = await get(path, accept);
  const type = 'text/csv (delimiter=comma|semicolon|tab; formulas=escaped; tags=present)';
  expect([status, JSON.parse(text).code, JSON.parse(text).detail]).toEqual([
    406,
    'not-acceptable',
    expect.stringContaining(type),
  ]);
});
