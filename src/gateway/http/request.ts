/** What a request asks for: its method, its target, what kind of address that is, and who asks. */
import { compose } from '../../../packages/vocabularies/src/words.ts';
import type { Caller } from '../port/port.ts';
import type { AddressOf, Asked, Env, Exchange } from './context.ts';
import { OPENAPI, URLS } from './urls.ts';

/** Every method that some resource supports. HEAD comes with GET, OPTIONS always. */
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

const WITH_BODY: readonly string[] = ['POST', 'PUT', 'PATCH'] satisfies readonly Method[];
/** Methods that only read (RFC 9110 §9.2.1). */
const SAFE: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'TRACE'];

export const readsBody = (method: string): boolean => WITH_BODY.includes(method);
export const isSafe = (method: string): boolean => SAFE.includes(method);

/** The header in which a preflight names the method. */
export const REQUESTED_METHOD = 'access-control-request-method';

/** @returns the value of `Allow` for these methods and OPTIONS */
export function listAllowed(methods: readonly string[]): string {
  const all = methods.flatMap((method) => (method === 'GET' ? [method, 'HEAD'] : [method]));
  return [...new Set([...all, 'OPTIONS'])].join(', ');
}

/** The most bytes of a request target. */
export const TARGET_LIMIT = 8_192;

/** The path of a target that is too long or malformed. A canonical path has no bare `%`, so no route has it. */
export const UNROUTABLE = '/%';

/** Scheme and host, which may be followed by a query without a path. */
const ABSOLUTE = /^[^/?#]*:\/\/[^/?#]*(.*)$/s;

/** @returns the path and query of a target, from an absolute one too (RFC 9112 §3.2) */
export function originForm(sent: string): string {
  if (sent.startsWith('/')) return sent;
  const [, end = ''] = ABSOLUTE.exec(sent) ?? [];
  return end.startsWith('/') ? end : `/${end}`;
}

/** @returns path and query as they were sent: from Node's request, because the URL of a `Request` is normalised (`%2e%2e` would be gone) */
export function requestTarget(request: Request, env: Env['Bindings'] | undefined): string {
  return originForm(env?.target ?? env?.incoming?.url ?? request.url);
}

/** @returns the path of a target, undecoded */
export function targetPath(target: string): string {
  const end = target.search(/[?#]/);
  return end === -1 ? target : target.slice(0, end);
}

/** @returns the query of a request, undecoded and without its question mark; empty if it has none */
export function readQueryText({ req, env }: Asked): string {
  const target = requestTarget(req.raw, env);
  const start = target.indexOf('?');
  if (start === -1) return '';
  const end = target.indexOf('#', start);
  return target.slice(start + 1, end === -1 ? undefined : end);
}

/** A byte of UTF-8 after a character's first one, percent-encoded (RFC 3629 §4). */
const TAIL = '%[89ab][0-9a-f]';
/**
 * Characters and percent-encoded UTF-8 without U+0000. Texts are matched with it before `decodeURIComponent`, whose exceptions
 * for thousands of parameters would cost milliseconds.
 */
const ENCODED = new RegExp(
  `^(?:[^%\\0]|%(?:0[1-9a-f]|[1-7][0-9a-f])|%(?:c[2-9a-f]|d[0-9a-f])${TAIL}|%(?:e0%[ab][0-9a-f]|e[1-9a-cef]${TAIL}|ed%[89][0-9a-f])${TAIL}|%(?:f0%[9ab][0-9a-f]|f[1-3]${TAIL}|f4%8[0-9a-f])${TAIL}${TAIL})*$`,
  'i',
);

/** @returns the text of percent-encoded UTF-8; `undefined` if it is malformed or contains U+0000 */
export function decode(text: string): string | undefined {
  if (!text.includes('%')) return text.includes('\0') ? undefined : text;
  return ENCODED.test(text) ? decodeURIComponent(text) : undefined;
}

/** @returns a decoded word in NFC, as tables have it */
export function decodeWord(text: string): string | undefined {
  const word = decode(text);
  return word && compose(word);
}

/**
 * @param views words that may stand before those of a list
 * @returns the decoded segments of a path; keys, which follow words by turns, are as they were sent
 */
export function splitPath(path: string, views: ReadonlySet<string>): readonly (string | undefined)[] {
  const segments = path.split('/');
  const remainder = views.has(decodeWord(segments[2] ?? '') ?? '') ? 0 : 1;
  return segments.map((segment, at) => (at > 2 && at % 2 === remainder ? decode(segment) : decodeWord(segment)));
}

/** What `encodeURIComponent` leaves unchanged. */
const CANONICAL = /^[\w\-.!~*'()/]*$/;

/**
 * Every segment is encoded in one canonical way, so that `%2F` inside a key stays one and `autom%c3%b3veis` is `automóveis`; a
 * trailing slash is removed.
 *
 * @param views words that may stand before those of a list
 * @returns the path that routes are matched against, or `UNROUTABLE`
 */
export function routePath(target: string, views: ReadonlySet<string> = new Set()): string {
  if (target.length > TARGET_LIMIT) return UNROUTABLE;
  const sent = targetPath(target);
  const path = sent.length > 1 && sent.endsWith('/') ? sent.slice(0, -1) : sent;
  if (CANONICAL.test(path)) return path;
  const segments = splitPath(path, views);
  if (segments.includes(undefined)) return UNROUTABLE;
  return segments.map((segment) => encodeURIComponent(segment ?? '')).join('/');
}

const alternatives = (paths: readonly string[]): string => paths.map(RegExp.escape).join('|');

/** The paths of health checks. */
const PROBES = [URLS.live, URLS.ready];
const PROBE = new RegExp(`^(?:${alternatives(PROBES)})/?$`);

/** Paths that need no key, themselves and everything below: help, words and health, without any data of the catalogue. */
const PUBLIC = new RegExp(
  `^(?:(?:${alternatives([URLS.assets, URLS.dictionaries, URLS.problems, ...PROBES])})(?:/|$)|${alternatives([`${OPENAPI}.`])})`,
);

/** @param path as sent; a public path in another encoding is not public */
export const isPublic = (path: string): boolean => PUBLIC.test(path);

/** What policies distinguish: a health check, help without data of the catalogue, anything else, or what browsers ask for without a key. */
export type AddressKind = 'probe' | 'page' | 'tree' | 'preflight';

/** @param path as sent */
export function addressKind(method: string, path: string): AddressKind {
  if (method === 'OPTIONS') return 'preflight';
  if (PROBE.test(path) && isSafe(method)) return 'probe';
  return isPublic(path) ? 'page' : 'tree';
}

/** @returns whether a request depends on what is stored (RFC 9110 §13.1) */
export function isConditional(headers: Headers): boolean {
  return headers.get('if-match') !== null || headers.get('if-none-match') !== null;
}

const remoteAddress: AddressOf = ({ socket }) => socket?.remoteAddress;

/**
 * @param readClient says by what the client of a request is counted, by default by its address
 * @returns the client of a request
 */
export function createCaller({ req, env }: Exchange, readClient = remoteAddress): Caller {
  return {
    // Made by the server only if it is asked for.
    get signal() {
      return req.raw.signal;
    },
    client: env?.incoming && readClient(env.incoming),
  };
}
