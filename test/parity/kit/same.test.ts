import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, canonical } from '../../../packages/parity/src/kit/canonical.ts';
import { matchers } from '../../../packages/parity/src/kit/matchers.ts';
import { assertSaysTheSame, differences } from '../../../packages/parity/src/kit/same.ts';
import { type ApiRequest, translate } from '../../../packages/parity/src/kit/translate.ts';
import { everyKind, everyKindTables } from '../../support/language/every-kind.ts';
import { allTags } from '../../support/language/new-languages.ts';
import { useLanguages, useService } from '../../support/parity/dictionaries.ts';

const { dictionary, ask, all: dictionaries } = useLanguages(...allTags);

const cars = [
  { identifier: 'a', brand: 'Seat', model: 'Ibiza, «1.9»', year: 2008, clima: true },
  { identifier: 'b/ñ', brand: 'Seat', model: 'year', doors: 5 },
  { identifier: 'c', brand: 'Audi', model: 'A4' },
];
beforeAll(async () => {
  for (const body of cars) expect((await ask({ method: 'POST', url: '/api/cars', body })).status).toBe(201);
  await ask({ method: 'POST', url: '/api/cars/a/oils', body: { type: '5W-30', otherInfo: 'type' } });
});

const csv = { 'content-type': 'text/csv', prefer: 'handling=check' };

/** What an English-language client asks, and the status of the answers. */
const requests: readonly (readonly [status: number, request: ApiRequest])[] = [
  [200, { url: '/api/cars' }],
  [200, { url: '/api/cars?number_of_elements=1&sort_by=year,model&order=desc' }],
  [200, { url: '/api/cars?page=2&number_of_elements=1' }],
  [200, { url: '/api/cars?search=ibiza' }],
  [200, { url: '/api/cars?group_by=brand' }],
  [200, { url: '/api/cars?fields=model&include=oils' }],
  [200, { url: '/api/cars?format=csv' }],
  [200, { url: '/api/cars?format=ndjson' }],
  [200, { url: '/api/cars?brand=seat,audi' }],
  [200, { url: '/api/cars/a/oils/5W-30' }],
  [200, { method: 'HEAD', url: '/api/cars/b%2F%C3%B1' }],
  [204, { method: 'OPTIONS', url: '/api/cars/a' }],
  [404, { url: '/api/cars/none' }],
  [404, { url: '/api/cars/a/oils/none' }],
  [404, { url: '/api/cars/a/oils/5W-30/x' }],
  [405, { method: 'DELETE', url: '/api/cars' }],
  [406, { url: '/api/cars', headers: { accept: 'image/png' } }],
  [415, { method: 'POST', url: '/api/cars', headers: { 'content-type': 'text/plain' }, body: 'x' }],
  [400, { url: '/api/cars?brand=x&zzzzzz=1&zz_9=2' }],
  [400, { url: '/api/cars?year=x&doors_from=5&doors_to=2&page=0&sort_by=zzzzz,year,year&order=zz' }],
  [400, { url: '/api/cars?marca=x&ordenar_por=model&sort_by=anio&order=descendente' }],
  [400, { url: '/api/cars?group_by=brand&sort_by=year&after=x&page=3' }],
  [400, { method: 'POST', url: '/api/cars', body: { year: '2008', marca: 'x', zzzzzzz: 1, doors: 99 } }],
  [400, { method: 'POST', url: '/api/cars', body: '{"brand"' }],
  [409, { method: 'POST', url: '/api/cars', body: cars[0] }],
  [409, { method: 'PUT', url: '/api/cars/a', body: { identifier: 'b' } }],
  [200, { method: 'POST', url: '/api/cars', headers: csv, body: 'identifier,brand,model,year\r\nz,,b,x\r\ny,a,b,1' }],
];

const others = allTags.filter((tag) => tag !== 'en').map((tag) => [tag] as const);

describe.each(others)('%s says the same as English', (tag) => {
  test.each(requests)('%d, to %j', async (status, request) => {
    const [en, other] = [dictionary('en'), dictionary(tag)];
    const one = { answer: await ask(request), language: en };
    const two = { answer: await ask(translate(request, en, other)), language: other };
    expect([one.answer.status, two.answer.status]).toEqual([status, status]);
    expect(differences(one, two, dictionaries())).toEqual([]);
  });
});

