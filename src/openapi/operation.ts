import type { TextName } from '../texts/document-text.ts';
import type { ProblemCode } from '../texts/problem.ts';
import type { Json } from './context.ts';
import type { HeaderName } from './headers.ts';
import type { Scope } from './problem-schemas.ts';

/** An answer that is no problem. */
export interface Answer {
  readonly status: number;
  readonly text: TextName;
  /** Beside those of every answer. */
  readonly headers: readonly HeaderName[];
  /** Schema and examples of its JSON, where it has content. */
  readonly schema?: Json;
  readonly examples?: readonly unknown[];
}

/** One entry of the table that documents are made of. HEAD and OPTIONS follow from it. */
export interface Operation {
  /** The same in every language. */
  readonly id: string;
  /** What its OPTIONS is called after: the address, shared by the operations at one path. */
  readonly address: string;
  readonly path: string;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** The name of its group. */
  readonly group: string;
  readonly summary: string;
  readonly description: string;
  readonly scope: Scope;
  /** Components. */
  readonly pathParameters: readonly string[];
  readonly parameters: readonly string[];
  /** Of the request. */
  readonly body?: { readonly schema: Json; readonly example: unknown };
  readonly answers: readonly Answer[];
  /** Beside those of every request. */
  readonly problems: readonly ProblemCode[];
  /** What can be wrong with a path that holds something that clients choose, whatever the method. */
  readonly pathProblems: readonly ProblemCode[];
}

/** What the server refuses whatever is asked for. */
export const ON_EVERY_REQUEST: readonly ProblemCode[] = [
  'bad-request',
  'uri-too-long',
  'expectation-failed',
  'headers-too-large',
  'not-implemented',
  'version-not-supported',
];

export const OF_PATH: readonly ProblemCode[] = ['malformed-path'];
export const OF_QUERY: readonly ProblemCode[] = ['unknown-parameter', 'invalid-parameter', 'invalid-query'];
export const OF_ACCEPT: readonly ProblemCode[] = ['not-acceptable'];
export const OF_STORE: readonly ProblemCode[] = ['internal', 'unavailable'];
export const OF_BODY: readonly ProblemCode[] = [
  'malformed-json',
  'unknown-field',
  'invalid-value',
  'invalid-body',
  'request-timeout',
  'body-too-large',
  'unsupported-media-type',
];
