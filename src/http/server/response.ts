import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { REQUEST_ID_HEADER, REQUEST_ID_KEY } from '../headers.ts';

/** draft-ietf-httpapi-ratelimit-headers-11 §3 and §4 */
const POLICY = 'RateLimit-Policy';
const LIMIT = 'RateLimit';

/**
 * What Node makes its responses of. A class, because a listener or a method that is put into each response costs several times
 * as much, and `setHeader` would have Node copy all headers one by one.
 */
export class GatewayResponse extends ServerResponse<IncomingMessage> {
  /** Called when the system has all of the response; never where its connection ends before. */
  whenSent: ((response: GatewayResponse, socket: Socket) => void) | undefined;
  /** Value of the header `RateLimit-Policy`. */
  policy = '';
  /** Value of the header `RateLimit`; the response has neither header where it is empty. */
  left = '';
  /** Milliseconds, by `performance.now`, when its request was observed; 0 where it is not, or no longer. */
  observedAt = 0;
  /** Bytes that its connection had written then. */
  bytesBefore = 0;
  /** As the response tells it; whoever passes its headers as a list sets it. */
  requestId: string | undefined;
  /** The status of what was written onto its bare socket instead: it never arrived whole. */
  bareStatus: number | undefined;

  /** Changes the headers that it is given, which is cheaper than a copy: a record is of one response, and a list is of a cached one. */
  override writeHead(status: number, headers?: unknown): this {
    if (Array.isArray(headers)) {
      const last = headers.length - 1;
      if (headers[last - 1] === LIMIT) headers[last] = this.left;
      else if (this.left !== '') headers.push(POLICY, this.policy, LIMIT, this.left);
      return super.writeHead(status, headers);
    }
    const record: Record<string, string> = Object(headers ?? {});
    this.requestId = record[REQUEST_ID_HEADER] ?? record[REQUEST_ID_KEY];
    if (this.left !== '') {
      record[POLICY] = this.policy;
      record[LIMIT] = this.left;
    }
    return super.writeHead(status, record);
  }

  /** Node parts a response from its connection when the system has taken all of it. */
  override detachSocket(socket: Socket): void {
    super.detachSocket(socket);
    this.whenSent?.(this, socket);
  }
}