/** Boats have a port, and ports a place, which are one word in Spanish. */
const homonyms = useService((whenOver) => {
  const locales = everyKindTables(whenOver);
  const file = join(locales, 'es.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"lugar"', '"puerto"'));
  return { catalogue: everyKind, locales };
});

test.each([
  ['/api/ports?ordenar_por=calado,puerto', '/api/puertos?sort_by=depth,place'],
  ['/api/ports?campos=puerto,calado', '/api/puertos?fields=place,depth'],
  ['/api/boats?ordenar_por=nombre,puerto', '/api/barcos?sort_by=name,port'],
])('a word of two fields, sent to the other language, is that of the list: %s', async (url, spanish) => {
  const [en, es] = [homonyms.dictionary('en'), homonyms.dictionary('es')];
  expect(translate({ url }, en, es)).toEqual({ url: spanish });
  const [one, other] = [await homonyms.ask({ url }), await homonyms.ask({ url: spanish })];
  expect([one.status, other.status]).toEqual([400, 400]);
  expect(differences({ answer: one, language: en }, { answer: other, language: es })).toEqual([]);
});

const answer = (changed: Partial<Answer>, headers: Answer['headers'] = {}): Answer => ({
  url: '/api/coches?numero_de_elementos=1',
  status: 200,
  body: [{ identificador: 'a', marca: 'Seat' }],
  ...changed,
  headers: {
    'content-type': 'application/json',
    'content-language': 'es',
    etag: 'W/"1.es"',
    link: '</api/coches?pagina=2>; rel="next", </api/cars>; rel="alternate"; hreflang="en"',
    'x-total-count': '3',
    ...headers,
  },
});
const problem = { type: '/api/problems/x', title: 'No encontrado', status: 404, code: 'not-found', requestId: 'r' };
const refusal = (detail: string): Answer =>
  answer({ status: 404, body: { ...problem, detail } }, { 'content-type': 'application/problem+json' });

const right = answer({});
const faults: readonly (readonly [what: string, right: Answer, wrong: Answer, at: readonly string[]])[] = [
  ['a status', right, answer({ status: 206 }), ['status']],
  ['a value', right, answer({ body: [{ identificador: 'a', marca: 'Audi' }] }), ['body/0/brand']],
  ['a word', right, answer({ body: [{ identificador: 'a', brand: 'Seat' }] }), ['body/0/brand', 'body/0/marca']],
  ['the order of members', right, answer({ body: [{ marca: 'Seat', identificador: 'a' }] }), ['body/0']],
  ['a number that is a text', right, answer({ body: [{ identificador: 'a', marca: 1 }] }), ['body/0/brand']],
  ['a row more', right, answer({ body: [{ identificador: 'a', marca: 'Seat' }, {}] }), ['body/length']],
  ['the total', right, answer({}, { 'x-total-count': '4' }), ['headers/x-total-count']],
  ['a header that is missing', right, answer({}, { vary: 'Accept' }), ['headers/vary']],
  ['the order of a list', answer({}, { allow: 'GET,POST' }), answer({}, { allow: 'POST, GET' }), []],
  ['the strength of a tag', right, answer({}, { etag: '"1.es"' }), ['headers/etag']],
  ['the language', right, answer({}, { 'content-language': 'en' }), ['headers/content-language']],
  [
    'a link in the words of another',
    right,
    answer({}, { link: '</api/cars?page=2>; rel="next", </api/cars>; rel="alternate"; hreflang="en"' }),
    ['headers/link/pages/0'],
  ],
  ['what is quoted', refusal('No existe «a».'), refusal('No existe «b».'), ['body/detail/quoted']],
  ['a number', refusal('Hay 1.000.'), refusal('Hay 1.001.'), ['body/detail/numbers']],
  ['the number of a name is none', refusal('Hay 2 en UTF-16 o U+0000.'), refusal('Hay 2.'), []],
];

describe('a difference is told', () => {
  test.each(faults)('%s', (_, correct, wrong, places) => {
    const language = dictionary('es');
    const all = differences({ answer: correct, language }, { answer: wrong, language }, dictionaries());
    expect(all.map(({ at }) => at)).toEqual(places);
    expect(differences({ answer: correct, language }, { answer: correct, language }, dictionaries())).toEqual([]);
  });
});

