/** Laws 3 to 8, over documents made at random: three of them, and three times as many as `TEST_RUNS` says. */
import { expect, test } from 'vitest';
import { Translator, translateDocument, vocabularies } from '../../packages/vocabularies/src/index.ts';
import { scanWhole } from '../../packages/vocabularies/src/scan.ts';
import * as boats from './boats.ts';
import { type Json, others, pseudoTable, randomDocument, randomJson } from './documents.ts';
import { createRandom } from './oracle.ts';

const RUNS = Number(process.env.TEST_RUNS ?? 1);
const seeds = Array.from({ length: 3 * RUNS }, (_, at) => at + 1);
const ORIGIN = 'http://localhost';
const JSON_TYPE = { 'content-type': 'application/json' };

/** A second vocabulary: the words of the first with a letter more. */
function otherTable(document: Json) {
  return JSON.parse(JSON.stringify(pseudoTable(document)).replaceAll('‹"', '‹q"'));
}

function open(document: Json) {
  const tables = { px: pseudoTable(document), qx: otherTable(document) };
  const translator = new Translator({ document, tables, select: 'prefix' });
  const vocabulary = translator.vocabularies.get('px');
  if (!vocabulary) throw new TypeError('there is no vocabulary');
  return { translator, vocabulary };
}

/** @returns an exchange of the boats at random, whose request is in words */
async function begin(document: Json, init: RequestInit = {}) {
  const { translator } = open(document);
  const path = `/px/${encodeURIComponent(pseudoTable(document).paths?.boats ?? '')}`;
  const exchange = await translator.toCanonical(new Request(ORIGIN + path, init));
  if (!exchange) throw new TypeError('the request is in no vocabulary');
  return { exchange, path };
}

test.each(seeds)('law 3: each word of another vocabulary is refused with the right one, seed %i', async (seed) => {
  const document = randomDocument(createRandom(seed));
  const { translator, vocabulary } = open(document);
  const other = translator.vocabularies.get('qx');
  for (const operation of translator.document.operations) {
    const content = operation.body.get('application/json');
    const node = content && vocabulary.findContents(content).body;
    const url = `${ORIGIN}/px${operation.template.replaceAll(/[^/{}]+/g, (name) => vocabulary.words.findPath(name)?.word ?? name)}`;
    const send = async (body: string) => {
      const request = new Request(url.replaceAll(/[{}]/g, ''), { method: 'POST', headers: JSON_TYPE, body });
      return (await translator.toCanonical(request))?.refusal;
    };
    if (operation.method !== 'POST' || !node || !other) continue;
    for (const { text, to } of node.members.out.values()) {
      const foreign = other.findContents(content).body?.members.out.get(text)?.to;
      for (const name of [text, foreign ?? text]) {
        const refusal = await send(`{${JSON.stringify(name)}:0}`);
        const [error] = ((await refusal?.json()) as { errors: object[] } | undefined)?.errors ?? [];
        const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        expect(error).toMatchObject({ code: 'unknown-field', pointer, suggestion: to });
      }
    }
    expect(await send('{"nothing":0}')).toBe(undefined);
  }
  expect(translator.toCanonical(new Request(`${ORIGIN}/boats`))).toBe(undefined);
});

test.each(seeds)('law 4: every address leads to the same, seed %i', async (seed) => {
  const below = createRandom(seed);
  const { exchange } = await begin(randomDocument(below));
  const keys = ['plain', 'a%20b', 'a%2Fb', '%C3%B1', '100%25', 'owners'];
  const key = keys[below(keys.length)];
  const to = async (address: string) => {
    const link = `<${address}>; rel=next, <https://example.com${address}>; rel=about`;
    const headers = {
      location: address,
      'content-location': ORIGIN + address,
      refresh: `1; url=${address}`,
      link,
      'link-template': `<${address}>; rel=item`,
    };
    const answer = await exchange.toWords(new Response(null, { headers }));
    return Object.fromEntries(answer.headers);
  };
  for (const address of [`/boats/${key}`, '/boats/mine', `/boats/${key}/owners/x?a=b`, '/boats?kind=red#f']) {
    const { location = '', ...headers } = await to(address);
    expect(location).not.toBe(address);
    expect(headers).toMatchObject({
      'content-location': ORIGIN + location,
      refresh: `1; url=${location}`,
      link: `<${location}>; rel=next, <https://example.com${address}>; rel=about`,
      'link-template': `<${location}>; rel=item`,
    });
  }
  expect((await to('/elsewhere')).location).toBe('/elsewhere');
});

