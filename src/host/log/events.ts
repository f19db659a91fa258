/** What is logged and counted. */

import type { ChangeEvent } from '../../gateway/collections/resource.ts';
import type { RouteMatch } from '../../gateway/http/context.ts';

/** For people, or for programs. */
export const logFormats = ['pretty', 'json'] as const;
export type LogFormat = (typeof logFormats)[number];

/** From the most important to the least. */
export const levels = ['error', 'warn', 'info', 'debug'] as const;
export type Level = (typeof levels)[number];

/** Members that an event has besides its message, for programs. */
export type EventMembers = Readonly<Record<string, string | undefined>>;

/** A completed request, as metrics count it: every member has a bounded number of values. */
export interface CountedRequest extends RouteMatch {
  readonly method: string;
  /** `undefined` where the connection ended before there was a response. */
  readonly status: number | undefined;
  /** Milliseconds from the request's headers to the end of its response; `undefined` where the headers were incomplete. */
  readonly duration: number | undefined;
}

/** Who sent a request. */
interface Sender {
  readonly requestId: string;
  /** The name of the client's key, or its token's subject. */
  readonly client?: string | undefined;
  readonly address?: string | undefined;
  /** https://www.w3.org/TR/trace-context/#trace-id */
  readonly traceId?: string | undefined;
}

export interface LoggedChange extends ChangeEvent, Sender {
  /** The id of the client's key, or a hash of its token's subject. */
  readonly clientId?: string | undefined;
}

/** A completed request, as it is logged: no bodies, no secrets. */
export interface ServedRequest extends CountedRequest, Sender {
  /** As sent, without the query, truncated where it is long. */
  readonly path: string;
  /** Of the response, headers included. */
  readonly bytes: number;
  /** The language of another tree's words for which it was refused. */
  readonly wordsOf?: string | undefined;
  /** The code of Node's HTTP parser for what it refused, of which neither method nor path is known. */
  readonly fault?: string | undefined;
}
