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

beforeAll(async () => {
  const create = (url: string, body: object) => ask({ method: 'POST', url, body });
  await create('/api/coches', {
    identificador: 'a',
    marca: 'Seat',
    modelo: 'Ibiza «1.9»',
    anio: 2008,
    climatizador: true,
  });
  await create('/api/coches', { identificador: 'b/ñ', marca: 'Ávila', modelo: 'anio', puertas: 5 });
  await create('/api/coches/a/aceites', { tipo: '5W-30' });
});

/** What a Spanish-language client asks; what is made of the answers is in the file. */
const spanishRequests = [
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
const omitProse = (_: string, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { description, label, schema, ...rest } = value as Record<string, unknown>;
  return typeof description === 'string' ? rest : value;
};
const CODES = ['invalid-query', 'invalid-parameter', 'invalid-value', 'not-found', 'no-such-path'];
const trimmed = (tag: string, from = dictionary) => {
  const { problems, ...rest } = from(tag);
  const some = { ...rest, report: {}, problems: pick(problems, CODES) };
  return JSON.parse(JSON.stringify(some, omitProse)) as typeof some;
};
const pick = <T>(members: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(members).filter(([name]) => names.includes(name)));

/** Only fields and parameters that the requests have: so another one, or another path, changes nothing here. */
const FIELDS = ['name', 'hasEngine', 'price', 'rig', 'port', 'home', 'place', 'depth', 'fare'];
const trimmedBoats = (tag: string) => {
  const { collections, parameters, ...rest } = trimmed(tag, boats.dictionary);
  const some = Object.entries(collections).map(([name, { paths, fields, ...collection }]) => {
    return [name, { ...collection, paths: pick(paths, ['list', 'item']), fields: pick(fields, FIELDS) }] as const;
  });
  const own = pick(parameters, ['sort_by', 'fields', 'include']);
  return { ...rest, collections: Object.fromEntries(some), parameters: own };
};

/** What is different in every run. */
const STEADY: Readonly<Record<string, string>> = { etag: 'W/"1.es"', 'x-request-id': 'r', 'x-change': '1' };
const askSteadily = async (url: string): Promise<Answer> => {
  const { headers, body, ...answer } = await ask({ url });
  const steady = Object.entries(headers).map(([name, value]) => [name, STEADY[name] ?? value] as const);
  const text = JSON.stringify(body, (name, value) => (name === 'requestId' ? 'r' : value));
  return { ...answer, headers: Object.fromEntries(steady), body: JSON.parse(text) };
};

type Damage = (answer: Answer) => Answer;
const inBody =
  (change: (text: string) => string): Damage =>
  (answer) => ({ ...answer, body: JSON.parse(change(JSON.stringify(answer.body))) });
const withHeader =
  (name: string, value: string): Damage =>
  (answer) => ({ ...answer, headers: { ...answer.headers, [name]: value } });
const list = ['/api/cars?sort_by=identifier', '/api/coches?ordenar_por=identificador'] as const;
const wrong = ['/api/cars?year=x', '/api/coches?anio=x'] as const;

/** One request in two languages, of which the second may be damaged. */
const pairs: readonly (readonly [name: string, urls: readonly [string, string], damage: Damage])[] = [
  ['the same', list, (answer) => answer],
  ['the same error', wrong, (answer) => answer],
  ['a status', list, (answer) => ({ ...answer, status: 206 })],
  ['a value', list, inBody((text) => text.replace('Seat', 'Seta'))],
  ['a word of the other language', list, inBody((text) => text.replace('"marca"', '"brand"'))],
  ['a number that is a text', list, inBody((text) => text.replace('2008', '"2008"'))],
  ['a row less', list, (answer) => ({ ...answer, body: (answer.body as unknown[]).slice(1) })],
  ['a total', list, withHeader('x-total-count', '9')],
  ['a header more', list, withHeader('x-other', '1')],
  ['a code', wrong, inBody((text) => text.replaceAll('invalid-parameter', 'invalid-value'))],
  [
    'a word of the other language in a sentence',
    wrong,
    inBody((text) => text.replaceAll(/"detail":"[^"]*"/g, '"detail":"«anio» no es number_of_elements."')),
  ],
  ['what is quoted', wrong, inBody((text) => text.replaceAll('«anio»', '«marca»'))],
  ['a number in a sentence', wrong, inBody((text) => text.replaceAll('«anio»', '«anio» 7'))],
];

const inBoth = (rows: typeof requests, en: string, es: string) =>
  rows.flatMap(([name, english, spanish]) => [
    { name, from: en, to: es, request: english, expected: spanish },
    { name, from: es, to: en, request: spanish, expected: english },
  ]);

test('are what the kit says: -u writes them anew', async () => {
  const answers = await Promise.all(
    spanishRequests.map(async (url) => {
      const answer = await askSteadily(url);
      return { language: 'es', answer, expected: canonical(answer, trimmed('es'), all()) };
    }),
  );
  const compared = await Promise.all(
    pairs.map(async ([name, [english, spanish], damage]) => {
      const one = { language: 'en', answer: await askSteadily(english) };
      const other = { language: 'es', answer: damage(await askSteadily(spanish)) };
      const read = ({ language, answer }: typeof one) => ({ language: trimmed(language), answer });
      const there = differences(read(one), read(other), all());
      const back = differences(read(other), read(one), all());
      const turned = back.map(({ at, one: left, other: right }) => ({ at, one: right, other: left }));
      const sort = (some: typeof there) => some.toSorted((a, b) => (a.at < b.at ? -1 : 1));
      expect(sort(there)).toEqual(sort(turned));
      return { name, one, other, expected: there.map(({ at }) => at) };
    }),
  );
  const vectors = {
    version: 1,
    dictionaries: {
      ...{ en: trimmed('en'), es: trimmed('es') },
      ...{ 'boats-en': trimmedBoats('en'), 'boats-es': trimmedBoats('es') },
    },
    requests: [...inBoth(requests, 'en', 'es'), ...inBoth(boatRequests, 'boats-en', 'boats-es')],
    answers,
    differences: compared,
  };
  await expect(`${JSON.stringify(vectors, omitProse, 1)}\n`).toMatchFileSnapshot(`${kit}vectors.json`);
});

test('are passed by the port to Python', () => {
  const { status, stdout, stderr, error } = spawnSync('python3', [`${kit}python/test_vectors.py`], {
    encoding: 'utf8',
  });
  // A machine without Python leaves it to others.
  if (error && !process.env.CI) return;
  const counts = [(requests.length + boatRequests.length) * 2, spanishRequests.length, pairs.length];
  const [first, second, third] = counts;
  const expected = `${first} requests and ${second} answers and ${third} differences\n`;
  expect([status, stdout + stderr]).toEqual([0, expected]);
});

const findPytest = 'from importlib.util import find_spec; exit(not find_spec("pytest"))';
const hasPytest = spawnSync('python3', ['-c', findPytest]).status === 0;

test.runIf(hasPytest)('pytest has a fixture, which says where two languages differ', async () => {
  const folder = temporaryFolder();
  const app = await openApp();
  const answer = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const right = await app.request(pathname + search, { method: request.method, headers: request.headers });
    const isWrong = pathname.startsWith('/api/coches/wrong');
    return isWrong ? new Response(await right.text(), { status: 410, headers: right.headers }) : right;
  };
  const server = serve({ fetch: answer, port: 0, hostname: '127.0.0.1' });
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
