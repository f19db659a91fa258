import { fileFormats } from '../../formats/formats.ts';
import { IDEMPOTENCY_HEADER, LAST_EVENT_HEADER, PREFER_HEADER } from '../../http/respond.ts';
import { LANG } from '../../http/urls.ts';
import { isAccepted } from '../../locale/history.ts';
import type { Language } from '../../locale/language.ts';
import { type Collection, collectionOf } from '../../model/catalogue.ts';
import { kindOf } from '../../model/kinds/kinds.ts';
import { type View, viewNames, views } from '../../model/views.ts';
import { formerParameters } from '../../read/query/filters.ts';
import { itemParameters, listParameters } from '../../read/query/query.ts';
import { type Context, type Json, ref } from '../shared/context.ts';
import { schemaName } from './schemas.ts';

/** @returns the name of the component of a collection's parameter */
const componentOf = ({ id }: Collection, parameter: string): string => `${id}_${parameter}`;

/** @returns what there is beside a list whose operation must have a parameter */
const requiredBy = (parameter: string): View | undefined => viewNames.find((view) => views[view] === parameter);
/** Parameters that one view must have, and another one may. */
const ALSO_IN: Readonly<Record<string, readonly (View | undefined)[]>> = {
  fields: ['exports', 'events'],
  changed_since: ['events'],
};
const isOptional = (parameter: string): boolean => parameter in ALSO_IN || !requiredBy(parameter);

/** What else an operation does not have: groups and changes have an order and members of their own. */
const LEFT_OUT: Readonly<Partial<Record<View, readonly string[]>>> = {
  groups: ['sort_by', 'order', 'after', 'include'],
  changes: ['sort_by', 'order', 'after', 'page'],
  events: ['sort_by', 'order', 'after', 'page'],
};

/** @returns what a parameter was called before, as long as that is accepted: a name for its component, the word, the last day */
const formerly = (language: Language, collection: Collection, name: string, word: string) =>
  [...formerParameters(language, collection)]
    .filter(([, { word: now, parts }]) => now === word && parts.every(isAccepted))
    .map(
      ([sent, { parts }], at) =>
        [`${name}_former${at + 1}`, sent, parts.map(({ until }) => until).sort()[0] ?? ''] as const,
    );

const componentsOf = (
  language: Language,
  collection: Collection,
  parameters: readonly { readonly name: string; readonly word: string }[],
  view?: View,
): readonly string[] =>
  parameters
    .filter(({ name }) => !requiredBy(name) || ALSO_IN[name]?.includes(view))
    .filter(({ name }) => !(view && LEFT_OUT[view]?.includes(name)))
    .flatMap(({ name, word }) => [name, ...formerly(language, collection, name, word).map(([former]) => former)])
    .map((name) => componentOf(collection, name));

/** @returns the components of the query parameters of a read of a list; the one that is required is first */
export const listComponents = ({ tree }: Context, collection: Collection, view?: View): readonly string[] => [
  ...(view && views[view] ? [componentOf(collection, view)] : []),
  ...componentsOf(tree.language, collection, listParameters(tree.language, collection), view),
];

/** @returns the components of the query parameters of an item */
export const itemComponents = ({ tree }: Context, collection: Collection): readonly string[] =>
  componentsOf(tree.language, collection, itemParameters(tree.language, collection));

/**
 * @param collection whose key it is
 * @returns the name of its path parameter: the key's word, unless a parent's key has the same
 */
const keyParameter = (context: Context, collection: Collection): string => {
  const { language } = context.tree;
  const { name, key, parent } = collection;
  const word = language.fields(collection).word(key.name);
  const isTaken = parent !== undefined && keyParameter(context, parent) === word;
  return isTaken ? `${language.paths(parent).word(name)}_${word}` : word;
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
    'x-collection': collection.name,
    description: context.say('parameter-key', { of: context.tree.language.documents.nouns(collection).of }),
    schema: kindOf(key).jsonSchema(key, context.tree.language.valueWords(collection, key)),
    ...(example === undefined ? {} : { example }),
  };
};

/** The style of a parameter whose values are separated by commas; a filter is repeated instead. */
const SEVERAL: Json = { style: 'form', explode: false };

/** @returns which names of a collection a parameter is or holds, for whoever translates requests by the document */
function describeNames(context: Context, collection: Collection, kind: string): Json {
  if (kind === 'filter' || kind === 'range') return { 'x-collection': collection.name };
  const holdsNames = kind === 'field' || kind === 'collection';
  return holdsNames ? { 'x-names': schemaName(context, collection, 'item') } : {};
}

const ofCollection = (context: Context, collection: Collection): readonly (readonly [string, Json])[] => {
  const inQuery = listParameters(context.tree.language, collection).flatMap(
    ({ name, word, kind, field = '', text, schema }) => {
      const style = 'anyOf' in schema ? SEVERAL : {};
      const parameter = {
        name: word,
        in: 'query',
        description: context.say(text, { field }),
        ...describeNames(context, collection, kind),
        ...style,
        schema,
      };
      const narrow = name === 'format' ? { schema: { ...schema, enum: fileFormats } } : {};
      const view = requiredBy(name);
      return [
        ...(isOptional(name) ? [[name, parameter] as const] : []),
        ...formerly(context.tree.language, collection, name, word).map(([component, former, until]) => {
          const description = context.say('parameter-former', { word, until });
          return [component, { ...parameter, name: former, description, deprecated: true }] as const;
        }),
        ...(view ? [[view, { ...parameter, ...narrow, required: true }] as const] : []),
      ];
    },
  );
  const key = collection.nested ? [] : [['key', keyParameterOf(context, collection)] as const];
  return [...key, ...inQuery].map(([name, parameter]) => [componentOf(collection, name), parameter]);
};

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
    'If-None-Match_read': header('If-None-Match', say('parameter-if-none-match')),
    'If-None-Match_write': header('If-None-Match', say('parameter-unless-match')),
    [IDEMPOTENCY_HEADER]: header(IDEMPOTENCY_HEADER, say('parameter-idempotency-key')),
    [PREFER_HEADER]: header(PREFER_HEADER, say('parameter-prefer', { share: deletionShare }), {
      examples: ['handling=lenient, resolution=merge-duplicates'],
    }),
    [`${PREFER_HEADER}_wait`]: header(PREFER_HEADER, say('parameter-wait'), { examples: ['wait=25'] }),
    [LAST_EVENT_HEADER]: header(LAST_EVENT_HEADER, say('parameter-last-event')),
    'Accept-Language': header('Accept-Language', say('parameter-accept-language', { fallback: defaultLanguage })),
    code: path('code', say('parameter-code'), ref('schemas', 'ProblemCode')),
    lang: { name: LANG, in: 'query', description: say('parameter-lang'), schema: tag },
    language: path('language', say('parameter-language'), tag),
  };
};
