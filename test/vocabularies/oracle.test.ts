/** The oracle: the English tree, translated by its document and the words of Spanish, is the service's own Spanish tree. */
import { afterAll, expect, test } from 'vitest';
import en from '../../locales/en.json' with { type: 'json' };
import es from '../../locales/es.json' with { type: 'json' };
import { translateDocument, vocabularies } from '../../packages/vocabularies/src/index.ts';
import { catalogue } from '../../src/catalogue.ts';
import { bilingual } from '../../src/gateway/bilingual.ts';
import { openStore } from '../../src/host/service/open-store.ts';
import { createRequests, type OracleRequest } from './oracle.ts';

const RUNS = Number(process.env.TEST_RUNS ?? 3);
const REQUESTS = 60;

interface Asks {
  readonly request: (url: string, init?: RequestInit) => Response | Promise<Response>;
}

const opened: { close(): unknown }[] = [];
afterAll(async () => {
  await Promise.all(opened.map((store) => store.close()));
});

async function openService(defaultLanguage: 'en' | 'es' = 'en') {
  const store = await openStore('sqlite::memory:', catalogue);
  opened.push(store);
  let count = 0;
  const assignKey = () => `key-${count++}`;
  return bilingual({ catalogue, tables: { en, es }, store, defaultLanguage, assignKey });
}

const document = await (await (await openService()).request('/api/openapi.en.json')).json();
const translated = async () => vocabularies(await openService(), { document, tables: { es } });

/** @returns a table whose names are the Spanish words, and whose words are English */
function reverse(spanish: unknown, english: unknown): unknown {
  if (typeof english !== 'object') return english;
  return Object.fromEntries(
    Object.entries(Object(english)).map(([name, entry]) => {
      const other = Object(spanish)[name];
      const word = typeof other === 'string' ? other : other?.word;
      if (typeof word !== 'string') return [name, reverse(other, entry)];
      return [
        word,
        typeof entry === 'string' ? entry : { ...Object(entry), values: reverse(other.values, Object(entry).values) },
      ];
    }),
  );
}
const spanishDocument = await (await (await openService('es')).request('/api/openapi.es.json')).json();
const reversed = async () =>
  vocabularies(await openService('es'), { document: spanishDocument, tables: { en: reverse(es, en) } });

/** What people read, and what is different in each answer. */
const PROSE = ['type', 'title', 'detail', 'detalle', 'remedy', 'requestId'];
const HEADERS = [
  'content-type',
  'location',
  'content-location',
  'x-total-count',
  'allow',
  'preference-applied',
  'accept-patch',
  'link',
];

function without(names: readonly string[], value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => without(names, each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).flatMap(([name, each]) => (names.includes(name) ? [] : [[name, without(names, each)]]));
}

/** A client of one of the two services, which remembers the last tag. */
class Client {
  readonly #app: Asks;
  #tag: string | undefined;
  constructor(app: Asks) {
    this.#app = app;
  }

  async ask({ method, url, headers, body, condition, isForeign }: OracleRequest) {
    const tag = condition && this.#tag !== undefined ? { [condition]: this.#tag } : {};
    const answer = await this.#app.request(url, {
      method,
      headers: { ...headers, ...tag },
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.text();
    this.#tag = answer.headers.get('etag') ?? this.#tag;
    const type = answer.headers.get('content-type') ?? '';
    const isProblem = type.startsWith('application/problem+json');
    const isReport = /^\{"(creados|simulacro|created|dryRun)/.test(text);
    // A cursor has the number of a change, which follows the clock.
    const shown = HEADERS.map((name) => [
      name,
      answer.headers.get(name)?.replaceAll(/(despues_de|after)=[\w-]+/g, '$1=#'),
    ]);
    return {
      status: answer.status,
      headers: Object.fromEntries(shown),
      hasTag: answer.headers.has('etag'),
      language: isProblem ? undefined : answer.headers.get('content-language'),
      body: isProblem || isReport ? without(isForeign ? [...PROSE, 'name', 'value'] : PROSE, JSON.parse(text)) : text,
    };
  }
}

test.each(Array.from({ length: RUNS }, (_, seed) => seed + 1))('seed %i', { timeout: 120_000 }, async (seed) => {
  const [own, other] = [new Client(await openService()), new Client(await translated())];
  for (const request of createRequests(es, en, seed, REQUESTS)) {
    const [expected, received] = [await own.ask(request), await other.ask(request)];
    expect(received, JSON.stringify(request)).toEqual(expected);
  }
});

test.each(Array.from({ length: RUNS }, (_, seed) => seed + 1))(
  'the other way round, seed %i',
  { timeout: 120_000 },
  async (seed) => {
    const [own, other] = [new Client(await openService('es')), new Client(await reversed())];
    for (const request of createRequests(en, es, seed, REQUESTS)) {
      const [expected, received] = [await own.ask(request), await other.ask(request)];
      expect(received, JSON.stringify(request)).toEqual(expected);
    }
  },
);

/** @returns the first events of a stream, without their positions */
async function readEvents(app: Asks, url: string, count: number): Promise<string> {
  const { body } = await app.request(url);
  const reader = body?.pipeThrough(new TextDecoderStream() as never).getReader() as ReadableStreamDefaultReader<string>;
  let text = '';
  while (text.split('data:').length <= count) text += (await reader.read()).value ?? '';
  await reader.cancel();
  return text.replaceAll(/id: \S+/g, 'id: #');
}

test('events are those of the own Spanish tree', async () => {
  const apps = [await openService(), await translated()];
  const [own, other] = await Promise.all(
    apps.map(async (app) => {
      for (const marca of ['Seat', 'Citroën']) {
        const body = JSON.stringify({ marca, modelo: 'x', anio: 2001 });
        await app.request('/api/coches', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
      }
      return readEvents(app, '/api/eventos/coches?cambiado_desde=0', 2);
    }),
  );
  expect(own).toContain('"marca":"Citroën"');
  expect(other).toBe(own);
});

/** The names of a document, in their order. */
// biome-ignore lint/suspicious/noExplicitAny: documents are of every shape
function readNames({ paths, components }: any) {
  const operations = Object.values<object>(paths).flatMap((item) => Object.values(item));
  const names = operations.map(({ parameters = [] }) =>
    parameters.map((each: { $ref?: string; name?: string }) => {
      return each.name ?? components.parameters[each.$ref?.split('/').pop() ?? '']?.name;
    }),
  );
  // biome-ignore lint/suspicious/noExplicitAny: schemas are of every shape
  const schemas = Object.values<any>(components.schemas).map(({ properties = {}, required, enum: values }) => {
    return [Object.keys(properties), required, values];
  });
  return [Object.keys(paths), names, schemas];
}

test('law 8: the English document, translated, has the names of the own Spanish one', async () => {
  const own = await (await (await openService()).request('/api/openapi.es.json')).json();
  expect(readNames(translateDocument(document, es, 'es'))).toEqual(readNames(own));
});
