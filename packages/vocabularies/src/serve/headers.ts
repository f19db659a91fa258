/** What of a request and of an answer may pass: the target, and headers that do not concern one connection alone. */
import type { IncomingMessage } from 'node:http';
import type { HeaderList } from '../headers.ts';

/** Headers of one connection (RFC 9110, 7.6.1); `Expect` is answered here. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'expect',
]);

/** Headers of a request that are written anew. */
const REPLACED = new Set(['host', 'via', 'x-request-id', 'content-length']);

/** Who sent a request, as proxies say it; servers of some languages read `_` as `-`. */
const FORWARDED = /^(forwarded|x[-_]forwarded[-_].*|x[-_]real[-_]ip)$/;

const HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i;
/** A dot segment, however it is written, also between slashes that are encoded. */
const DOTS = /(^|\/|\\|%2f|%5c)(\.|%2e){1,2}($|\/|\\|%2f|%5c|;)/i;
const REQUEST_ID = /^[\w.~+/=:-]{1,128}$/;

/** @returns the path and query of a request; nothing if its target, host or framing is none that may be handed over */
export function readTarget({ url = '', headers, rawHeaders }: IncomingMessage): string | undefined {
  if (!HOST.test(headers.host ?? '') || !URL.canParse(`http://${headers.host}`)) return undefined;
  // Node reads the first of several hosts, and unpacks `chunked` alone.
  if (rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name)).length > 1) return undefined;
  if (!/^chunked$/i.test(headers['transfer-encoding'] ?? 'chunked')) return undefined;
  // A proxy is asked with a whole address, of which only the path counts.
  const target = url.replace(/^https?:\/\/[^/?#]*/i, '');
  const path = target.startsWith('/') ? target : target === '' || target.startsWith('?') ? `/${target}` : '';
  const [beforeQuery = ''] = path.split('?', 1);
  const isPlain = path !== '' && !/[#\s\x00-\x1f\x7f]/.test(path) && !DOTS.test(beforeQuery);
  return isPlain ? path : undefined;
}

/** @returns the headers that may be handed on, except for those that are dropped */
export function removeHopByHop(
  raw: readonly string[],
  connection: string | undefined,
  drop: (name: string) => boolean = () => false,
): HeaderList {
  const named = connection?.toLowerCase().split(/[\s,]+/) ?? [];
  const passed: HeaderList = [];
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? '';
    const lower = name.toLowerCase();
    if (!HOP_BY_HOP.has(lower) && !named.includes(lower) && !drop(lower)) passed.push([name, raw[at + 1] ?? '']);
  }
  return passed;
}

export function hasHeader(headers: HeaderList, name: string): boolean {
  return headers.some(([text]) => text.length === name.length && text.toLowerCase() === name);
}

export interface Sender {
  /** What the API is called. */
  readonly host: string;
  readonly id: string;
  /** Whether it is believed who it says that it has asked for. */
  readonly isTrusted: boolean;
  /** Headers that the translation changes; `null` takes one away. */
  readonly changes: ReadonlyMap<string, string | null> | undefined;
  /** Bytes of the body; `chunked` if nobody knows how many, nothing if there is none. */
  readonly length: string | undefined;
}

/** @returns the headers with which the API is asked */
export function writeRequestHeaders(request: IncomingMessage, sender: Sender): HeaderList {
  const { host, id, isTrusted, changes, length } = sender;
  const { via, connection } = request.headers;
  const kept = removeHopByHop(request.rawHeaders, connection, (name) => {
    return REPLACED.has(name) || changes?.has(name) === true || (!isTrusted && FORWARDED.test(name));
  });
  const own = `${request.httpVersion} vocabularies`;
  const headers: HeaderList = [['host', host], ...kept];
  for (const [name, value] of changes ?? []) if (value !== null) headers.push([name, value]);
  headers.push(['Via', via === undefined ? own : `${via}, ${own}`], ['X-Request-Id', id]);
  if (length !== undefined) headers.push([length === 'chunked' ? 'Transfer-Encoding' : 'Content-Length', length]);
  return headers;
}

/** @returns the id that a request has, if it can be one, or a new one */
export function readRequestId({ headers }: IncomingMessage): string {
  const id = headers['x-request-id'];
  return typeof id === 'string' && REQUEST_ID.test(id) ? id : crypto.randomUUID();
}