test.each(seeds)('law 5: only the tags of the vocabulary match, seed %i', async (seed) => {
  const below = createRandom(seed);
  const document = randomDocument(below);
  const tags = Array.from({ length: 1 + below(4) }, (_, at) => ({
    weak: below(2) === 0 ? 'W/' : '',
    value: `t${at}`,
    mark: ['.px', '.qx', ''][below(3)] ?? '',
  }));
  const condition = tags.map(({ weak, value, mark }) => `${weak}"${value}${mark}"`).join(', ');
  const own = tags.filter(({ mark }) => mark === '.px').map(({ weak, value }) => `${weak}"${value}"`);
  const expected = own.length > 0 ? own.join(', ') : null;
  const headers = { range: 'bytes=0-1', 'if-range': '"t.px"', digest: 'x' };
  const none = await begin(document, { headers: { ...headers, 'if-none-match': condition } });
  expect(none.exchange.request?.headers.get('if-none-match')).toBe(expected);
  for (const name of Object.keys(headers)) expect(none.exchange.request?.headers.get(name)).toBe(null);
  const match = await begin(document, { headers: { 'if-match': condition } });
  expect(match.exchange.refusal?.status).toBe(expected === null ? 412 : undefined);
  expect(match.exchange.request?.headers.get('if-match')).toBe(expected === null ? undefined : expected);
  const answer = await none.exchange.toWords(new Response('{}', { headers: { ...JSON_TYPE, etag: `W/"${seed}"` } }));
  const again = await begin(document, { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } });
  expect(again.exchange.request?.headers.get('if-none-match')).toBe(`W/"${seed}"`);
});

test.each(seeds)('law 6: an answer that comes in parts is that which comes whole, seed %i', async (seed) => {
  const below = createRandom(seed);
  const document = randomDocument(below);
  const { vocabulary, translator } = open(document);
  const content = translator.document.operations[0]?.answers.get('200')?.get('application/json');
  const text = content?.body ? randomJson(document, content.body, below) : '{}';
  const bytes = new TextEncoder().encode(text);
  let isCancelled = false;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async start(controller) {
      for (let at = 0; at < bytes.length; ) {
        const end = at + 1 + below(7);
        await new Promise((resolve) => setImmediate(resolve));
        if (isCancelled) return;
        controller.enqueue(bytes.slice(at, end));
        at = end;
      }
      controller.close();
    },
    cancel() {
      isCancelled = true;
    },
  });
  const { exchange } = await begin(document);
  const answer = await exchange.toWords(new Response(stream, { headers: JSON_TYPE }));
  const node = content && vocabulary.findContents(content).body;
  expect(await answer.text()).toBe(scanWhole(node, { vocabulary, direction: 'out' }, text));
});

test('law 6: an error in the middle of an answer breaks it, and whoever leaves ends it', async () => {
  const document = randomDocument(createRandom(1));
  const { exchange } = await begin(document);
  const broken = new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setImmediate(resolve));
      controller.error(new Error('gone'));
    },
  });
  const answer = await exchange.toWords(new Response(broken, { headers: JSON_TYPE }));
  await expect(answer.text()).rejects.toThrow('gone');
});

const TOKENS = /"(?:[^"\\]|\\.)*"|\s+|[^"\s{}[\],:]+|[{}[\],:]/g;

test.each(seeds)('law 7: nothing but names and listed values is different, seed %i', (seed) => {
  const below = createRandom(seed);
  const document = randomDocument(below);
  const { vocabulary, translator } = open(document);
  for (const { body } of translator.document.operations) {
    for (const content of body.values()) {
      if (!content.body) continue;
      const text = randomJson(document, content.body, below);
      const context = { vocabulary, direction: 'out' } as const;
      const words = scanWhole(vocabulary.findContents(content).body, context, text) ?? '';
      const [before, after] = [text.match(TOKENS) ?? [], words.match(TOKENS) ?? []];
      expect(after.length).toBe(before.length);
      const different = before.filter((token, at) => token !== after[at]);
      expect(different.filter((token) => !token.startsWith('"'))).toEqual([]);
    }
  }
});

/** A table whose words are the names of another, and the other way round. */
function invert(table: Json): Json {
  return Object.fromEntries(
    Object.entries(table).map(([name, value]) => {
      return typeof value === 'string' ? [value, name] : [name, invert(value as Json)];
    }),
  );
}

const documents = [...seeds.map((seed) => [`seed ${seed}`, randomDocument(createRandom(seed))] as const), ...others];

