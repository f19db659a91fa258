import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { serve } from '@hono/node-server';
import { beforeAll, expect, test } from 'vitest';
import { type Answer, canonical } from '../../../packages/parity/src/kit/canonical.ts';
import { differences } from '../../../packages/parity/src/kit/same.ts';
import { openApp } from '../../support/app/app.ts';
import { everyKind, everyKindTables } from '../../support/language/every-kind.ts';
import { useLanguages, useService } from '../../support/parity/dictionaries.ts';
import { boatRequests, requests } from '../../support/parity/requests.ts';
import { temporaryFolder } from '../../support/process/folder.ts';

const { dictionary, ask, all } = useLanguages('en', 'es');
const boats = useService((whenOver) => ({ catalogue: everyKind, locales: everyKindTables(whenOver) }));
const kit = fileURLToPath(new URL('../../../packages/parity/', import.meta.url));

const json = { 'content-type': 'application/json' };
const cars = [
  { identificador: 'a', marca: 'Seat', modelo: 'Ibiza «1.9»', anio: 2008, climatizador: true },
  { identificador: 'b/ñ', marca: 'Ávila', modelo: 'anio', puertas: 5 },
];
beforeAll(async () => {
  for (const body of cars) await ask({ method: 'POST', url: '/api/coches', headers: json, body });
  await ask({ method: 'POST', url: '/api/coches/a/aceites', headers: json, body: { tipo: '5W-30' } });
});

/** What a Spanish-language client asks; what is made of the answers is in the file. */
const asked = [
  '/api/coches/a?incluir=aceites',
  '/api/coches/b%2F%C3%B1?campos=marca',
  '/api/coches?pagina=2&numero_de_elementos=1&ordenar_por=anio,modelo&orden=descendente',
  '/api/coches?agrupar_por=marca',
  '/api/coches?formato=csv',
  '/api/coches?formato=ndjson&campos=modelo',
  '/api/coches/nada',
  '/api/coches/%3Cnada%3E',
  '/api/coches/a/oils',
  '/api/coches?marca=x&brand=y&anio=z&puertas_desde=5&puertas_hasta=2&ordenar_por=year&zzzzzz=1',
];

/** Without what people read, and words that no vector has: so a new word of those changes nothing here. */
const short = (_: string, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { description, label, schema, ...rest } = value as Record<string, unknown>;
  return typeof description === 'string' ? rest : value;
};
const trimmed = (tag: string, from = dictionary) => {
  const { problems, ...rest } = from(tag);
  const used = Object.entries(problems).filter(([code]) =>
    ['invalid-query', 'invalid-parameter', 'invalid-value', 'not-found', 'no-such-path'].includes(code),
  );
  const some = { ...rest, report: {}, problems: Object.fromEntries(used) };
  return JSON.parse(JSON.stringify(some, short)) as typeof some;
};

/** What is different in every run. */
const STEADY: Readonly<Record<string, string>> = { etag: 'W/"1.es"', 'x-request-id': 'r', 'x-change': '1' };

/** Fields that the requests have: so another field, or another path, changes nothing here. */
const USED = ['name', 'hasEngine', 'price', 'rig', 'port', 'home', 'place', 'depth', 'fare'];
const ofBoats = (tag: string) => {
  const { collections, parameters: every, ...rest } = trimmed(tag, boats.dictionary);
  const used = Object.entries(collections).map(
    ([
      name,
      {
        paths: { list, item },
        fields,
        ...each
      },
    ]) => {
      const some = Object.entries(fields).filter(([field]) => USED.includes(field));
      return [name, { ...each, paths: { list, item }, fields: Object.fromEntries(some) }] as const;
    },
  );
  const parameters = Object.fromEntries(['sort_by', 'fields', 'include'].map((name) => [name, every[name]] as const));
  return { ...rest, collections: Object.fromEntries(used), parameters };
};

const byPlace = (one: { at: string }, other: { at: string }): number => (one.at < other.at ? -1 : 1);

type Damage = (answer: Answer) => Answer;
const inBody =
  (change: (text: string) => string): Damage =>
  (answer) => ({ ...answer, body: JSON.parse(change(JSON.stringify(answer.body))) });
const [list, spanishList] = ['/api/cars?sort_by=identifier', '/api/coches?ordenar_por=identificador'];
const [wrong, spanishWrong] = ['/api/cars?year=x', '/api/coches?anio=x'];

