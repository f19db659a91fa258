import { IDEMPOTENCY_HEADER, PREFER_HEADER, REQUEST_ID_HEADER } from '../../http/headers.ts';
import { LANG } from '../../http/urls.ts';
import { type Collection, collectionOf } from '../../model/catalogue.ts';
import { kindOf } from '../../model/kinds/kinds.ts';
import { listParameters } from '../../read/query/query.ts';
import { type Context, type Json, ref } from '../shared/context.ts';

/** @returns the components of a collection's query parameters */
export const componentsOf = (
  { name }: Collection,
  parameters: readonly { readonly name: string }[],
): readonly string[] => parameters.map((each) => `${name}.${each.name}`);

/**
 * @param collection whose key it is
 * @returns the name of its path parameter: the key's word, unless a parent's key has the same
 */
const keyParameter = (context: Context, collection: Collection): string => {
  const { language } = context.tree;
  const { name, key, parent } = collection;
  const word = language.fields(collection).word(key.name);
  const isTaken = parent !== undefined && keyParameter(context, parent) === word;
  return isTaken ? `${language.paths(parent).word(name)}.${word}` : word;
};

/** Converts a route's pattern to a path template of OpenAPI: `/api/coches/:cars` to `/api/coches/{identificador}`. */
export const pathTemplate = (context: Context, pattern: string): string =>
  pattern.replace(/:(\w+)/g, (_, name: string) => `{${keyParameter(context, collectionOf(context.catalogue, name))}}`);

const keyParameterOf = (context: Context, collection: Collection): Json => {
  const { key } = collection;
  const [example] = key.examples;
  return {
    name: keyParameter(context, collection),
    in: 'path',
    required: true,
    description: context.say('parameter-key', { of: context.tree.language.documents.nouns(collection).of }),
    schema: kindOf(key).jsonSchema(key),
    ...(example === undefined ? {} : { example }),
  };
};

/** The style of a parameter whose values are separated by commas; a filter is repeated instead. */
const SEVERAL: Json = { style: 'form', explode: false };

const ofCollection = (context: Context, collection: Collection): readonly (readonly [string, Json])[] => [
  [`${collection.name}.key`, keyParameterOf(context, collection)],
  ...listParameters(context.tree.language, collection).map(
    ({ name, word, field = '', text, schema }) =>
      [
        `${collection.name}.${name}`,
        {
          name: word,
          in: 'query',
          description: context.say(text, { field }),
          ...('anyOf' in schema ? SEVERAL : {}),
          schema,
        },
      ] as const,
  ),
];

const header = (name: string, description: string, schema: Json = {}): Json => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string', ...schema },
});

const path = (name: string, description: string, schema: Json): Json => ({
  name,
  in: 'path',
  required: true,
  description,
  schema,
});

/** Every parameter of every operation, by component. */
export const parameterComponents = (context: Context): Json => {
  const { catalogue, say, trees, defaultLanguage, deletionShare } = context;
  const tag = { type: 'string', enum: trees.map(({ language }) => language.tag) };
  return {
    ...Object.fromEntries(catalogue.flatMap((collection) => ofCollection(context, collection))),
    'If-Match': header('If-Match', say('parameter-if-match')),
    'If-None-Match.read': header('If-None-Match', say('parameter-if-none-match')),
    'If-None-Match.write': header('If-None-Match', say('parameter-unless-match')),
    [IDEMPOTENCY_HEADER]: header(IDEMPOTENCY_HEADER, say('parameter-idempotency-key')),
    [PREFER_HEADER]: header(PREFER_HEADER, say('parameter-prefer', { share: deletionShare }), {
      examples: ['handling=lenient, resolution=merge-duplicates'],
    }),
    [REQUEST_ID_HEADER]: header(REQUEST_ID_HEADER, say('parameter-request-id')),
    'Accept-Language': header('Accept-Language', say('parameter-accept-language', { fallback: defaultLanguage })),
    code: path('code', say('parameter-code'), ref('schemas', 'ProblemCode')),
    lang: { name: LANG, in: 'query', description: say('parameter-lang'), schema: tag },
    language: path('language', say('parameter-language'), tag),
  };
};
