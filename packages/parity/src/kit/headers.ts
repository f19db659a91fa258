/** What headers say, some of which have a syntax of their own. */
import { decodeUri } from '../../../vocabularies/src/document.ts';

/** Headers that no two answers share, or that belong to a connection, a proxy or a cache. */
export const VOLATILE =
  /^(?:date|x-request-id|request-id|content-length|connection|keep-alive|transfer-encoding|age|via|server|server-timing|x-response-time|x-powered-by|accept-ranges|(?:x-)?ratelimit.*|alt-svc|traceparent)$/;

function sortList(value: string): readonly string[] {
  const items = value.split(/\s*,\s*/);
  return items.filter((item) => item !== '').sort();
}

/** What is compared of headers that are written in several ways, or are each answer's own. */
const FORMS: readonly (readonly [names: RegExp, read: (value: string) => unknown])[] = [
  [/^(?:retry-after|set-cookie|last-modified|expires|x-change)$/, () => 'sent'],
  [/^etag$/, (value) => (value.startsWith('W/') ? 'weak' : 'strong')],
  [/^vary$/, (value) => sortList(value.toLowerCase()).filter((name) => !/^accept-(?:language|encoding)$/.test(name))],
  [/^(?:allow|accept-patch|accept-post|access-control-(?:allow|expose)-(?:methods|headers))$/, sortList],
  [/^content-type$/, (value) => value.toLowerCase().replaceAll(/[\s"]/g, '')],
  [/^www-authenticate$/, (value) => value.split(/[\s,]/)[0]],
];

/** @returns what is compared of a header; `undefined` if its text may have words */
export function readForm(name: string, value: string): unknown {
  return FORMS.find(([names]) => names.test(name))?.[1](value);
}

/** @returns the links of `Link` (RFC 8288) */
export function readLinks(header: string) {
  const links = header.matchAll(/<([^<>]*)>((?:\s*;\s*[\w*-]+=(?:"[^"]*"|[^\s,;"]+))*)/g);
  return Array.from(links, ([, url = '', parameters = '']) => {
    const [rel = '', language] = ['rel', 'hreflang'].map(
      (name) => new RegExp(`;\\s*${name}="?([^";]*)`).exec(parameters)?.[1],
    );
    return { url, parameters, rel, language };
  });
}

/** @returns the name in `Content-Disposition`; one beyond ASCII is sent twice (RFC 6266 §4.3), and the second one is meant */
export function readFileName(disposition: string): string {
  const [, extended, plain = ''] = /filename\*=UTF-8''([^;]*)|filename="([^"]*)"$/i.exec(disposition) ?? [];
  return extended === undefined ? plain : decodeUri(extended);
}

/** @returns the text of a header in UTF-8, which is percent-encoded, or each byte of which `fetch` has as a character */
export function readUtf8(value: string): string {
  if (/^[ -~]*$/.test(value)) return decodeUri(value);
  return new TextDecoder().decode(Uint8Array.from(value, (byte) => byte.charCodeAt(0)));
}
