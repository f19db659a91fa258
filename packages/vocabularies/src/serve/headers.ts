/** What of a request and of an answer may pass: the target, and headers that do not concern one connection alone. */
import type { IncomingMessage } from 'node:http';
import type { HeaderList } from '../headers.ts';

/** Headers of one connection (RFC 9110, 7.6.1); `Expect` is answered here. */
const HOP_BY_HOP =
  /^(connection|expect|http2-settings|keep-alive|proxy-(authenticate|authorization|connection)|te|trailer|transfer-encoding|upgrade)$/;
/** Headers of a request that are written anew. */
const REPLACED = /^(host|via|x-request-id|content-length)$/;
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
export function passHeaders(
  { rawHeaders, headers }: IncomingMessage,
  isDropped: (name: string) => boolean = () => false,
): HeaderList {
  const named = headers.connection?.toLowerCase().split(/[\s,]+/) ?? [];
  const passed: HeaderList = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at], rawHeaders[at + 1]];
    const lower = name.toLowerCase();
    if (!HOP_BY_HOP.test(lower) && !named.includes(lower) && !isDropped(lower)) passed.push([name, value]);
  }
  return passed;
}

/** @param changes headers that the translation changes; `null` takes one away. @returns the headers with which the API is asked */
export function writeRequestHeaders(
  request: IncomingMessage,
  isTrusted: boolean,
  changes: ReadonlyMap<string, string | null> | undefined,
): HeaderList {
  const headers = passHeaders(request, (name) => {
    return REPLACED.test(name) || changes?.has(name) === true || (!isTrusted && FORWARDED.test(name));
  });
  for (const [name, value] of changes ?? []) if (value !== null) headers.push([name, value]);
  const via = request.headers.via === undefined ? '' : `${request.headers.via}, `;
  headers.push(['Via', `${via}${request.httpVersion} vocabularies`]);
  return headers;
}

/** @returns the id that a request has, if it can be one, or a new one */
export function readRequestId({ headers }: IncomingMessage): string {
  const id = headers['x-request-id'];
  return typeof id === 'string' && REQUEST_ID.test(id) ? id : crypto.randomUUID();
}
