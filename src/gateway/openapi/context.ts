/** What all parts of a document need: its language, its options, references to components, headers, and what an operation is. */

import type { Method } from '../http/context.ts';
import { JSON_TYPE } from '../http/exchange.ts';
import type { Tree } from '../http/urls.ts';
import type { Access } from '../model/access.ts';
import type { Catalogue } from '../model/catalogue.ts';
import type { JsonSchema } from '../model/kinds/kind.ts';
import { DEFAULT_SIZE, directions, parameters } from '../model/query.ts';
import type { DocumentText } from '../texts/phrase.ts';
import type { ProblemCode } from '../texts/problem.ts';

export type Json = JsonSchema;

export interface DocumentOptions {
  readonly catalogue: Catalogue;
  readonly trees: readonly Tree[];
  /** Tag of the language of URLs outside the trees. */
  readonly defaultLanguage: string;
  readonly access: Access;
  /** The most bytes of a body: of any but a file, and of a file. */
  readonly bodyLimit: number;
  readonly importLimit: number;
  /** The greatest share of a list, in percent, that an import may delete without `allow-deletions`. */
  readonly deletionShare: number;
}

export interface Context extends DocumentOptions {
  /** The tree of the language whose words the document contains. */
  readonly tree: Tree;
  /**
   * @returns a text in the tree's language; placeholders for words of parameters, members and directions, for the size of a
   *   page and for the fields that are searched are filled in automatically
   */
  readonly say: (text: DocumentText, values?: Readonly<Record<string, string | number>>) => string;
}

/** @returns the fields in which lists are searched, by collection */
function listSearchedFields({ language }: Tree, catalogue: Catalogue): string {
  return catalogue
    .map((each) => ({
      name: language.documents.collection(each).name,
      words: each.fields.filter(({ searchable }) => searchable).map((field) => language.fields(each).word(field.name)),
    }))
    .filter(({ words }) => words.length > 0)
    .map(({ name, words }) => `${name}: ${words.map((word) => `\`${word}\``).join(', ')}`)
    .join('; ');
}

export function createContext(tree: Tree, options: DocumentOptions): Context {
  const { language } = tree;
  const words = Object.fromEntries([
    ['searched', listSearchedFields(tree, options.catalogue)],
    ...parameters.map((name) => [name, language.parameters.word(name)]),
    ...language.members.names.map((name) => [name, language.members.word(name)]),
    ...Object.keys(directions).map((name) => [name, language.directions.word(name)]),
  ]);
  return {
    ...options,
    tree,
    say: (text, values) => language.documents.say(text, { ...words, size: DEFAULT_SIZE, ...values }),
  };
}

export const ref = (kind: 'schemas' | 'parameters' | 'headers' | 'responses', name: string): Json => ({
  $ref: `#/components/${kind}/${name}`,
});

/** @returns the schema of an object with these members and no other, all of them required but those named */
export const object = (properties: Readonly<Record<string, Json>>, optional: readonly string[] = []): Json => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

/** @returns the schema of an object, each member of which has the text of its name behind `prefix` unless it has a description */
export function describedObject(
  { say }: Context,
  prefix: string,
  members: Readonly<Record<string, Json>>,
  optional?: readonly string[],
): Json {
  const described = Object.entries(members).map(([name, schema]) => {
    const text = `${prefix}-${name.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`;
    const isDescribed = 'description' in schema || '$ref' in schema;
    return [name, isDescribed ? schema : { ...schema, description: say(text as DocumentText) }];
  });
  return object(Object.fromEntries(described), optional);
}

export const TEXT: Json = { type: 'string' };
export const COUNT: Json = { type: 'integer', format: 'int64', minimum: 0 };

export const arraySchema = (items: Json): Json => ({ type: 'array', items });

type Header = { readonly text: DocumentText; readonly schema: Json; readonly optional?: true };

const matching = (pattern: string): Json => ({ type: 'string', pattern });
const SECONDS: Json = { type: 'integer', minimum: 0 };

/**
 * Headers that only some responses have, by component: a suffix after an underscore tells headers with one name apart. Those of every
 * response are described once, in words. A tag may be absent, because a list of changes has none.
 */
