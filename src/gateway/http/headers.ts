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