test.each(documents)('law 8: a document in words and back is the same, %s', (name, document) => {
  // A value that has its word in some places only is listed in both forms.
  const table = { ...pseudoTable(document), ...(name.startsWith('seed') ? { values: {} } : {}) };
  const written = translateDocument(document, table);
  expect(translateDocument(document, {})).toEqual(document);
  const { members, values, parameters, ...inverse } = invert(table as Json);
  const back = { ...inverse, parameters, members, values };
  expect(translateDocument(written, back)).toEqual(document);
  const paths = Object.keys(Object(written.paths)).flatMap((path) => path.split('/'));
  expect(paths.filter((segment) => segment !== '' && !/[{‹]/.test(segment))).toEqual([]);
});

test.each(seeds)('law 8: what the document in words allows is understood, seed %i', async (seed) => {
  const below = createRandom(seed);
  const document = randomDocument(below);
  const written = translateDocument(document, pseudoTable(document));
  const reader = new Translator({ document: written, tables: {} });
  const app = vocabularies(
    { fetch: (request) => new Response(request.url) },
    { document, tables: { px: pseudoTable(document) }, onNotice: () => {} },
  );
  for (const { method, template, body } of reader.document.operations) {
    const schema = body.get('application/json')?.body;
    if (method !== 'POST' || !schema) continue;
    // What the schema does not describe may be spelt like a name of the document.
    const text = randomJson(written, schema, below).replaceAll('{"name":[1]}', '{}');
    const url = ORIGIN + template.replaceAll(/\{[^}]*\}/g, 'x');
    const answer = await app.fetch(new Request(url, { method, headers: JSON_TYPE, body: text }));
    const problem = answer.status === 200 ? '' : await answer.text();
    expect(problem.includes('unknown-field'), `${text} ${problem}`).toBe(false);
  }
});

const BITS = [
  ...[
    'barcos',
    'boats',
    'm%C3%ADos',
    '%',
    '%zz',
    '%2F',
    '..',
    '.',
    '[',
    ']',
    'filtro[eslora]',
    'orden',
    'tipo',
    'vela',
  ],
  ...[
    ',',
    '-',
    '+',
    '&',
    '=',
    '?',
    '#',
    '"',
    '{',
    '}',
    '\\',
    'nombre',
    'name',
    '__proto__',
    'constructor',
    '😀',
    'ñ',
    '|',
  ],
  ...['(', '*', 'W/"a.es"', '"x.es"', '<', '>', ';', ':', '\n', 'data:', 'null', '1e400', '\ud800', '/', '//'],
];
const TYPES = [
  'application/json',
  'application/x-ndjson',
  'text/event-stream',
  'text/csv',
  'multipart/form-data; boundary=x',
];
const MORE_TYPES = ['application/x-www-form-urlencoded', 'application/problem+json', 'text/plain', 'a;b', ''];

test.each(seeds)('whatever is asked and answered, nothing throws, seed %i', async (seed) => {
  const below = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const write = (most: number) => Array.from({ length: below(most) }, () => pick(BITS)).join('');
  const writeHeaders = (names: readonly string[]) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value =
          name === 'content-type'
            ? pick([...TYPES, ...MORE_TYPES])
            : write(6)
                .replaceAll(/[^ -~]/g, 'x')
                .trim();
        return below(3) === 0 ? [[name, value]] : [];
      }),
    );
  const answer = async (request: Request) => {
    await request.text();
    const names = ['location', 'link', 'refresh', 'etag', 'content-location', 'set-cookie', 'content-type'];
    return new Response(below(6) === 0 ? null : write(12), {
      status: pick([200, 400, 404]),
      headers: writeHeaders(names),
    });
  };
  const select = pick(['path', 'prefix', 'header'] as const);
  const app = vocabularies(
    { fetch: answer },
    { ...boats, tables: { es: boats.es, pt: boats.pt }, select, onNotice: () => {} },
  );
  for (let run = 0; run < 50; run++) {
    const url = URL.parse(`${ORIGIN}/${pick(['', 'es/', 'barcos', 'barcos/'])}${write(5)}?${write(8)}`);
    const method = pick(['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS']);
    const headers = writeHeaders(['if-match', 'if-none-match', 'accept-language', 'content-type', 'cookie', 'range']);
    const body = method === 'GET' || method === 'HEAD' ? {} : { body: write(14) };
    if (url) await (await app.fetch(new Request(url.href, { method, headers, ...body }))).text();
  }
});
