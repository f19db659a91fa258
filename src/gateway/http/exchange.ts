/** What a request asks for (its target, its kind of address, its client), and what every response has (headers, tags, identifiers). */
import { nanoid } from 'nanoid';
import { compose } from '../../../packages/vocabularies/src/words.ts';
import type { Caller, Keys } from '../port/port.ts';
import type { AddressOf, Env, Exchange, HeaderRecord, Method, RequestContext, ResourceHandler } from './context.ts';
import { OPENAPI, URLS } from './urls.ts';

export const ACCEPT_PATCH: HeaderRecord = { 'Accept-Patch': 'application/merge-patch+json, application/json' };
/** Headers of a response to a preflight, besides the methods. `*` does not cover `Authorization`. */
export const PREFLIGHT: HeaderRecord = {
  'Access-Control-Allow-Headers': '*, Authorization',
  'Access-Control-Max-Age': '86400',
};

export const COMMON_HEADERS: HeaderRecord = {
  'Cache-Control': 'no-cache',
  // OWASP's REST Security Cheat Sheet. Pages have a policy of their own; `Strict-Transport-Security` is for the proxy to add.
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  // Pages of every origin may read; `access/browsers.ts` decides which may write.
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': '*',
};

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** @returns the client's own identifier of a request if it is usable, or a new one */
export function chooseId(header: string | readonly string[] | null | undefined): string {
  return typeof header === 'string' && REQUEST_ID.test(header) ? header : nanoid();
}

/** https://www.w3.org/TR/trace-context/#traceparent-header-field-values */
const TRACE_PARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:$|-)/;

export function readTraceId(header: string | readonly string[] | null | undefined): string | undefined {
  return typeof header === 'string' && TRACE_PARENT.test(header) ? header.slice(3, 35) : undefined;
}

export interface RequestIds {
  readonly id: string;
  readonly traceId: string | undefined;
}

export function readRequestIds({ headers }: Request): RequestIds {
  return { id: chooseId(headers.get('x-request-id')), traceId: readTraceId(headers.get('traceparent')) };
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

/** @param ETag `undefined` if the response must not be stored */
export const tagHeader = (ETag: string | undefined): HeaderRecord =>
  ETag === undefined ? { 'Cache-Control': 'no-store' } : { ETag };

/** Every response of a route is made here. @param own headers besides the common ones */
export function respond(
  { req, env }: RequestContext,
  status: number,
  content: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
  own: HeaderRecord,
  requestId: string = chooseId(req.raw.headers.get('x-request-id')),
): Response {
  // A response to HEAD has the length of the content, too.
  const hasLength = req.method === 'HEAD' && content !== null && !(content instanceof ReadableStream);
  const length = hasLength && { 'Content-Length': String(Buffer.byteLength(content)) };
  const headers = { ...COMMON_HEADERS, ...own, ...env?.policyHeaders, 'X-Request-Id': requestId, ...length };
  return new Response(content, { status, headers });
}

const WITH_BODY: readonly string[] = ['POST', 'PUT', 'PATCH'] satisfies readonly Method[];
/** Methods that only read (RFC 9110 §9.2.1). */
const SAFE: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'TRACE'];

export const readsBody = (method: string): boolean => WITH_BODY.includes(method);
export const isSafe = (method: string): boolean => SAFE.includes(method);

export function listAllowed(methods: readonly string[]): string {
  const all = methods.flatMap((method) => (method === 'GET' ? [method, 'HEAD'] : [method]));
  return [...new Set([...all, 'OPTIONS'])].join(', ');
}

export const TARGET_LIMIT = 8_192;

/** The path of a target that is too long or malformed. A canonical path has no bare `%`, so no route has it. */
export const UNROUTABLE = '/%';

/** Scheme and host, which may be followed by a query without a path. */
const ABSOLUTE = /^[^/?#]*:\/\/[^/?#]*(.*)$/s;

/** @returns the path and query of a target, from an absolute one too (RFC 9112 §3.2) */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const [, end = ''] = ABSOLUTE.exec(target) ?? [];
  return end.startsWith('/') ? end : `/${end}`;
}

/** @returns path and query as they were sent: from Node's request, because the URL of a `Request` is normalised (`%2e%2e` would be gone) */
export function requestTarget(request: Request, env: Env['Bindings'] | undefined): string {
  return originForm(env?.target ?? env?.incoming?.url ?? request.url);
}

