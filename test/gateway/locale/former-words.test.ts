/** Words that others have replaced, wherever a client sends them. */
import { Hono } from 'hono';
import { afterAll, describe, expect, test } from 'vitest';
import { acceptFormerWords, createPathUpdater } from '../../../src/gateway/dispatch/words.ts';
import type { Env } from '../../../src/gateway/http/context.ts';
import { createLanguages } from '../../../src/gateway/locale/language.ts';
import { loadLocales } from '../../../src/host/tables/load.ts';
import { useApp } from '../../support/app/app.ts';
import { everyKind, everyKindTables } from '../../support/language/every-kind.ts';
import { formerTables, OVER, SINCE, UNTIL } from '../../support/language/former-words.ts';
import { localeFaults, withSpanish } from '../../support/language/locale-faults.ts';
import type { LooseTable } from '../../support/language/locale-folder.ts';

const app = useApp({
  catalogue: everyKind,
  locales: formerTables(afterAll),
  given: [
    ['/api/barcos', { codigo: 'a', nombre: 'Aurora', precio: 12.5, literas: 4, aparejo: 'queche', casco: 'acero' }],
    ['/api/barcos', { codigo: 'b', nombre: 'Bruma', precio: 2 }],
    ['/api/barcos/a/viajes', { numero: '1' }],
  ],
});

const AURORA = '"codigo":"a","nombre":"Aurora"';
const CSV = { 'content-type': 'text/csv', prefer: 'handling=check' };
const SUNSET = 'Sun, 30 Jun 2199 23:59:59 GMT';

type Sent = readonly [method: string, target: string, body?: unknown, headers?: Record<string, string>];

const accepted: readonly (readonly [part: string, sent: Sent, status: number, answer: string])[] = [
  ['a path', ['GET', '/api/naves/a'], 200, AURORA],
  ['an encoded path', ['GET', '/api/%6eaves/'], 200, AURORA],
  ['a path in English', ['GET', '/api/vessels/a'], 200, '"code":"a"'],
  ['a nested path', ['GET', '/api/barcos/a/travesías'], 200, '[{"numero":"1"}]'],
  ['a nested path, its accent apart', ['GET', '/api/barcos/a/travesi\u0301as/1'], 200, '{"numero":"1"}'],
  ['the path of a view', ['GET', '/api/descargas/barcos?formato=csv'], 200, 'a;Aurora'],
  ['HEAD', ['HEAD', '/api/naves'], 200, ''],
  ['an error below a path', ['GET', '/api/naves/x'], 404, 'No existe el barco'],
  ['a path that is not there', ['GET', '/api/naves/a/viages'], 404, '/api/barcos/a/viajes'],
  ['a filter', ['GET', '/api/barcos?título=aurora'], 200, AURORA],
  ['a range', ['GET', '/api/barcos?importe_desde=3'], 200, AURORA],
  ['a suffix', ['GET', '/api/barcos?precio_mínimo=3'], 200, AURORA],
  ['a range both of whose words are former', ['GET', '/api/barcos?importe_mínimo=3'], 200, AURORA],
  ['a parameter', ['GET', '/api/barcos?orden_por=codigo'], 200, AURORA],
  ['a parameter in English', ['GET', '/api/boats?sheet=2'], 200, '[]'],
  ['a sort field', ['GET', '/api/barcos?ordenar_por=importe'], 200, '"codigo":"b"'],
  ['a direction', ['GET', '/api/barcos?ordenar_por=codigo&orden=bajando'], 200, '"codigo":"b"'],
  ['fields', ['GET', '/api/barcos/a?campos=título'], 200, '{"codigo":"a","nombre":"Aurora"}'],
  ['include', ['GET', '/api/barcos/a?incluir=travesías'], 200, '"viajes":[{'],
  ['groups', ['GET', '/api/barcos?agrupar_por=título'], 200, '[{"nombre":"Aurora","total":1}'],
  ['the value of a filter', ['GET', '/api/barcos?aparejo=dos+palos'], 200, AURORA],
  ['a member', ['PATCH', '/api/barcos/a', { título: 'Aurora' }], 200, AURORA],
  ['a required member', ['POST', '/api/barcos', { codigo: 'a', título: 'x' }], 409, 'already-exists'],
  ['the value of a member', ['PATCH', '/api/barcos/a', { aparejo: 'dos palos' }], 200, '"aparejo":"queche"'],
  ['a member of a large body', ['PATCH', '/api/barcos/a', { título: 1, x: 'x'.repeat(70_000) }], 400, '"/título"'],
  ['an array', ['POST', '/api/barcos', [{ título: 'x' }], { prefer: 'handling=check' }], 200, '"creados":1'],
  ['the path of an import', ['POST', '/api/cargas/barcos', 'nombre\r\nx\r\n', CSV], 200, '"creados":1'],
  ['a header of a file', ['POST', '/api/barcos', 'codigo;TÍTULO\r\nz;x\r\n', CSV], 200, '"creados":1'],
  ['a cell of a file', ['POST', '/api/barcos', 'nombre;aparejo\r\nx;DOS PALOS\r\n', CSV], 200, '"creados":1'],
  ['the column of what is deleted', ['POST', '/api/barcos', 'codigo;borrado\r\nb;sí\r\n', CSV], 200, '"eliminados":1'],
  ['a faulty file', ['POST', '/api/barcos', 'nombre;título\r\nx;y\r\n', CSV], 400, 'malformed-file'],
];

