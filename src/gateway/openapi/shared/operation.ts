import type { Method } from '../../http/request.ts';
import { JSON_TYPE } from '../../http/respond.ts';
import type { ProblemCode } from '../../texts/problem.ts';
import type { DocumentText } from '../../texts/shown-text.ts';
import type { Context, Json } from './context.ts';
import { type HeaderName, headerRefs } from './headers.ts';

/** Examples by name (OpenAPI's Example Object). */
export type Examples = Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;

/** The content of a response or a request by media type. */
export type Content = Readonly<Record<string, Json>>;

export const jsonContent = (schema: Json, examples: Examples): Content => ({ [JSON_TYPE]: { schema, examples } });

/**
 * @param headers besides those of every response
 * @returns a successful response by its status
 */
export const success = (
  { say }: Context,
  status: number,
  text: DocumentText,
  headers: readonly HeaderName[],
  content?: Content,
): Json => ({
  [status]: {
    description: say(text),
    ...(headers.length > 0 ? { headers: headerRefs(headers) } : {}),
    ...(content ? { content } : {}),
  },
});

/** @returns the response for a client that has the content already */
export const known = (context: Context, ...headers: readonly HeaderName[]): Json =>
  success(context, 304, 'response-known', headers);

/** The parameters of a read by which a client says what it has. */
export const CONDITIONS = ['If-Match', 'If-None-Match_read'];

/** An operation, from which a document's entry is generated. */
export interface Operation {
  /** The same in every language. */
  readonly id: string;
  readonly path: string;
  readonly method: Lowercase<Method>;
  /** The tag under which documents group it. */
  readonly group: string;
  readonly summary: string;
  readonly description: string;
  /** Names of components: of the path, then of the query and of headers. */
  readonly parameters: readonly string[];
  /** The content of the request's body. */
  readonly body?: Content;
  /** Successful responses by status. */
  readonly successes: Json;
  /** Whether its path has a word that another one has replaced. */
  readonly isFormer?: boolean;
  /** Problems besides those of every request. */
  readonly problems: readonly ProblemCode[];
}

/** Problems by what they concern: the query, the database, a JSON body. */
export const OF_QUERY: readonly ProblemCode[] = ['unknown-parameter', 'invalid-parameter', 'invalid-query'];
export const OF_STORE: readonly ProblemCode[] = ['internal', 'unavailable'];
export const OF_BODY: readonly ProblemCode[] = [
  'malformed-json',
  'unknown-field',
  'invalid-value',
  'invalid-body',
  'body-too-large',
  'unsupported-media-type',
];