export function targetPath(target: string): string {
  const end = target.search(/[?#]/);
  return end === -1 ? target : target.slice(0, end);
}

/** @returns the query of a request, undecoded and without its question mark; empty if it has none */
export function readQueryText({ req, env }: RequestContext): string {
  const target = requestTarget(req.raw, env);
  const start = target.indexOf('?');
  if (start === -1) return '';
  const end = target.indexOf('#', start);
  return target.slice(start + 1, end === -1 ? undefined : end);
}

/** @returns the text of percent-encoded UTF-8; `undefined` if it is malformed or contains U+0000 */
export function decode(text: string): string | undefined {
  try {
    const decoded = text.includes('%') ? decodeURIComponent(text) : text;
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/** @returns a decoded word in NFC, as tables have it */
export function decodeWord(text: string): string | undefined {
  const word = decode(text);
  return word && compose(word);
}

/** @returns the decoded segments of a path; keys, which follow words by turns, are as sent. @param views words that may stand before a list's */
export function splitPath(path: string, views: ReadonlySet<string>): readonly (string | undefined)[] {
  const segments = path.split('/');
  const remainder = views.has(decodeWord(segments[2] ?? '') ?? '') ? 0 : 1;
  return segments.map((segment, at) => (at > 2 && at % 2 === remainder ? decode(segment) : decodeWord(segment)));
}

/** A character that `encodeURIComponent` leaves unchanged. */
const CANONICAL = /^[\w\-.!~*'()/]*$/;

/**
 * Encodes every segment in one canonical way, so that `%2F` inside a key stays one and `autom%c3%b3veis` is `automóveis`.
 *
 * @returns the path that routes are matched against, without a trailing slash, or `UNROUTABLE`
 */
export function routePath(target: string, views: ReadonlySet<string> = new Set()): string {
  if (target.length > TARGET_LIMIT) return UNROUTABLE;
  const path = targetPath(target).replace(/(.)\/$/, '$1');
  if (CANONICAL.test(path)) return path;
  const segments = splitPath(path, views);
  if (segments.includes(undefined)) return UNROUTABLE;
  return segments.map((segment) => encodeURIComponent(segment ?? '')).join('/');
}

/** @returns how Hono finds the path of a request. @param update replaces the former words of a target */
export function createPathReader(views: ReadonlySet<string>, update: ((target: string) => string) | undefined) {
  return (request: Request, { env }: { readonly env?: Env['Bindings'] } = {}): string => {
    const target = requestTarget(request, env);
    return routePath(update?.(target) ?? target, views);
  };
}

const alternatives = (paths: readonly string[]): string => paths.map(RegExp.escape).join('|');

const PROBES = [URLS.live, URLS.ready];
const PROBE = new RegExp(`^(?:${alternatives(PROBES)})/?$`);

/** Paths that need no key, themselves and everything below: help, words and health, without any data of the catalogue. */
const PUBLIC = new RegExp(
  `^(?:(?:${alternatives([URLS.assets, URLS.dictionaries, URLS.problems, ...PROBES])})(?:/|$)|${alternatives([`${OPENAPI}.`])})`,
);

/** @param path as sent; a public path in another encoding is not public */
export const isPublic = (path: string): boolean => PUBLIC.test(path);

/** The kinds of addresses that policies distinguish: health checks, help without data of the catalogue, the trees, and what browsers request without a key. */
export type AddressKind = 'probe' | 'page' | 'tree' | 'preflight';

export function addressKind(method: string, path: string): AddressKind {
  if (method === 'OPTIONS') return 'preflight';
  if (PROBE.test(path) && isSafe(method)) return 'probe';
  return isPublic(path) ? 'page' : 'tree';
}

/** @returns the keys in the path of a request, by the names of its parameters: blanks at their ends are no part of them */
export function readKeys({ req }: Exchange, names: readonly string[]): Keys {
  return names.map((name) => req.param(name)?.trim() ?? '');
}

export function isConditional(headers: Headers): boolean {
  return headers.get('if-match') !== null || headers.get('if-none-match') !== null;
}

const remoteAddress: AddressOf = ({ socket }) => socket?.remoteAddress;

/** @param readClient says by what the client of a request is counted, by default by its address */
export function createCaller({ req, env }: Exchange, readClient = remoteAddress): Caller {
  return {
    // Made by the server only if it is asked for.
    get signal() {
      return req.raw.signal;
    },
    client: env?.incoming && readClient(env.incoming),
  };
}

/** @param prefer finds what handles requests with preferences in place of the resource */
export function bindHandler<R>(handle: ResourceHandler<R>, resource: R, prefer: (c: Exchange, resource: R) => R) {
  return (c: Exchange) => handle(c, c.req.raw.headers.has('Prefer') ? prefer(c, resource) : resource);
}

/**
 * Makes a short hash of 64 bits (cyrb53 without its last step, public domain: https://stackoverflow.com/a/52171480). It tells
 * texts apart that differ by mistake, not those that somebody makes to have one digest. @returns fourteen digits and small letters
 */
export function digest(content: string | Uint8Array): string {
  let [one, other] = [0xde_ad_be_ef, 0x41_c6_ce_57];
  for (let at = 0; at < content.length; at++) {
    const unit = typeof content === 'string' ? content.charCodeAt(at) : (content[at] ?? 0);
    one = Math.imul(one ^ unit, 2_654_435_761);
    other = Math.imul(other ^ unit, 1_597_334_677);
  }
  one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909);
  other = Math.imul(other ^ (other >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909);
  return [one, other].map((half) => (half >>> 0).toString(36).padStart(7, '0')).join('');
}
