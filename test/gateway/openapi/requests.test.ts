import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MOST_TERMS, searchTerms } from '../../../src/gateway/model/search.ts';
import { useApp } from '../../support/app/app.ts';
import { runsOf } from '../../support/database/database.ts';
import { type Document, resolved } from '../../support/documents/documents.ts';
import { bodiesFor, valuesFor } from '../../support/documents/from-schema.ts';
import { servedDocuments } from '../../support/documents/served.ts';

const documents = await servedDocuments();

const { send } = useApp({
  given: [
    ['/api/cars', { identifier: 'kept', brand: 'Seat', model: 'Ibiza' }],
    ['/api/cars/kept/oils', { type: 'kept' }],
  ],
});

const RUNS = runsOf(80);

/** How often each verdict must come, so that the property says something of both. */
const LEAST = 1;

interface Verdicts {
  accepted: number;
  refused: number;
}

/** Runs a property, whose runs tell whether the document allows what they sent. */
const judged = async <T>(arbitrary: fc.Arbitrary<T>, run: (value: T) => Promise<boolean>): Promise<void> => {
  const verdicts: Verdicts = { accepted: 0, refused: 0 };
  const property = fc.asyncProperty(arbitrary, async (value) => {
    verdicts[(await run(value)) ? 'accepted' : 'refused']++;
  });
  await fc.assert(property, { numRuns: RUNS });
  expect(Math.min(verdicts.accepted, verdicts.refused), JSON.stringify(verdicts)).toBeGreaterThanOrEqual(LEAST);
};

/** JSON as it arrives: members that cannot be written are not there. */
const arriving = (body: unknown): unknown => JSON.parse(JSON.stringify(body));

const operationsIn = (document: Document) =>
  Object.entries<Document>(document.paths).flatMap(([template, item]) =>
    ['get', 'post', 'put', 'patch']
      .filter((method) => item[method] && template.startsWith('/api/') && !/\.json$|problems|locales/.test(template))
      .map((method) => ({
        name: String(item[method].operationId),
        method,
        path: template.replaceAll(/\{[^}]*\}/g, 'kept'),
        operation: item[method],
      })),
  );

/** Each operation in one of the languages, by turns: their documents differ in words alone. */
const cases = [...documents].flatMap(([tag, document], language) =>
  operationsIn(document)
    .filter((_, at) => at % documents.size === language)
    .map((each) => ({ ...each, tag, document })),
);

const validatorOf = (document: Document) => {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false }).addSchema(
    document,
    'document',
  );
  return (schema: Document) => (schema.$ref ? ajv.compile({ $ref: `document${schema.$ref}` }) : ajv.compile(schema));
};

/** But for imports, whose bodies are lists. */
const withBody = cases.filter(({ name, method }) => method !== 'get' && !name.endsWith('Import'));

describe.each(withBody)('$name in $tag', ({ document, operation, method, path }) => {
  const { schema } = operation.requestBody.content['application/json'];
  const isAllowed = validatorOf(document)(schema);
  const [key = ''] = Object.keys(resolved(document, schema).properties);
  /** A change must name its own item; a new one is taken away again. */
  const bodies = bodiesFor(resolved(document, schema))
    .map((body) =>
      method !== 'post' && typeof (body as Document)?.[key] === 'string'
        ? { ...(body as object), [key]: 'kept' }
        : body,
    )
    // An import, which is another operation.
    .filter((body) => method !== 'post' || !Array.isArray(body));

  test('accepts the bodies that the document allows, and refuses all others', () =>
    judged(bodies, async (body) => {
      const allowed = isAllowed(arriving(body));
      const { status, headers, text } = await send(method.toUpperCase(), path, JSON.stringify(body));
      expect([status < 300, text.slice(0, 300)]).toEqual([allowed, text.slice(0, 300)]);
      if (!allowed) expect(status).toBe(400);
      if (status === 201) expect((await send('DELETE', headers.get('location') ?? '')).status).toBe(204);
      return allowed;
    }));
});

interface Sent {
  readonly name: string;
  readonly values: readonly string[];
  readonly allowed: boolean;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value));

/** What a parameter's text stands for. */
const meant = ({ type }: Document, text: string): unknown => {
  if (type === 'integer') return /^-?\d+$/.test(text) ? Number(text) : text;
  return type === 'boolean' && /^(true|false)$/.test(text) ? text === 'true' : text;
};

