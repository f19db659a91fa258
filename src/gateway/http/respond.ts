/** Makes responses: their tags, their headers, their identifiers. */
import { nanoid } from 'nanoid';
import type { Asked, HeaderRecord } from './context.ts';

export const JSON_TYPE = 'application/json';
/** RFC 7396 */
export const MERGE_PATCH_TYPE = 'application/merge-patch+json';
export const PROBLEM_TYPE = 'application/problem+json';
export const HTML_TYPE = 'text/html';
/** https://html.spec.whatwg.org/multipage/server-sent-events.html */
export const EVENT_STREAM = 'text/event-stream';

export const LAST_EVENT_HEADER = 'Last-Event-ID';
export const CONTENT_POLICY = 'Content-Security-Policy';
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';
/** RFC 7240 */
export const PREFER_HEADER = 'Prefer';
export const APPLIED_HEADER = 'Preference-Applied';
export const REQUEST_ID_HEADER = 'X-Request-Id';
/** The same in lower case, as in Node's `headers`. */
export const REQUEST_ID_KEY = 'x-request-id';
/** The position of a client that knows everything up to a change (see `read/query/paging.ts`). */
export const CHANGE_HEADER = 'X-Change';

/** The media types that PATCH accepts (RFC 5789 §3.1). */
export const ACCEPT_PATCH: HeaderRecord = { 'Accept-Patch': `${MERGE_PATCH_TYPE}, ${JSON_TYPE}` };
/** Headers of a response to a preflight, besides the methods. `*` does not cover `Authorization`. */
export const PREFLIGHT: HeaderRecord = {
  'Access-Control-Allow-Headers': '*, Authorization',
  'Access-Control-Max-Age': '86400',
};
/** For responses that soon go out of date. */
export const NO_STORE: HeaderRecord = { 'Cache-Control': 'no-store' };
/** Inside the trees the path alone decides the language; outside them some responses ignore `Accept`. */
export const VARY_TYPE: HeaderRecord = { Vary: 'Accept' };
export const VARY_TYPE_AND_LANGUAGE: HeaderRecord = { Vary: 'Accept, Accept-Language' };
export const VARY_LANGUAGE: HeaderRecord = { Vary: 'Accept-Language' };
/** On a response that repeats that of an earlier request with the same idempotency key. */
export const REPLAYED: HeaderRecord = { 'Idempotency-Replayed': 'true' };

/** The default headers of every response. */
export const COMMON_HEADERS: HeaderRecord = {
  'Cache-Control': 'no-cache',
  // OWASP's REST Security Cheat Sheet. Pages have a policy of their own; `Strict-Transport-Security` is for the proxy to add.
  [CONTENT_POLICY]: "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  // Pages of every origin may read; `access/browsers.ts` decides which may write.
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': '*',
};

/** The identifiers that a client may give its request. */
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** @returns the client's own identifier of a request if it is usable, or a new one */
export function idFrom(sent: string | readonly string[] | null | undefined): string {
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : nanoid();
}

/** https://www.w3.org/TR/trace-context/#traceparent-header-field-values */
const TRACE_PARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:$|-)/;

/** @returns the trace that a request belongs to, by its `traceparent` */
export function traceIdIn(header: string | readonly string[] | null | undefined): string | undefined {
  return typeof header === 'string' && TRACE_PARENT.test(header) ? header.slice(3, 35) : undefined;
}

/** Identifiers by which a request is found in logs. */
export interface RequestIds {
  readonly id: string;
  readonly traceId: string | undefined;
}

export function readRequestIds({ headers }: Request): RequestIds {
  return { id: idFrom(headers.get(REQUEST_ID_KEY)), traceId: traceIdIn(headers.get('traceparent')) };
}

/** Change numbers are long: base 36 makes them ten characters for years to come. */
const RADIX = 36;

/** @returns the number of a change as tags and positions have it */
export function encodeChange(change: number): string {
  return change.toString(RADIX);
}

/** @returns the number of a change; `undefined` if its digits are written in another way */
export function decodeChange(digits: string): number | undefined {
  const change = Number.parseInt(digits, RADIX);
  return encodeChange(change) === digits ? change : undefined;
}

/** @returns the strong tag of an item in the representation that has this mark */
export const itemTag = (revision: number, mark: string): string => `"${encodeChange(revision)}.${mark}"`;

/** @returns the mark of an item with its nested items; like the tag of a list, it changes with every commit */
export const nestedMark = (mark: string, change: number): string => `${mark}.${encodeChange(change)}`;

/** @returns the weak tag of a list, which may change more often than the list does */
export const listTag = (change: number, mark: string): string => `W/"${encodeChange(change)}.${mark}"`;

/** @returns nothing if there is nothing to link */
export const linkHeader = (Link: string): HeaderRecord => (Link === '' ? {} : { Link });

/** @param ETag `undefined` if the response must not be stored */
export const tagHeader = (ETag: string | undefined): HeaderRecord => (ETag === undefined ? NO_STORE : { ETag });

/**
 * Makes a response; every response of a route is made here.
 *
 * @param own headers besides the common ones
 * @param requestId if it is known already
 */
export function respond(
  { req, env }: Asked,
  status: number,
  content: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
  own: HeaderRecord,
  requestId: string = idFrom(req.raw.headers.get(REQUEST_ID_KEY)),
): Response {
  const headers: Record<string, string> = { ...COMMON_HEADERS, ...own, ...env?.added, [REQUEST_ID_HEADER]: requestId };
  // A response to HEAD has the length of the content, too.
  if (req.method === 'HEAD' && content !== null && !(content instanceof ReadableStream)) {
    headers['Content-Length'] = String(Buffer.byteLength(content));
  }
  return new Response(content, { status, headers });
}
