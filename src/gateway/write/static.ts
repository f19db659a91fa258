import { digest } from '../../util/digest.ts';
import type { Exchange, HeaderRecord } from '../http/context.ts';
import { CONTENT_POLICY, respond } from '../http/exchange.ts';
import { isNotModified } from '../read/conditions.ts';

/** Content with its strong entity tag, which depends on nothing else. */
export interface Constant {
  readonly content: string | Uint8Array<ArrayBuffer>;
  readonly tag: string;
}

export const constant = (content: Constant['content']): Constant => ({
  content,
  tag: `"${digest(content)}"`,
});

/**
 * Responds to GET and HEAD with 200, or with 304 where the client has this content already.
 *
 * @param headers describe the content, in a 200 only
 * @param varying headers of a 304, too (RFC 9110 §15.4.5)
 * @throws Problem `precondition-failed` where `If-Match` names other content
 */
export const respondConstant = (
  c: Exchange,
  { content, tag }: Constant,
  headers: HeaderRecord,
  varying: HeaderRecord,
): Response => {
  const always = { ...varying, ETag: tag };
  if (!isNotModified(c.req.raw.headers, tag)) return respond(c, 200, content, { ...headers, ...always });
  // Otherwise the default policy would replace the page's own in the browser's cache (RFC 9111 §3.2).
  const { [CONTENT_POLICY]: policy } = headers;
  return respond(c, 304, null, policy === undefined ? always : { ...always, [CONTENT_POLICY]: policy });
};
