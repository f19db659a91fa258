import { nanoid } from 'nanoid';

/** A record, never a `Headers`: the server adapter writes it out as it is. */
export type HeaderRecord = Readonly<Record<string, string>>;

export const JSON_TYPE = 'application/json';
export const NDJSON_TYPE = 'application/x-ndjson';
export const CSV_TYPE = 'text/csv';
export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** RFC 7396 */
export const MERGE_PATCH_TYPE = 'application/merge-patch+json';
export const PROBLEM_TYPE = 'application/problem+json';
export const HTML_TYPE = 'text/html';

/** What PATCH reads (RFC 5789 §3.1). */
export const ACCEPT_PATCH: HeaderRecord = { 'Accept-Patch': `${MERGE_PATCH_TYPE}, ${JSON_TYPE}` };

/** The types of files that are imported. */
export const FILE_TYPES = [CSV_TYPE, NDJSON_TYPE, XLSX_TYPE] as const;

/** What POST reads (https://www.w3.org/TR/ldp/#header-accept-post). */
export const ACCEPT_POST: HeaderRecord = { 'Accept-Post': [JSON_TYPE, ...FILE_TYPES].join(', ') };

/**
 * Pages of every origin may read, headers too (https://fetch.spec.whatwg.org/#http-cors-protocol: `*` is every header, as no
 * response may be read with a browser's own credentials); which of them may write is decided in `server/browsers.ts`. No
 * response depends on the origin, so cached ones are right for every page.
 */
const CROSS_ORIGIN: HeaderRecord = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': '*',
};

/**
 * Of a response to a preflight, beside the methods. `*` does not cover `Authorization`. Seconds; browsers have limits of their
 * own.
 */
export const PREFLIGHT: HeaderRecord = {
  'Access-Control-Allow-Headers': '*, Authorization',
  'Access-Control-Max-Age': '86400',
};

export const CONTENT_POLICY = 'Content-Security-Policy';

/**
 * What OWASP's REST Security Cheat Sheet asks of an API; pages have a policy of their own. `Strict-Transport-Security` is the
 * proxy's, because it must not come by plain HTTP (RFC 6797 §7.2).
 */
const SECURITY: HeaderRecord = {
  [CONTENT_POLICY]: "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

/** On every response that says nothing else. */
export const COMMON_HEADERS: HeaderRecord = { 'Cache-Control': 'no-cache', ...SECURITY, ...CROSS_ORIGIN };

/** Of responses that say nothing of later. */
export const NO_STORE: HeaderRecord = { 'Cache-Control': 'no-store' };

/** Inside the trees, where the path alone decides the language. */
export const VARY_TYPE: HeaderRecord = { Vary: 'Accept' };

/** Outside the trees. */
export const VARY_TYPE_AND_LANGUAGE: HeaderRecord = { Vary: 'Accept, Accept-Language' };

/** Outside the trees, where any `Accept` will do. */
export const VARY_LANGUAGE: HeaderRecord = { Vary: 'Accept-Language' };

/** Bytes of all header fields of a request together. */
export const HEADERS_LIMIT = 16_384;

export const IDEMPOTENCY_HEADER = 'Idempotency-Key';

/** RFC 7240 */
export const PREFER_HEADER = 'Prefer';

export const REQUEST_ID_HEADER = 'X-Request-Id';
/** The same, as Node's `headers` has it. */
export const REQUEST_ID_KEY = 'x-request-id';

/** What a client may call its request. */
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** @returns the client's own identifier of a request, where it is usable, or a new one */
export const idFrom = (sent: string | readonly string[] | null | undefined): string =>
  typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : nanoid();

/** https://www.w3.org/TR/trace-context/#traceparent-header-field-values */
const TRACE_PARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:$|-)/;

/** @returns the trace that a request belongs to, by its `traceparent` */
export const traceIdIn = (header: string | readonly string[] | null | undefined): string | undefined =>
  typeof header === 'string' ? TRACE_PARENT.exec(header)?.[1] : undefined;

export const requestIdOf = (request: Request): string => idFrom(request.headers.get(REQUEST_ID_HEADER));

/** By which a request is found again elsewhere. */
export interface RequestIds {
  readonly id: string;
  /** https://www.w3.org/TR/trace-context/#trace-id */
  readonly traceId: string | undefined;
}

/** @param id where something else has told it already */
export const idsOf = (request: Request, id: string = requestIdOf(request)): RequestIds => ({
  id,
  traceId: traceIdIn(request.headers.get('traceparent')),
});

/** @returns the headers of a response, with those that every response has */
export const withCommonHeaders = (headers: HeaderRecord, requestId: string): Record<string, string> => ({
  ...COMMON_HEADERS,
  ...headers,
  [REQUEST_ID_HEADER]: requestId,
});
