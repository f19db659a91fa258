import { type IncomingMessage, ServerResponse } from 'node:http';

/**
 * A response with headers of its own beside those that it is written with. A class, because Node makes its responses of one:
 * `setHeader` would have Node copy all headers one by one, and a method put into each response costs as much.
 */
export class LimitedResponse extends ServerResponse<IncomingMessage> {
  /** Names and values by turns. */
  more: readonly string[] = [];

  override writeHead(status: number, headers?: unknown): this {
    if (Array.isArray(headers)) return super.writeHead(status, headers.concat(this.more));
    const [policy = '', limits, limit = '', left] = this.more;
    return super.writeHead(
      status,
      policy === '' ? { ...Object(headers) } : { ...Object(headers), [policy]: limits, [limit]: left },
    );
  }
}