/** Both ends of a range may be in the wrong order, which no schema can say. */
const hasBothEnds = (sent: readonly Sent[]): boolean => {
  const fields = sent.flatMap(({ name }) => /^(.*)_(?:from|to|desde|hasta)$/.exec(name)?.[1] ?? []);
  return new Set(fields).size < fields.length;
};

/** Directions without fields: only one is allowed, which no schema can say either. */
const ALONE = ['order', 'orden'];

/** A parameter with one value or several, separated by commas. */
const separated = (document: Document, { name, schema }: Document): fc.Arbitrary<Sent> => {
  const [each] = schema.anyOf;
  const isAllowed = validatorOf(document)(each);
  return fc
    .uniqueArray(valuesFor(each).map(textOf), { minLength: 1, maxLength: ALONE.includes(name) ? 1 : 3 })
    .map((texts) => ({ name, values: [texts.join()], allowed: texts.every((text) => isAllowed(text)) }));
};

/** A parameter with one value, or with several where it may be repeated. */
const parameterFor = (document: Document, parameter: Document): fc.Arbitrary<Sent> => {
  const { name, schema, explode = true } = parameter;
  if (!explode) return separated(document, parameter);
  const isRepeated = schema.type === 'array';
  const each = isRepeated ? schema.items : schema;
  const isAllowed = validatorOf(document)(each);
  // An empty filter filters nothing, whatever its type: the one thing that no schema of a parameter can say.
  const texts = valuesFor(each)
    .map(textOf)
    .filter((text) => !isRepeated || text !== '');
  return fc
    .array(texts, { minLength: 1, maxLength: isRepeated ? 2 : 1 })
    .map((values) => ({ name, values, allowed: values.every((text) => isAllowed(meant(each, text))) }));
};

const isSearched = (text: string): boolean =>
  text === '' || (!text.includes('\0') && searchTerms(text).length > 0 && searchTerms(text).length <= MOST_TERMS);

const lists = cases.filter(({ name }) => /^(?:cars|oils)(?:List|Select|Group|Export)$/.test(name));

describe.each(lists)('$name in $tag', ({ document, operation, path }) => {
  const described: readonly Document[] = operation.parameters
    .map((each: Document) => resolved(document, each))
    // What no schema can say: a position is out of a response.
    .filter(
      (each: Document) =>
        each.in === 'query' && !['after', 'despues_de', 'changed_since', 'cambiado_desde'].includes(each.name),
    );
  const [required = [], optional = []] = [true, false].map((isRequired) =>
    described
      .filter((each: Document) => (each.required ?? false) === isRequired)
      .map((each: Document) => parameterFor(document, each)),
  );
  const currentWord = (name: string): string =>
    resolved(document, { $ref: `#/components/parameters/cars_${name}` }).name;
  const searching = currentWord('search');
  const some = fc
    .tuple(fc.boolean(), fc.subarray(optional, { minLength: 1, maxLength: 3 }))
    .chain(([isLacking, chosen]) => fc.tuple(...(isLacking ? [] : required), ...chosen));

  test('accepts the queries that the document allows, and refuses all others', () =>
    judged(some, async (sent) => {
      const pairs = sent.flatMap(({ name, values }) =>
        values.map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`),
      );
      fc.pre(!hasBothEnds(sent));
      // What no schema can say: a text without words, or with too many.
      fc.pre(sent.every(({ name, values }) => name !== searching || values.every(isSearched)));
      const names = sent.map(({ name }) => name);
      const isLacking = described.some((each: Document) => each.required && !names.includes(each.name));
      // What no schema can say: a table has nothing nested.
      const format = sent.find(({ name }) => name === currentWord('exports'))?.values[0] ?? '';
      const isFlat = names.includes(currentWord('include')) && ['csv', 'xlsx'].includes(format);
      const allowed = !isLacking && !isFlat && sent.every((each) => each.allowed);
      const { status, text } = await send('GET', `${path}?${pairs.join('&')}`);
      expect([status, text.slice(0, 300)]).toEqual([allowed ? 200 : 400, text.slice(0, 300)]);
      return allowed;
    }));
});
