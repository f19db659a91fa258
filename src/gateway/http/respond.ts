/** Makes responses: their tags, their headers, their identifiers. */
import { nanoid } from 'nanoid';
import type { Asked, HeaderRecord } from './context.ts';

export const JSON_TYPE = 'application/json';
/** RFC 7396 */
export const MERGE_PATCH_TYPE = 'application/merge-patch+json';
export const PROBLEM_TYPE = 'application/problem+json';
export const HTML_TYPE = 'text/html';

/** The media types that PATCH accepts (RFC 5789 §3.1). */
export const ACCEPT_PATCH: HeaderRecord = { 'Accept-Patch': `${MERGE_PATCH_TYPE}, ${JSON_TYPE}` };

/**
 * Headers of a response to a preflight, besides the methods. `*` does not cover `Authorization`. The age is in seconds;
 * browsers have limits of their own.
 */
export const PREFLIGHT: HeaderRecord = {
  'Access-Control-Allow-Headers': '*, Authorization',
  'Access-Control-Max-Age': '86400',
};

/** https://html.spec.whatwg.org/multipage/server-sent-events.html */
export const EVENT_STREAM = 'text/event-stream';
export const LAST_EVENT_HEADER = 'Last-Event-ID';

export const CONTENT_POLICY = 'Content-Security-Policy';

/** For responses that soon go out of date. */
export const NO_STORE: HeaderRecord = { 'Cache-Control': 'no-store' };

/** For responses inside the trees, where the path alone decides the language. */
export const VARY_TYPE: HeaderRecord = { Vary: 'Accept' };

/** For responses outside the trees. */
export const VARY_TYPE_AND_LANGUAGE: HeaderRecord = { Vary: 'Accept, Accept-Language' };

/** For responses outside the trees where `Accept` is ignored. */
export const VARY_LANGUAGE: HeaderRecord = { Vary: 'Accept-Language' };

export const IDEMPOTENCY_HEADER = 'Idempotency-Key';
/** On a response that repeats that of an earlier request with the same key. */
export const REPLAYED: HeaderRecord = { 'Idempotency-Replayed': 'true' };

/** RFC 7240 */
export const PREFER_HEADER = 'Prefer';
export const APPLIED_HEADER = 'Preference-Applied';

export const REQUEST_ID_HEADER = 'X-Request-Id';

/**
 * Pages of every origin may read responses and all their headers (https://fetch.spec.whatwg.org/#http-cors-protocol: `*` means
 * every header where a response is read without the browser's credentials). `access/browsers.ts` decides which pages may
 * write. No response depends on the origin, so a cached one is right for every page.
 */
const CROSS_ORIGIN: HeaderRecord = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': '*',
};

/**
 * The headers that OWASP's REST Security Cheat Sheet recommends; pages have a policy of their own. `Strict-Transport-Security`
 * is for the proxy to add, because it must not be sent over plain HTTP (RFC 6797 §7.2).
 */
const SECURITY: HeaderRecord = {
  [CONTENT_POLICY]: "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

/** The default headers of every response. */
export const COMMON_HEADERS: HeaderRecord = { 'Cache-Control': 'no-cache', ...SECURITY, ...CROSS_ORIGIN };

/** The name of the header in lower case, as in Node's `headers`. */
export const REQUEST_ID_KEY = 'x-request-id';

/** The identifiers that a client may give its request. */
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** @returns the client's own identifier of a request, where it is usable, or a new one */
export const idFrom = (sent: string | readonly string[] | null | undefined): string =>
  typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : nanoid();

/** https://www.w3.org/TR/trace-context/#traceparent-header-field-values */
const TRACE_PARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:$|-)/;

/** @returns the trace that a request belongs to, by its `traceparent` */
export const traceIdIn = (header: string | readonly string[] | null | undefined): string | undefined =>
  typeof header === 'string' && TRACE_PARENT.test(header) ? header.slice(3, 35) : undefined;

/** Identifiers by which a request is found in logs. */
export interface RequestIds {
  readonly id: string;
  /** https://www.w3.org/TR/trace-context/#trace-id */
  readonly traceId: string | undefined;
}

export const readRequestIds = ({ headers }: Request): RequestIds => ({
  id: idFrom(headers.get(REQUEST_ID_KEY)),
  traceId: traceIdIn(headers.get('traceparent')),
});

/** Change numbers are long: base 36 makes them ten characters for years to come. */
const RADIX = 36;

/** @returns the number of a change as tags and positions have it */
export const encodeChange = (change: number): string => change.toString(RADIX);

/** @returns the number of a change from its digits; `undefined` where they are written in another way */
export const decodeChange = (digits: string): number | undefined => {
  const change = Number.parseInt(digits, RADIX);
  return encodeChange(change) === digits ? change : undefined;
};

/** The position of a client that knows everything up to a change (see `read/query/paging.ts`). */
export const CHANGE_HEADER = 'X-Change';

/** @returns the strong tag of an item in the representation that has this mark */
export const itemTag = (revision: number, mark: string): string => `"${encodeChange(revision)}.${mark}"`;

/** @returns the mark of an item with its nested items; like the tag of a list, it changes with every commit */
export const nestedMark = (mark: string, change: number): string => `${mark}.${encodeChange(change)}`;

/** @returns the weak tag of a list, which may change more often than the list does */
export const listTag = (change: number, mark: string): string => `W/"${encodeChange(change)}.${mark}"`;

/** @returns nothing if there is nothing to link */
export const linkHeader = (Link: string): HeaderRecord => (Link === '' ? {} : { Link });

/** @param ETag `undefined` if the response must not be kept */
export const tagHeader = (ETag: string | undefined): HeaderRecord => (ETag === undefined ? NO_STORE : { ETag });

/** The content of a response. */
type Content = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/**
 * Makes a response; every response of a route is made here.
 *
 * @param own headers besides the common ones
 * @param requestId if it is known already
 */
export const respond = (
  { req, env }: Asked,
  status: number,
  content: Content | null,
  own: HeaderRecord,
  requestId: string = idFrom(req.raw.headers.get(REQUEST_ID_KEY)),
): Response => {
  const headers: Record<string, string> = { ...COMMON_HEADERS, ...own, ...env?.added, [REQUEST_ID_HEADER]: requestId };
  // A response to HEAD has the length of the content, too.
  if (req.method === 'HEAD' && content !== null && !(content instanceof ReadableStream)) {
    headers['Content-Length'] = String(Buffer.byteLength(content));
  }
  return new Response(content, { status, headers });
};
