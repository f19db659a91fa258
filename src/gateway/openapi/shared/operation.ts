import { JSON_TYPE } from '../../http/headers.ts';
import type { Method } from '../../http/request.ts';
import type { ProblemCode } from '../../texts/problem.ts';
import type { DocumentText } from '../../texts/shown-text.ts';
import type { Json } from './context.ts';
import type { HeaderName } from './headers.ts';

/** Examples by name (OpenAPI's Example Object). */
export type Examples = Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;

/** The content of a response or a request in one media type. */
export interface Content {
  readonly type: string;
  readonly schema: Json;
  /** The schema of each item, if the content is a sequence of them that `schema` cannot describe. */
  readonly item?: Json;
  readonly examples: Examples;
}

/** A successful response. */
interface Success {
  readonly status: number;
  readonly text: DocumentText;
  /** Headers besides those of every response. */
  readonly headers: readonly HeaderName[];
  /** A content for each media type, where it has any. */
  readonly content?: readonly Content[];
}

/** @returns content in JSON only */
export const jsonContent = (schema: Json, examples: Examples): readonly Content[] => [
  { type: JSON_TYPE, schema, examples },
];

/** The response where the client has the content already. */
export const known = (...headers: readonly HeaderName[]): Success => ({ status: 304, text: 'response-known', headers });

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
  /** The contents of the request's body, one for each media type. */
  readonly body?: readonly Content[];
  readonly successes: readonly Success[];
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