const headers = {
  'Accept-Encoding': { text: 'header-accept-encoding', schema: TEXT, optional: true },
  'Accept-Post': { text: 'header-accept-post', schema: TEXT },
  'Accept-Patch': { text: 'header-accept-patch', schema: TEXT },
  Allow_problem: { text: 'header-allow', schema: TEXT, optional: true },
  'Content-Disposition': { text: 'header-content-disposition', schema: matching('^attachment; '), optional: true },
  'Content-Location': { text: 'header-content-location', schema: matching('^/') },
  ETag_item: { text: 'header-etag-item', schema: matching('^"[^"]+"$'), optional: true },
  ETag_list: { text: 'header-etag-list', schema: matching('^W/"[^"]+"$'), optional: true },
  ETag_document: { text: 'header-etag-document', schema: matching('^"[^"]+"$'), optional: true },
  'Idempotency-Replayed': { text: 'header-idempotency-replayed', schema: { const: 'true' }, optional: true },
  Link_item: { text: 'header-link-item', schema: matching('^<'), optional: true },
  Link_list: { text: 'header-link-list', schema: matching('^<'), optional: true },
  'Link-Template': { text: 'header-link-template', schema: matching('^"/'), optional: true },
  Link_index: { text: 'header-link-index', schema: matching('^<') },
  Location: { text: 'header-location', schema: matching('^/') },
  'Preference-Applied': { text: 'header-preference-applied', schema: TEXT, optional: true },
  'Retry-After_problem': { text: 'header-retry-after', schema: SECONDS, optional: true },
  'Retry-After': { text: 'header-retry-after', schema: SECONDS },
  'WWW-Authenticate': { text: 'header-www-authenticate', schema: matching('^Bearer '), optional: true },
  'X-Accel-Buffering': { text: 'header-buffering', schema: { const: 'no' } },
  'X-Change': { text: 'header-change', schema: TEXT },
  'X-Change_import': { text: 'header-change', schema: TEXT, optional: true },
  'X-Hint': { text: 'header-hint', schema: TEXT, optional: true },
  'X-Total-Count': { text: 'header-total', schema: COUNT, optional: true },
} as const satisfies Readonly<Record<string, Header>>;

export type HeaderName = keyof typeof headers;

export const headerComponents = ({ say, catalogue }: Context): Json =>
  Object.fromEntries(
    Object.entries<Header>(headers)
      .filter(([name]) => name !== 'Link-Template' || catalogue.some(({ flattens }) => flattens))
      .map(([name, { text, schema, optional }]) => [name, { description: say(text), required: !optional, schema }]),
  );

/** @returns the `headers` member of a response, if it has any: a component for each name */
export const headersMember = (names: readonly HeaderName[]): Json =>
  names.length === 0
    ? {}
    : { headers: Object.fromEntries(names.map((name) => [name.replace(/_.*/, ''), ref('headers', name)])) };

/** Examples by name (OpenAPI's Example Object). */
export type Examples = Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;

/** The content of a response or a request by media type. */
export type Content = Readonly<Record<string, Json>>;

export const jsonContent = (schema: Json, examples: Examples): Content => ({ [JSON_TYPE]: { schema, examples } });

/** @returns a successful response by its status, with headers besides those of every response */
export const success = (
  { say }: Context,
  status: number,
  text: DocumentText,
  headers: readonly HeaderName[],
  content?: Content,
): Json => ({
  [status]: { description: say(text), ...headersMember(headers), ...(content ? { content } : {}) },
});

export const notModified = (context: Context, ...headers: readonly HeaderName[]): Json =>
  success(context, 304, 'response-known', headers);

export const CONDITIONS = ['If-Match', 'If-None-Match_read'];

/** An operation, from which a document's entry is generated. */
export interface Operation {
  /** Its `operationId`, which is the same in every language. */
  readonly id: string;
  readonly path: string;
  readonly method: Lowercase<Method>;
  /** The tag under which documents group it. */
  readonly group: string;
  readonly summary: string;
  readonly description: string;
  /** Names of components: of the path, then of the query and of headers. */
  readonly parameters: readonly string[];
  readonly body?: Content;
  /** Successful responses by status. */
  readonly successes: Json;
  /** Problems besides those of every request. */
  readonly problems: readonly ProblemCode[];
}

export const QUERY_PROBLEMS: readonly ProblemCode[] = ['unknown-parameter', 'invalid-parameter', 'invalid-query'];
export const STORE_PROBLEMS: readonly ProblemCode[] = ['internal', 'unavailable'];
