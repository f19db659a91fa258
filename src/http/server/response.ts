import { type IncomingMessage, ServerResponse, validateHeaderValue } from 'node:http';
import type { Socket } from 'node:net';
import type { RouteMatch } from '../../model/log.ts';
import { COMMON_HEADERS, type HeaderRecord, REQUEST_ID_HEADER, REQUEST_ID_KEY } from '../headers.ts';

const LENGTH = 'Content-Length';

const common = Object.entries(COMMON_HEADERS);
const linesOf = (headers: readonly (readonly [name: string, value: string])[]): string =>
  headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');

/** @returns the headers that such lines have */
const headersIn = (lines: string): HeaderRecord =>
  Object.fromEntries(
    lines
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(': ', 2)),
  );

/** How a response begins that is sent again. */
const START = `HTTP/1.1 200 OK\r\n${linesOf(common)}`;

/** Headers that are new in each response, or written by Node. */
const NEW = [REQUEST_ID_HEADER, LENGTH];

/** @returns a copy of a Latin-1 text that was joined from others: V8 keeps those, and joins them anew whenever the text is sent */
const flatText = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

/**
 * @returns lines of what a response has beside the common headers, for `sendAgain`; `undefined` where it lacks a common one
 * @throws TypeError for a value that no header may have, as Node does
 */
export const ownHeaders = (headers: HeaderRecord): string | undefined => {
  if (!common.every(([name, value]) => headers[name] === value)) return undefined;
  const own = Object.entries(headers).filter(([name]) => !NEW.includes(name) && !Object.hasOwn(COMMON_HEADERS, name));
  for (const [name, value] of own) validateHeaderValue(name, value);
  return flatText(linesOf(own));
};

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
  /** Lines of the rate limit headers; none without a limit. */
  limit = '';
  /** Milliseconds, by `performance.now`, when its request was observed; 0 where it is not, or no longer. */
  observedAt = 0;
  /** The turn in which its request arrived (see `turn.ts`). */
  turn = 0;
  /** Whether its request may share what was read for others of the turn: not one that may have been sent after that. */
  sharesTurn = false;
  /** Its address in the response cache, where the response is from there. */
  known: KnownAddress | undefined;
  /** The id in the header. */
  requestId: string | undefined;
  /**
   * Node's own, which makes the head of a response: it begins with the given text, and Node adds the given headers, the date
   * and what becomes of the connection. It is not documented.
   */
  declare _storeHeader: (start: string, headers: readonly string[]) => void;
  /** The status that was written to the bare socket instead, for a request that did not arrive completely. */
  bareStatus: number | undefined;

  /** Changes the given headers instead of a copy, which is cheaper. */
  override writeHead(status: number, headers?: unknown): this {
    const record: Record<string, string> = Object(headers ?? {});
    this.requestId = record[REQUEST_ID_HEADER] ?? record[REQUEST_ID_KEY];
    if (this.limit) Object.assign(record, headersIn(this.limit));
    return super.writeHead(status, record);
  }

  /**
   * Sends a response whose headers were all checked when it was made: Node would check each of them again, which takes 4 µs.
   *
   * @param headers see `ownHeaders`
   * @param length of the content, in bytes
   */
  sendAgain(headers: string, length: string, content: string | Uint8Array, id: string): void {
    this.requestId = id;
    this._storeHeader(`${START}${headers}${this.limit}${REQUEST_ID_HEADER}: ${id}\r\n`, [LENGTH, length]);
    this.end(content);
  }

  /** Node calls this when the system has accepted the whole response. Its types have it, but its documentation does not. */
  override detachSocket(socket: Socket): void {
    super.detachSocket(socket);
    this.whenSent?.(this, socket);
  }
}
