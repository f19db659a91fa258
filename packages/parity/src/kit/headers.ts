/** Headers with a syntax of their own. */

/** @returns the links of `Link` (RFC 8288) */
export const readLinks = (header: string) =>
  [...header.matchAll(/<([^<>]*)>((?:\s*;\s*[\w*-]+=(?:"[^"]*"|[^\s,;"]+))*)/g)].map(
    ([, url = '', parameters = '']) => ({ url, parameters }),
  );

/** @returns the name in `Content-Disposition`; one beyond ASCII is sent twice (RFC 6266 §4.3), and the second one is meant */
export function readFileName(disposition: string): string {
  const [, extended, plain = ''] = /filename\*=UTF-8''([^;]*)|filename="([^"]*)"$/i.exec(disposition) ?? [];
  return extended === undefined ? plain : decodeURIComponent(extended);
}

/** @returns the text of a header in UTF-8, which is percent-encoded, or each byte of which `fetch` has as a character */
export function readUtf8(value: string): string {
  try {
    if (/^[ -~]*%[ -~]*$/.test(value)) return decodeURIComponent(value);
  } catch {
    // A percent sign is one.
  }
  return new TextDecoder().decode(Uint8Array.from(value, (byte) => byte.charCodeAt(0)));
}