/** One request in two languages, of which the second may be damaged. */
const pairs: readonly (readonly [name: string, english: string, spanish: string, damage: Damage])[] = [
  ['the same', list, spanishList, (answer) => answer],
  ['the same error', wrong, spanishWrong, (answer) => answer],
  ['a status', list, spanishList, (answer) => ({ ...answer, status: 206 })],
  ['a value', list, spanishList, inBody((text) => text.replace('Seat', 'Seta'))],
  ['a word of the other language', list, spanishList, inBody((text) => text.replace('"marca"', '"brand"'))],
  ['a number that is a text', list, spanishList, inBody((text) => text.replace('2008', '"2008"'))],
  ['a row less', list, spanishList, (answer) => ({ ...answer, body: (answer.body as unknown[]).slice(1) })],
  [
    'a total',
    list,
    spanishList,
    ({ headers, ...rest }) => ({ ...rest, headers: { ...headers, 'x-total-count': '9' } }),
  ],
  [
    'a header more',
    list,
    spanishList,
    ({ headers, ...rest }) => ({ ...rest, headers: { ...headers, 'x-other': '1' } }),
  ],
  ['a code', wrong, spanishWrong, inBody((text) => text.replaceAll('invalid-parameter', 'invalid-value'))],
  [
    'a word of the other language in a sentence',
    wrong,
    spanishWrong,
    inBody((text) => text.replaceAll(/"detail":"[^"]*"/g, '"detail":"«anio» no es number_of_elements."')),
  ],
  ['what is quoted', wrong, spanishWrong, inBody((text) => text.replaceAll('«anio»', '«marca»'))],
];

const inBoth = (all: typeof requests, en: string, es: string) =>
  all.flatMap(([name, english, spanish]) => [
    { name, from: en, to: es, request: english, expected: spanish },
    { name, from: es, to: en, request: spanish, expected: english },
  ]);

test('are what the kit says: -u writes them anew', async () => {
  const answers = await Promise.all(
    asked.map(async (url) => {
      const { headers, ...answer } = await ask({ url });
      const body = JSON.parse(JSON.stringify(answer.body, (name, value) => (name === 'requestId' ? 'r' : value)));
      const steady = Object.entries(headers).map(([name, value]) => [name, STEADY[name] ?? value]);
      const sent = { ...answer, headers: Object.fromEntries(steady), body };
      return { language: 'es', answer: sent, expected: canonical(sent, trimmed('es'), all()) };
    }),
  );
  const spoken = async (language: string, url: string) => {
    const answer = await ask({ url });
    const headers = Object.entries(answer.headers).map(([name, value]) => [name, STEADY[name] ?? value] as const);
    const body = JSON.parse(JSON.stringify(answer.body, (name, value) => (name === 'requestId' ? 'r' : value)));
    return { language, answer: { ...answer, headers: Object.fromEntries(headers), body } };
  };
  const compared = await Promise.all(
    pairs.map(async ([name, english, spanish, damage]) => {
      const [one, sound] = await Promise.all([spoken('en', english), spoken('es', spanish)]);
      const other = { language: 'es', answer: damage(sound.answer) };
      const read = ({ language, answer }: typeof one) => ({ language: trimmed(language), answer });
      const there = differences(read(one), read(other), all());
      const back = differences(read(other), read(one), all());
      const turned = back.map(({ at, one: left, other: right }) => ({ at, one: right, other: left }));
      expect(there.toSorted(byPlace)).toEqual(turned.toSorted(byPlace));
      return { name, one, other, expected: there.map(({ at }) => at) };
    }),
  );
  const vectors = {
    version: 1,
    dictionaries: {
      ...{ en: trimmed('en'), es: trimmed('es') },
      ...{ 'boats-en': ofBoats('en'), 'boats-es': ofBoats('es') },
    },
    requests: [...inBoth(requests, 'en', 'es'), ...inBoth(boatRequests, 'boats-en', 'boats-es')],
    answers,
    differences: compared,
  };
  await expect(`${JSON.stringify(vectors, short, 1)}\n`).toMatchFileSnapshot(`${kit}vectors.json`);
});

test('are passed by the port to Python', () => {
  const { status, stdout, stderr, error } = spawnSync('python3', [`${kit}python/test_vectors.py`], {
    encoding: 'utf8',
  });
  // Where there is no Python, somebody else looks.
  if (error && !process.env.CI) return;
  expect([status, stdout + stderr]).toEqual([
    0,
    `${(requests.length + boatRequests.length) * 2} requests and ${asked.length} answers and ${pairs.length} differences\n`,
  ]);
});

const hasPytest =
  spawnSync('python3', ['-c', 'from importlib.util import *; exit(not find_spec("pytest"))']).status === 0;

test.runIf(hasPytest)('pytest has a fixture, which says where two languages differ', async () => {
  const folder = temporaryFolder();
  const app = await openApp();
  const spoilt = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const answer = await app.request(pathname + search, { method: request.method, headers: request.headers });
    if (!pathname.startsWith('/api/coches/wrong')) return answer;
    return new Response(await answer.text(), { status: 410, headers: answer.headers });
  };
  const server = serve({ fetch: spoilt, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const python = `
ORIGIN = "http://127.0.0.1:${port}"

def test_same(every_language):
    assert every_language(ORIGIN, "/api/cars?brand=seat")["status"] == 200
    assert every_language(ORIGIN, "/api/coches?anio=x")["body"]["code"] == "invalid-parameter"

def test_wrong(every_language):
    every_language(ORIGIN, "/api/cars/wrong")
`;
  writeFileSync(join(folder, 'test_documented.py'), python);
  const env = { ...process.env, PYTHONPATH: `${kit}python`, PYTHONDONTWRITEBYTECODE: '1' };
  const plugins = ['-p', 'no:cacheprovider', '-p', 'pytest_vocabulary_parity'];
  const child = spawn('python3', ['-m', 'pytest', '-q', ...plugins], { cwd: folder, env });
  const printed = await text(child.stdout);
  server.close();
  await app.close();
  expect(printed).toContain('1 failed, 1 passed');
  expect(printed).toContain('en /api/cars/wrong and es /api/coches/wrong differ');
  expect(printed).toContain('status: 404 != 410');
});