test('a word of another language in a sentence is told, but not if it is quoted or a word of this one, too', () => {
  const wordsOfEnglish = (detail: string) => {
    const spanish = { answer: refusal(detail), language: dictionary('es') };
    return differences(spanish, { ...spanish, language: dictionary('en') }).flatMap(({ at, other }) =>
      at === 'body/detail (words of en)' ? other : [],
    );
  };
  expect(wordsOfEnglish('No existe brand, ni number_of_elements.')).toEqual(['brand', 'number_of_elements']);
  expect(wordsOfEnglish('No existe «brand»; la versión es version, y total.')).toEqual([]);
});

test('objects of another realm, such as that of a test in jest, have members', () => {
  const read = (name: string) => ({
    answer: answer({ url: '/elsewhere', body: runInNewContext(`({ list: [{ ${name}: 1 }] })`) }),
    language: dictionary('es'),
  });
  expect(differences(read('a'), read('a'))).toEqual([]);
  expect(differences(read('a'), read('b')).map(({ at }) => at)).toEqual(['body/list/0/a', 'body/list/0/b']);
});

test('assertions and matchers name what differs', () => {
  const es = dictionary('es');
  const url = '/api/coches?numero_de_elementos=1';
  const text = `es ${url} and es ${url} differ\nstatus: 200 ≠ 500`;
  const [one, other] = [
    { answer: right, language: es },
    { answer: answer({ status: 500 }), language: es },
  ];
  expect(() => assertSaysTheSame(one, other)).toThrow(text);
  expect(() => assertSaysTheSame(one, one)).not.toThrow();
  const failed = matchers.toSayTheSameAs(one, other);
  expect([failed.pass, failed.message()]).toEqual([false, text]);
  expect(matchers.toSayTheSameAs(one, one).pass).toBe(true);
});

test('what an import changes, in names', () => {
  const changes = [
    { fila: 2, clave: 'eliminado', accion: 'actualizado', antes: { anio: 2008 }, despues: { anio: 2009 } },
    { clave: 'anio', accion: 'eliminado', antes: { identificador: 'anio' } },
  ];
  const body = { creados: 0, actualizados: 1, eliminados: 1, cambios: changes };
  const report = { url: '/api/coches', status: 200, headers: { 'content-type': 'application/json' }, body };
  expect(canonical(report, dictionary('es')).body).toEqual({
    created: 0,
    updated: 1,
    deleted: 1,
    changes: [
      { row: 2, key: 'eliminado', action: 'updated', before: { year: 2008 }, after: { year: 2009 } },
      { key: 'anio', action: 'deleted', before: { identifier: 'anio' } },
    ],
  });
});

test.each([
  [
    '/api/coches?marca=seat&campos=modelo&numero_de_elementos=1',
    { status: 200, body: [{ identifier: 'a', model: 'Ibiza, «1.9»' }], headers: { 'x-total-count': '2' } },
  ],
  [
    '/api/coches?anio=x',
    {
      status: 400,
      body: {
        title: 'invalid-parameter',
        errors: [{ parameter: 'year', name: 'year', value: 'x', detail: { quoted: ['year'], numbers: [] } }],
      },
    },
  ],
])('the answer to %s in names', async (url, expected) => {
  expect(canonical(await ask({ url }), dictionary('es'))).toMatchObject(expected);
});

test('a template of a URL is the same in the words of each language', () => {
  const read = (tag: string, url: string, path: string) => {
    const headers = { 'link-template': `"${url}"; rel="item"`, link: '', 'content-language': '' };
    return { answer: answer({ url: path, body: [] }, headers), language: dictionary(tag) };
  };
  const one = read('es', '/api/coches/{identificador}/aceites/{tipo}', '/api/coches');
  const compare = (url: string) => differences(one, read('en', url, '/api/cars'), dictionaries()).map(({ at }) => at);
  expect(compare('/api/cars/{identifier}/oils/{type}')).toEqual([]);
  expect(compare('/api/cars/{identifier}/oils/{tipo}')).toEqual(['headers/link-template']);
});
