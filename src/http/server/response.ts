import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type HeaderRecord, REQUEST_ID_HEADER, REQUEST_ID_KEY } from '../headers.ts';

/**
 * The class from which Node creates responses: a listener or a method added to each response costs several times as much, and
 * `setHeader` would make Node copy all headers one by one.
 */
export class GatewayResponse extends ServerResponse<IncomingMessage> {
  /** Called when the system has all of the response; never where its connection ends before. */
  whenSent: ((response: GatewayResponse, socket: Socket) => void) | undefined;
  /** The rate limit headers; `undefined` without a limit. */
  limit: HeaderRecord | undefined;
  /** Milliseconds, by `performance.now`, when its request was observed; 0 where it is not, or no longer. */
  observedAt = 0;
  /** The id in the header. */
  requestId: string | undefined;
  /** The status that was written to the bare socket instead, for a request that did not arrive completely. */
  bareStatus: number | undefined;

  /** Changes the given headers instead of a copy, which is cheaper. */
  override writeHead(status: number, headers?: unknown): this {
    const record: Record<string, string> = Object(headers ?? {});
    this.requestId = record[REQUEST_ID_HEADER] ?? record[REQUEST_ID_KEY];
    if (this.limit) Object.assign(record, this.limit);
    return super.writeHead(status, record);
  }

  /** Node calls this when the system has accepted the whole response. Its types have it, but its documentation does not. */
  override detachSocket(socket: Socket): void {
    super.detachSocket(socket);
    this.whenSent?.(this, socket);
  }
}
