/** The laws of the translator, over every document at hand, with a word for every name. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mapStore } from '../../examples/mounted/store/map-store.ts';
import en from '../../locales/en.json' with { type: 'json' };
import { ByteTransform } from '../../packages/vocabularies/src/bodies.ts';
import { Translator, VocabularyError } from '../../packages/vocabularies/src/index.ts';
import { Scanner, scanWhole } from '../../packages/vocabularies/src/scan.ts';
import { catalogue } from '../../src/catalogue.ts';
import { bilingual } from '../../src/gateway/bilingual.ts';
import { type Json, others, pseudoTable, randomDocument, randomJson } from './documents.ts';
import { createRandom } from './oracle.ts';

const RUNS = Number(process.env.TEST_RUNS ?? 1);
/** Bodies of each document. */
const BODIES = 300 * RUNS;

const own = bilingual({ catalogue, tables: { en }, store: mapStore(catalogue) });
const ownDocument = (await (await own.request('/api/openapi.en.json')).json()) as Json;
const documents: readonly (readonly [string, Json])[] = [['own', ownDocument], ...others];

const encode = (text: string) => new TextEncoder().encode(text);

function open(document: Json) {
  const translator = new Translator({ document, tables: { px: pseudoTable(document) }, select: 'prefix' });
  const vocabulary = translator.vocabularies.get('px');
  if (!vocabulary) throw new TypeError('there is no vocabulary');
  const contents = translator.document.paths.flatMap(({ operations }) =>
    [...operations.values()].flatMap((operation) => [
      ...operation.body.values(),
      ...[...operation.answers.values()].flatMap((contents) => [...contents.values()]),
    ]),
  );
  const placed = contents.flatMap(({ body, item }) => [...(body ? [body] : []), ...(item ? [item] : [])]);
  return { translator, vocabulary, placed };
}

/** Every body of a document, in words and back. */
function checkBodies(document: Json, count: number, seed: number): void {
  const { vocabulary, placed } = open(document);
  const below = createRandom(seed);
  for (let run = 0; run < count && placed.length > 0; run++) {
    const each = placed[below(placed.length)];
    if (!each) continue;
    const node = vocabulary.compile([each]);
    const text = randomJson(document, each, below);
    const words = scanWhole(node, { vocabulary, direction: 'out' }, text);
    if (words === undefined) throw new Error(`not read: ${text}`);
    expect(scanWhole(node, { vocabulary, direction: 'in' }, words)).toBe(text);
    // Cut anywhere, it is the same.
    const bytes = encode(text);
    const [one, two] = [below(bytes.length), below(bytes.length)].sort((a, b) => a - b);
    const transform = new ByteTransform(new Scanner(node, { vocabulary, direction: 'out' }));
    const parts = [bytes.slice(0, one), bytes.slice(one, two), bytes.slice(two)].map((part) => transform.write(part));
    expect(Buffer.concat([...parts, transform.end()]).toString()).toBe(words);
  }
}

test.each(documents)('law 1: every body of %s comes back as it was', (_, document) => {
  checkBodies(document, BODIES, 7);
});

test('law 1: every body of documents made at random comes back as it was', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      checkBodies(randomDocument(createRandom(seed)), 20, seed);
    }),
    { numRuns: 100 * RUNS },
  );
});

const ORIGIN = 'http://localhost';
const CHOICE = ['plain', 'a b', 'año', '100%', 'a,b', 'red'];

/** A canonical address of an operation, and its body if it takes one. */
function createRequest(document: Json, below: (limit: number) => number) {
  const { translator, vocabulary } = open(document);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const operations = translator.document.paths.flatMap(({ operations: each }) => [...each.values()]);
  return () => {
    const operation = pick(operations);
    const value = (name: string, location: string): string => {
      const parameter = operation.parameters.find((each) => each.in === location && each.name === name);
      const node = parameter && vocabulary.compileParameter(parameter);
      const choices = [...((node?.items ?? node)?.values.out.keys() ?? [])];
      return encodeURIComponent(choices.length > 0 ? pick(choices) : pick(CHOICE));
    };
    const path = operation.template.replaceAll(/\{([^}]*)\}/g, (_, name: string) => value(name, 'path'));
    const names = operation.parameters.filter((each) => each.in === 'query' && below(2) === 0 && each.style === 'form');
    const query =
      operation.method === 'GET'
        ? names.map(({ name }) => `${encodeURIComponent(name)}=${value(name, 'query')}`).join('&')
        : '';
    const body = operation.body.get('application/json')?.body;
    const text = body && randomJson(document, body, below);
    const node = body && vocabulary.compile([body]);
    const words = text === undefined ? undefined : scanWhole(node, { vocabulary, direction: 'out' }, text);
    return { operation, url: path + (query === '' ? '' : `?${query}`), text, words };
  };
}

async function checkRequests(document: Json, count: number, seed: number): Promise<void> {
  const { translator } = open(document);
  const create = createRequest(document, createRandom(seed));
  const start = await translator.toCanonical(new Request(`${ORIGIN}/px/`));
  for (let run = 0; run < count; run++) {
    const { operation, url, text, words } = create();
    const answer = await start?.toWords(new Response(null, { status: 201, headers: { location: url } }));
    const address = answer?.headers.get('location') ?? '';
    const { method } = operation;
    const init = {
      method,
      ...(words === undefined || method === 'GET'
        ? {}
        : { body: words, headers: { 'content-type': 'application/json' } }),
    };
    const exchange = await translator.toCanonical(new Request(ORIGIN + address, init));
    const refusal = await exchange?.refusal?.text();
    expect(refusal, `${method} ${address} ${words}`).toBe(undefined);
    expect(exchange?.request?.url).toBe(ORIGIN + url);
    if ('body' in init) expect(await exchange?.request?.text()).toBe(text);
    const isWord = operation.template.split('/').some((segment) => segment !== '' && !segment.includes('{'));
    if (isWord) expect(address.startsWith('/px/')).toBe(true);
  }
}

test.each(documents)('law 1: every request of %s comes as it was', async (_, document) => {
  await checkRequests(document, BODIES, 3);
});

test('law 1: every request of documents made at random comes as it was', async () => {
  for (let seed = 1; seed <= 40 * RUNS; seed++) await checkRequests(randomDocument(createRandom(seed)), 20, seed);
});

test('law 2: all words without an inverse are told at once', () => {
  const document = {
    openapi: '3.1.0',
    paths: {
      '/boats': {
        get: {
          operationId: 'list',
          parameters: [
            { name: 'kind', in: 'query' },
            { name: 'sort', in: 'query' },
          ],
          responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Boat' } } } } },
        },
      },
      '/owners': {},
    },
    components: { schemas: { Boat: { properties: { name: {}, title: {}, kind: { enum: ['sail', 'motor'] } } } } },
  };
  const table = {
    paths: { boats: 'barcos', owners: 'barcos' },
    parameters: { kind: 'sort', sort: 'kind' },
    members: { Boat: { name: 'nombre', title: 'nombre' } },
    values: { '*': { sail: 'motor' } },
  };
  expect(() => new Translator({ document, tables: { es: table } })).toThrow(VocabularyError);
  try {
    new Translator({ document, tables: { es: table } });
  } catch (error) {
    const pointers = (error as VocabularyError).faults.map(({ file, pointer }) => `${file} ${pointer}`);
    expect(new Set(pointers)).toEqual(
      new Set([
        'es /paths/owners',
        'es /parameters/kind',
        'es /parameters/sort',
        'es /members/Boat/title',
        'es /values/*/sail',
      ]),
    );
  }
});
