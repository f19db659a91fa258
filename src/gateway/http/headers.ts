import { nanoid } from 'nanoid';

/** A record, never a `Headers`: the server adapter writes it as it is. */
export type HeaderRecord = Readonly<Record<string, string>>;

export const JSON_TYPE = 'application/json';
/** RFC 7396 */
export const MERGE_PATCH_TYPE = 'application/merge-patch+json';
export const PROBLEM_TYPE = 'application/problem+json';
export const HTML_TYPE = 'text/html';

/** The media types that PATCH accepts (RFC 5789 §3.1). */
export const ACCEPT_PATCH: HeaderRecord = { 'Accept-Patch': `${MERGE_PATCH_TYPE}, ${JSON_TYPE}` };

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
 * Headers of a response to a preflight, besides the methods. `*` does not cover `Authorization`. The age is in seconds;
 * browsers have limits of their own.
 */
export const PREFLIGHT: HeaderRecord = {
  'Access-Control-Allow-Headers': '*, Authorization',
  'Access-Control-Max-Age': '86400',
};

export const CONTENT_POLICY = 'Content-Security-Policy';

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
const COMMON_HEADERS: HeaderRecord = { 'Cache-Control': 'no-cache', ...SECURITY, ...CROSS_ORIGIN };

/** For responses that soon go out of date. */
export const NO_STORE: HeaderRecord = { 'Cache-Control': 'no-store' };

/** For responses inside the trees, where the path alone decides the language. */
export const VARY_TYPE: HeaderRecord = { Vary: 'Accept' };

/** For responses outside the trees. */
export const VARY_TYPE_AND_LANGUAGE: HeaderRecord = { Vary: 'Accept, Accept-Language' };

/** For responses outside the trees where `Accept` is ignored. */
export const VARY_LANGUAGE: HeaderRecord = { Vary: 'Accept-Language' };

/** The most bytes of all header fields of a request together. */
export const HEADERS_LIMIT = 16_384;

export const IDEMPOTENCY_HEADER = 'Idempotency-Key';
/** On a response that repeats that of an earlier request with the same key. */
export const REPLAYED: HeaderRecord = { 'Idempotency-Replayed': 'true' };

/** RFC 7240 */
export const PREFER_HEADER = 'Prefer';

export const REQUEST_ID_HEADER = 'X-Request-Id';
/** The same name in lower case, as in Node's `headers`. */
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

export const requestIdOf = (request: Request): string => idFrom(request.headers.get(REQUEST_ID_HEADER));

/** Identifiers by which a request is found in logs. */
export interface RequestIds {
  readonly id: string;
  /** https://www.w3.org/TR/trace-context/#trace-id */
  readonly traceId: string | undefined;
}

export const idsOf = (request: Request): RequestIds => ({
  id: requestIdOf(request),
  traceId: traceIdIn(request.headers.get('traceparent')),
});

/** @returns the headers of a response, together with the common ones and with those that policies add */
export const withCommonHeaders = (
  headers: HeaderRecord,
  requestId: string,
  added?: HeaderRecord,
): Record<string, string> => ({
  ...COMMON_HEADERS,
  ...headers,
  ...added,
  [REQUEST_ID_HEADER]: requestId,
});
