import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Env } from '../context.ts';
import type { Stage } from './pipeline.ts';

/**
 * The request of an ordinary GET, as far as handlers ask for it, read from Node's own: the adapter's, which can become a real one,
 * costs several times as much.
 */
interface PlainRequest extends Request {
  headers: PlainHeaders;
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  abortion: AbortController | undefined;
}
interface PlainHeaders extends Headers {
  sent: IncomingMessage['headers'];
}

/** Hosts that the adapter makes a URL of without parsing it; it refuses some others. */
const PLAIN_HOST = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/;

/** The host of a request that names none, as HTTP/1.0 may. */
export const LOCALHOST = 'localhost';

const hostOf = ({ headers: { host } }: IncomingMessage): string => host || LOCALHOST;

/** @returns whether `plainRequest` makes the same of a request as the adapter */
const isPlain = (incoming: IncomingMessage): boolean =>
  incoming.method === 'GET' && incoming.url?.charCodeAt(0) === 47 && PLAIN_HOST.test(hostOf(incoming));

/** @returns what aborts when the client goes away before it has the whole response */
const abortionOf = (outgoing: ServerResponse): AbortController => {
  const controller = new AbortController();
  const abort = (): void => {
    if (!outgoing.writableFinished) controller.abort();
  };
  if (outgoing.destroyed) abort();
  else outgoing.once('close', abort);
  return controller;
};

const HEADERS: object = Object.create(Headers.prototype, {
  get: {
    value(this: PlainHeaders, name: string): string | null {
      const value = this.sent[name.toLowerCase()];
      return typeof value === 'string' ? value : null;
    },
  },
});

const REQUEST: object = Object.create(Request.prototype, {
  method: { value: 'GET' },
  headers: { value: undefined, writable: true },
  url: {
    get(this: PlainRequest): string {
      return `http://${hostOf(this.incoming)}${this.incoming.url}`;
    },
  },
  signal: {
    get(this: PlainRequest): AbortSignal {
      this.abortion ??= abortionOf(this.outgoing);
      return this.abortion.signal;
    },
  },
});

const plainRequest = (incoming: IncomingMessage, outgoing: ServerResponse): Request => {
  const headers: PlainHeaders = Object.create(HEADERS);
  headers.sent = incoming.headers;
  const request: PlainRequest = Object.create(REQUEST);
  request.headers = headers;
  request.incoming = incoming;
  request.outgoing = outgoing;
  request.abortion = undefined;
  return request;
};

const ADAPTER = { hostname: LOCALHOST };

/** What the app returns where the response is written already. */
const SENT = new Response(null);

/**
 * Passes ordinary GETs to the app without the adapter, whose requests, responses and promises are 7 % of an item's CPU: what a
 * handler has at hand is written to Node's own response at once. Streams are left to the adapter.
 */
export const directReads =
  (app: Hono<Env>): Stage =>
  (incoming, outgoing) => {
    if (!isPlain(incoming)) return false;
    const send: Env['Bindings']['send'] = (status, content, headers) => {
      outgoing.writeHead(status, headers);
      if (content === null) outgoing.end();
      else outgoing.end(content);
      return SENT;
    };
    const finish = (response: Response): void => {
      if (response !== SENT) void getRequestListener(() => response, ADAPTER)(incoming, outgoing);
    };
    // The app makes a response of every error; it fails only where that fails, too.
    const fail = (): void => void outgoing.destroy();
    try {
      const response = app.fetch(plainRequest(incoming, outgoing), { incoming, outgoing, send });
      if (response instanceof Promise) void response.then(finish, fail);
      else finish(response);
    } catch {
      fail();
    }
    return true;
  };
