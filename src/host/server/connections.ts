import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { isBusyWith } from './slow-uploads.ts';

export interface ConnectionOptions {
  /** Milliseconds without any byte after which a connection is closed. */
  readonly idleTimeout: number;
  /** The most that are open at a time. Node closes each one beyond them as soon as it has accepted it. */
  readonly maxConnections: number;
  /** The most of one address at a time. Without it an address may have any number. */
  readonly clientConnections?: number | undefined;
  /** Whether an address is that of a proxy, which has many clients. */
  readonly isProxy?: (address: string) => boolean;
}

/**
 * Idle timeouts granted to a client that reads a response slowly: the system accepts more bytes only once a third of its buffer
 * of some megabytes is free.
 */
const STALLED_LIMITS = 3;
/** Milliseconds for which a connection without a request stays open when the server stops, because one may be on its way. */
const LINGER = 500;
/** Milliseconds between two looks for connections that have become idle while the server stops. */
const LOOK = 50;

/** The open connections of a server, and how they end. */
export class Connections {
  readonly #server: Server;
  readonly #options: ConnectionOptions;
  /** The last response of each open connection. */
  readonly #responses = new Map<Duplex, ServerResponse | undefined>();
  readonly #byAddress = new Map<string, number>();
  #isClosing = false;

  constructor(server: Server, options: ConnectionOptions) {
    this.#server = server;
    this.#options = options;
    server.maxConnections = options.maxConnections;
    server.timeout = options.idleTimeout;
    server.on('connection', (socket: Socket) => this.#add(socket));
    server.on('timeout', (socket: Socket) => this.#endUnlessBusy(socket));
  }

  get count(): number {
    return this.#responses.size;
  }

  /** @returns the last response of a connection that has not ended yet, if there is one */
  unfinished(socket: Duplex): ServerResponse | undefined {
    const response = this.#responses.get(socket);
    return response?.writableFinished ? undefined : response;
  }

  begin(response: ServerResponse): void {
    this.#responses.set(response.req.socket, response);
    if (this.#isClosing) response.setHeader('Connection', 'close');
  }

  #add(socket: Socket): void {
    const { clientConnections = Infinity, isProxy } = this.#options;
    const { remoteAddress: address = '' } = socket;
    const count = (this.#byAddress.get(address) ?? 0) + 1;
    if (count > clientConnections && !isProxy?.(address)) {
      socket.destroy();
      return;
    }
    this.#responses.set(socket, undefined);
    this.#byAddress.set(address, count);
    socket.once('close', () => {
      this.#responses.delete(socket);
      const left = (this.#byAddress.get(address) ?? 1) - 1;
      if (left > 0) this.#byAddress.set(address, left);
      else this.#byAddress.delete(address);
    });
  }

  /** The service may be at work on a file for longer than the client sends, and a client may read slowly. */
  #endUnlessBusy(socket: Socket): void {
    const { idleTimeout } = this.#options;
    const response = this.unfinished(socket);
    if (response && !response.headersSent && isBusyWith(response.req)) socket.setTimeout(idleTimeout);
    else if (response?.headersSent && socket.timeout === idleTimeout) socket.setTimeout(STALLED_LIMITS * idleTimeout);
    else socket.destroy();
  }

  /**
   * Stops accepting connections, and lets what is in flight finish.
   *
   * @param delay milliseconds in which new connections are still taken
   * @param timeout milliseconds after which what is still in flight is cut off
   */
  async stop(delay: number, timeout: number): Promise<void> {
    const late = setTimeout(() => this.#server.closeAllConnections(), timeout);
    if (delay > 0) await sleep(delay);
    this.#isClosing = true;
    for (const response of this.#responses.values()) {
      if (response && !response.headersSent) response.setHeader('Connection', 'close');
    }
    const closed = new Promise<void>((resolve) => {
      // `server.close` of HTTP would close idle connections at once, on which a request may be on its way.
      NetServer.prototype.close.call(this.#server, () => resolve());
    });
    await Promise.race([closed, sleep(LINGER)]);
    const looking = setInterval(() => this.#server.closeIdleConnections(), LOOK);
    this.#server.closeIdleConnections();
    await closed;
    clearInterval(looking);
    clearTimeout(late);
  }
}
