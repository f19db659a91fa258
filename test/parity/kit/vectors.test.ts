import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { canonical } from '../../../packages/parity/src/kit/canonical.ts';
import { everyKind, everyKindTables } from '../../support/language/every-kind.ts';
import { useLanguages, useService } from '../../support/parity/dictionaries.ts';
import { boatRequests, requests } from '../../support/parity/requests.ts';

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
    ['invalid-query', 'not-found', 'no-such-path'].includes(code),
  );
  return { ...rest, report: {}, problems: Object.fromEntries(used) };
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
  const vectors = {
    version: 1,
    dictionaries: {
      ...{ en: trimmed('en'), es: trimmed('es') },
      ...{ 'boats-en': ofBoats('en'), 'boats-es': ofBoats('es') },
    },
    requests: [...inBoth(requests, 'en', 'es'), ...inBoth(boatRequests, 'boats-en', 'boats-es')],
    answers,
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
    `${(requests.length + boatRequests.length) * 2} requests and ${asked.length} answers\n`,
  ]);
});
