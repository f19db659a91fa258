import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RouteMatch } from '../../model/log.ts';
import { REQUEST_ID_HEADER, REQUEST_ID_KEY } from '../headers.ts';

/** draft-ietf-httpapi-ratelimit-headers-11 §3 and §4 */
export const POLICY = 'RateLimit-Policy';
export const LIMIT = 'RateLimit';

const NO_LIMIT: readonly string[] = [];

/** What all cached responses of an address share; filled in when it is first needed. */
export interface KnownAddress {
  match: RouteMatch | undefined;
}

/**
 * The class from which Node creates responses: a listener or a method added to each response costs several times as much, and
 * `setHeader` would make Node copy all headers one by one.
 */
export class GatewayResponse extends ServerResponse<IncomingMessage> {
  /** Called when the system has all of the response; never where its connection ends before. */
  whenSent: ((response: GatewayResponse, socket: Socket) => void) | undefined;
  /** The rate limit headers, as alternating names and values; code that passes headers as a list must add them. */
  limit: readonly string[] = NO_LIMIT;
  /** Milliseconds, by `performance.now`, when its request was observed; 0 where it is not, or no longer. */
  observedAt = 0;
  /** The turn in which its request arrived (see `turn.ts`). */
  turn = 0;
  /** Whether its request may share what was read for others of the turn: not one that may have been sent after that. */
  sharesTurn = false;
  /** Its address in the response cache, where the response is from there. */
  known: KnownAddress | undefined;
  /** The id in the header; code that passes the headers as a list must set it. */
  requestId: string | undefined;
  /** The status that was written to the bare socket instead, for a request that did not arrive completely. */
  bareStatus: number | undefined;

  /** Changes the given headers instead of a copy, which is cheaper. */
  override writeHead(status: number, headers?: unknown): this {
    if (Array.isArray(headers)) return super.writeHead(status, headers);
    const record: Record<string, string> = Object(headers ?? {});
    this.requestId = record[REQUEST_ID_HEADER] ?? record[REQUEST_ID_KEY];
    const [policy, policyValue = '', limit, limitValue = ''] = this.limit;
    if (policy !== undefined) record[policy] = policyValue;
    if (limit !== undefined) record[limit] = limitValue;
    return super.writeHead(status, record);
  }

  /** Node calls this when the system has accepted the whole response. Its types have it, but its documentation does not. */
  override detachSocket(socket: Socket): void {
    super.detachSocket(socket);
    this.whenSent?.(this, socket);
  }
}
