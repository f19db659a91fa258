import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Middleware } from './pipeline.ts';

/** Requests that may wait on all connections together; each takes some three kilobytes. */
const WAITING = 10_000;
/** Requests that may wait on one connection before reading pauses; while it is paused a disconnect goes unnoticed. */
const AHEAD = 16;

/** Requests that share a connection (pipelining) are done one after the other (RFC 9112 §9.3.2). */
export interface RequestOrder {
  /** Passes a request on once the response before it is sent; never where that one closes the connection. */
  readonly take: Middleware;
  /** The last request of a connection, if there was one. */
  readonly lastOf: (socket: Duplex) => ServerResponse | undefined;
  /** The request whose turn it is, or was. */
  readonly currentOf: (socket: Duplex) => ServerResponse | undefined;
  /** Skips a waiting request. @returns the response that it waited for */
  readonly skip: (response: ServerResponse) => ServerResponse | undefined;
}

export const requestOrder = (): RequestOrder => {
  const latest = new WeakMap<Duplex, ServerResponse>();
  /** What each request waits for, until its turn comes. */
  const awaited = new WeakMap<ServerResponse, ServerResponse>();
  const skipped = new WeakSet<ServerResponse>();
  const waiting = new Map<Duplex, number>();
  let inAll = 0;

  const count = (socket: Duplex, more: 1 | -1): void => {
    const before = waiting.get(socket);
    if (before === undefined) {
      socket.once('close', () => {
        inAll -= waiting.get(socket) ?? 0;
        waiting.delete(socket);
      });
    }
    waiting.set(socket, (before ?? 0) + more);
    inAll += more;
  };
  const wait = (socket: Duplex, before: ServerResponse, response: ServerResponse): Promise<false> => {
    awaited.set(response, before);
    count(socket, 1);
    // The client may ask again.
    if (inAll > WAITING) socket.destroy();
    // Later, because Node reads on after each request, and may have thousands already.
    setImmediate(() => {
      if (awaited.has(response) && (waiting.get(socket) ?? 0) > AHEAD) socket.pause();
    });
    return new Promise((resolve) => {
      before.once('finish', () => {
        awaited.delete(response);
        count(socket, -1);
        if (latest.get(socket) === response) socket.resume();
        if (socket.writable && !skipped.has(response)) resolve(false);
      });
    });
  };

  return {
    take: ({ socket }, response) => {
      const before = latest.get(socket);
      latest.set(socket, response);
      if (before && !before.writableFinished) return wait(socket, before, response);
      return false;
    },
    lastOf: (socket) => latest.get(socket),
    currentOf: (socket) => {
      let response = latest.get(socket);
      for (let before = response; before; before = awaited.get(before)) response = before;
      return response;
    },
    skip: (response) => {
      skipped.add(response);
      return awaited.get(response);
    },
  };
};
