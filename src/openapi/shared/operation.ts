import { JSON_TYPE } from '../../http/headers.ts';
import type { Method } from '../../http/methods.ts';
import type { TextName } from '../../texts/document-text.ts';
import type { ProblemCode } from '../../texts/problem.ts';
import type { Json } from './context.ts';
import type { HeaderName } from './headers.ts';

/** Examples by name (OpenAPI's Example Object). */
export type Examples = Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;

/** What a response, or a request, has in one media type. */
export interface Content {
  readonly type: string;
  readonly schema: Json;
  readonly examples: Examples;
}

/** A response that is no problem. */
export interface Success {
  readonly status: number;
  readonly text: TextName;
  /** Besides those of every response. */
  readonly headers: readonly HeaderName[];
  /** One of these, where it has content. */
  readonly content?: readonly Content[];
}

/** @returns the content of what is JSON only */
export const jsonContent = (schema: Json, examples: Examples): readonly Content[] => [
  { type: JSON_TYPE, schema, examples },
];

/** One entry of the table that documents are made of. */
export interface Operation {
  /** The same in every language. */
  readonly id: string;
  readonly path: string;
  readonly method: Lowercase<Method>;
  /** The name of its group. */
  readonly group: string;
  readonly summary: string;
  readonly description: string;
  /** Components. */
  readonly pathParameters: readonly string[];
  readonly parameters: readonly string[];
  /** Of the request. */
  readonly body?: readonly Content[];
  readonly successes: readonly Success[];
  /** Besides those of every request. */
  readonly problems: readonly ProblemCode[];
  /** What can be wrong with a path that contains something that clients choose, whatever the method. */
  readonly pathProblems: readonly ProblemCode[];
}

/** What the server refuses whatever the request is for, besides the faults of the protocol. */
export const ON_EVERY_REQUEST: readonly ProblemCode[] = ['bad-request'];

export const OF_PATH: readonly ProblemCode[] = ['malformed-path'];
export const OF_QUERY: readonly ProblemCode[] = ['unknown-parameter', 'invalid-parameter', 'invalid-query'];
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
