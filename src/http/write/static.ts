import { createHash } from 'node:crypto';
import type { Exchange } from '../context.ts';
import { CONTENT_POLICY, type HeaderRecord } from '../headers.ts';
import { isNotModified } from '../read/preconditions.ts';
import { respond } from './respond.ts';

/** A content with its strong entity tag: as long as the one is the same, the other is. */
export interface Constant {
  readonly content: string | Uint8Array<ArrayBuffer>;
  readonly tag: string;
}

/** Characters of a tag; 6 bits each. */
const TAG_LENGTH = 22;

/** @param content the whole of a response */
export const constant = (content: Constant['content']): Constant => ({
  content,
  tag: `"${createHash('sha256').update(content).digest('base64url').slice(0, TAG_LENGTH)}"`,
});

/**
 * To GET and HEAD: 200, or 304 where the client has this content already.
 *
 * @param headers those of 200 that say what the content is
 * @param varying those that 304 has too (RFC 9110 §15.4.5)
 * @throws Problem `precondition-failed` where the client asks for another content
 */
export const respondConstant = (
  c: Exchange,
  { content, tag }: Constant,
  headers: HeaderRecord,
  varying: HeaderRecord,
): Response => {
  const always = { ...varying, ETag: tag };
  if (!isNotModified(c.req.raw.headers, tag)) return respond(c, 200, content, { ...headers, ...always });
  // Or else the policy of every response would replace the page's own in the browser's cache (RFC 9111 §3.2).
  const { [CONTENT_POLICY]: policy } = headers;
  return respond(c, 304, null, policy === undefined ? always : { ...always, [CONTENT_POLICY]: policy });
};