describe('is accepted, answered by the new word, and told', () => {
  test.each(accepted)('%s', async (_, [method, target, ...more], status, answer) => {
    const seen = await app.send(method, target.includes('%') ? target : encodeURI(target), ...more);
    expect(seen).toMatchObject({ status, text: expect.stringContaining(answer) });
    const tag = /vessels|boats/.test(target) ? 'en' : 'es';
    expect(Object.fromEntries(seen.headers)).toMatchObject({
      deprecation: target.includes('importe') ? '@1580428800' : '@1768435200',
      sunset: SUNSET,
      link: expect.stringContaining(`</api/locales/${tag}>; rel="deprecation"; type="application/json"`),
    });
    // What is not there is named as it was sent.
    expect(seen.text.replace(`«${target}»`, '')).not.toMatch(/naves|travesías|descargas|importe/);
  });

  test('in no response to the words of today', async () => {
    const { headers } = await app.send('GET', '/api/barcos?nombre=aurora');
    expect([...headers.keys()]).not.toEqual(expect.arrayContaining(['sunset']));
  });

  test('nor of tables without former words, whose requests nothing looks at', () => {
    const languages = createLanguages(everyKind, loadLocales(everyKind, everyKindTables(), 'en'), 'en');
    const app = new Hono<Env>();
    acceptFormerWords(app, languages, createPathUpdater(everyKind, languages));
    expect(app.routes).toEqual([]);
  });

  test('in the response to the request that has them, whatever is read at the same time', async () => {
    const sent = (word: string, at: number) =>
      app.send('PATCH', '/api/barcos/a', { [word]: 'x'.repeat(at % 2 ? 1 : 70_000) });
    const words = Array.from({ length: 20 }, (_, at) => (at % 3 === 0 ? 'título' : 'nombre'));
    const answers = await Promise.all(words.map(sent));
    expect(answers.map(({ headers }) => headers.has('sunset'))).toEqual(words.map((word) => word === 'título'));
  });
});

test.each([
  ['a filter', ['GET', '/api/barcos?camas=4'], 'literas'],
  ['a range', ['GET', '/api/barcos?camas_desde=4'], 'literas_desde=4'],
  ['fields', ['GET', '/api/barcos?campos=camas'], 'literas'],
  ['a sort field', ['GET', '/api/barcos?ordenar_por=camas'], 'literas'],
  ['a member', ['PATCH', '/api/barcos/a', { camas: 4 }], 'literas'],
  ['a header of a file', ['POST', '/api/barcos', 'codigo;camas\r\na;4\r\n', CSV], 'literas'],
] satisfies readonly (readonly [string, Sent, string])[])(
  'is an unknown word after its last day, with the new one as a suggestion: %s',
  async (_, [method, target, ...more], suggestion) => {
    const { status, headers, json } = await app.send(method, target, ...more);
    expect([status, json.errors[0].suggestion, headers.get('sunset')]).toEqual([400, suggestion, null]);
  },
);

