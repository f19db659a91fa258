import { type IncomingMessage, ServerResponse } from 'node:http';

/** draft-ietf-httpapi-ratelimit-headers-11 §3 and §4 */
const POLICY = 'RateLimit-Policy';
const LIMIT = 'RateLimit';

/**
 * A response with the headers of the rate limit. A class, because Node creates its responses from one: `setHeader` would make
 * Node copy all headers one by one, and a method added to each response costs as much.
 */
export class LimitedResponse extends ServerResponse<IncomingMessage> {
  /** Value of the header `RateLimit-Policy`. */
  policy = '';
  /** Value of the header `RateLimit`; the response has neither header where it is empty. */
  left = '';

  /**
   * Changes the headers it is given instead of a copy, which is cheaper: a record belongs to one response, a list to a cached
   * one.
   */
  override writeHead(status: number, headers?: unknown): this {
    if (Array.isArray(headers)) {
      const last = headers.length - 1;
      if (headers[last - 1] === LIMIT) headers[last] = this.left;
      else if (this.left !== '') headers.push(POLICY, this.policy, LIMIT, this.left);
      return super.writeHead(status, headers);
    }
    const record: Record<string, string> = Object(headers ?? {});
    if (this.left !== '') {
      record[POLICY] = this.policy;
      record[LIMIT] = this.left;
    }
    return super.writeHead(status, record);
  }
}