test.each([
  ['a filter', ['GET', '/api/boats?importe=4'], 'price'],
  ['a range', ['GET', '/api/boats?importe_desde=4'], 'price_from=4'],
  ['a range both of whose words are former', ['GET', '/api/boats?importe_mínimo=4'], 'price_from=4'],
  ['a word that is over', ['GET', '/api/boats?camas=4'], 'berths'],
  ['a parameter', ['GET', '/api/boats?orden_por=codigo'], 'sort_by=code'],
  ['a sort field', ['GET', '/api/boats?sort_by=importe'], 'price'],
  ['a direction', ['GET', '/api/boats?sort_by=code&order=bajando'], 'desc'],
  ['fields', ['GET', '/api/boats?fields=título'], 'name'],
  ['include', ['GET', '/api/boats/a?include=travesías'], 'trips'],
  ['the value of a filter', ['GET', '/api/boats?rig=dos+palos'], 'ketch'],
  ['a member', ['PATCH', '/api/boats/a', { importe: 4 }], 'price'],
  ['the value of a member', ['PATCH', '/api/boats/a', { rig: 'dos palos' }], 'ketch'],
  ['a header of a file', ['POST', '/api/boats', 'code,importe\r\na,4\r\n', CSV], 'price'],
  ['an English word in Spanish', ['GET', '/api/barcos?beds=4'], 'literas'],
] satisfies readonly (readonly [string, Sent, string])[])(
  'gets the suggestion of a word of today in the tree of another language: %s',
  async (_, [method, target, ...more], suggestion) => {
    const { status, headers, json } = await app.send(method, encodeURI(target), ...more);
    expect([status, json.errors[0].suggestion, headers.get('sunset')]).toEqual([400, suggestion, null]);
  },
);

test('and so in a path', async () => {
  const { status, json } = await app.send('GET', encodeURI('/api/boats/a/travesías'));
  expect([status, json.suggestion]).toEqual([404, '/api/boats/a/trips']);
});

test('dictionaries list them with their last day', async () => {
  const { json } = await app.send('GET', '/api/locales/es');
  expect(json.former).toEqual(
    expect.arrayContaining([
      { place: 'paths.boats', word: 'naves', now: 'barcos', since: SINCE, until: UNTIL },
      { place: 'fields.boats.price', word: 'importe', now: 'precio', since: '2020-01-31', until: UNTIL },
      { place: 'fields.boats.berths', word: 'camas', now: 'literas', since: OVER, until: OVER },
      { place: 'choices.boats.rig.ketch', word: 'dos palos', now: 'queche', since: SINCE, until: UNTIL },
    ]),
  );
});

test('OpenAPI documents list those that are accepted in their introduction, and nowhere else', async () => {
  const { json } = await app.send('GET', '/api/openapi.es.json');
  expect(json.info.description).toContain(`\`dos palos\` → \`queche\` (${UNTIL})`);
  expect(json.info.description).not.toContain('camas');
  expect(Object.keys(json.paths).join()).not.toMatch(/naves|descargas/);
});

const former = (table: LooseTable, word: string, more: object): void => {
  table.fields.cars.brand = { word: 'marca', former: [{ word, since: SINCE, until: UNTIL, ...more }] };
};
test.each<[fault: string, edit: (table: LooseTable) => void]>([
  ['fields.cars.model: "modelo" is already the word of fields.cars.brand', (table) => former(table, 'modelo', {})],
  [
    'fields.cars.model: "nombre" is already the word of fields.cars.brand',
    (table) => {
      former(table, 'nombre', {});
      table.fields.cars.model = { word: 'modelo', former: [{ word: 'nombre', since: SINCE, until: UNTIL }] };
    },
  ],
  [
    'fields.cars.brand.former.0.until: is not a day such as "2027-06-30"',
    (table) => former(table, 'x', { until: '2027-02-30' }),
  ],
  [
    'fields.cars.brand.former.0: is former since a day after its last one',
    (table) => former(table, 'x', { since: '2199-07-01' }),
  ],
  ['fields.cars.brand.former.0.since: missing', (table) => former(table, 'x', { since: undefined })],
  ['fields.cars.brand.former.0.until: missing', (table) => former(table, 'x', { until: undefined })],
  [
    'paths.cars: "docs" is a path of the service itself',
    (table) =>
      Object.assign(table.paths, { cars: { word: 'coches', former: [{ word: 'docs', since: SINCE, until: UNTIL }] } }),
  ],
])('a table is refused: %s', (fault, edit) => {
  expect(localeFaults(withSpanish(edit))).toEqual([`es.json: ${fault}`]);
});
