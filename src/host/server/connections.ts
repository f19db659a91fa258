import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isBusyWith } from './slow-uploads.ts';

export interface ConnectionOptions {
  /** Milliseconds after which an idle connection is closed. */
  readonly idleTimeout: number;
  /** Open at a time. */
  readonly maxConnections: number;
  /** Of one address at a time; by default any number. */
  readonly clientConnections?: number | undefined;
  /** Whether an address is that of a proxy, which has many clients. */
  readonly isProxy?: (address: string) => boolean;
}

/**
 * Idle timeouts granted to a client that reads slowly: the system accepts more bytes only once a third of its buffer of some
 * megabytes is free.
 */
const STALLED_LIMITS = 3;
/** Milliseconds that a connection stays open for the next request, more than the 4 or 5 s of most clients' pools. */
const KEEP_ALIVE = 6_000;
/** Requests that may wait on all connections together; each takes some three kilobytes. */
const WAITING = 10_000;
/** Requests that may wait on one connection before reading pauses; while it is paused a disconnect goes unnoticed. */
const AHEAD = 16;

/** Requests that share a connection (pipelining) are done one after the other (RFC 9112 §9.3.2). */
export interface Connection {
  readonly socket: Socket;
  /** The request whose turn it is, or was. */
  current: ServerResponse | undefined;
  /** Those behind it. */
  readonly waiting: { readonly response: ServerResponse; readonly begin: () => void }[];
}

/** @returns the last request of a connection, if there was one */
export const lastOf = ({ current, waiting }: Connection): ServerResponse | undefined =>
  waiting.at(-1)?.response ?? current;

/** @returns whether nothing is requested on a connection */
export const isIdle = (connection: Connection | undefined): boolean => connection?.current?.writableFinished ?? true;

/** The connections of a server, the order of requests on each of them, and when they are closed. */
export const connectionsOf = (server: Server, options: ConnectionOptions) => {
  const { idleTimeout, maxConnections, clientConnections, isProxy = () => false } = options;
  /**
   * From the first request on. One that takes longer gets the idle timeout then: to set a timer for each request and another for
   * each pause would be 5 % of an item's CPU.
   */
  const quiet = Math.min(KEEP_ALIVE, idleTimeout);
  const open = new Map<Duplex, Connection>();
  /** All of them, without a key, and those of each address that has a limit; the oldest first. */
  const crowds = new Map<string | undefined, Set<Duplex>>();
  let waitingInAll = 0;
  /** While requests are held back, until it resolves. */
  let held: Promise<void> | undefined;
  let isClosing = false;

  const isBusy = ({ headersSent, req }: ServerResponse): boolean => !headersSent && isBusyWith(req);

  const leave = (socket: Duplex, address: string | undefined): void => {
    const crowd = crowds.get(address);
    crowd?.delete(socket);
    if (crowd?.size === 0) crowds.delete(address);
  };
  /** Closes the oldest connection without a request, or the new one where there is none. */
  const makeRoom = (address: string | undefined): void => {
    const crowd = crowds.get(address) ?? new Set();
    const idle = crowd.values().find((socket) => isIdle(open.get(socket))) ?? [...crowd].at(-1);
    idle?.destroy();
    if (idle) leave(idle, address);
  };
  /** Keeps one client from taking all connections. */
  const join = (socket: Socket, address: string | undefined, most: number): void => {
    const crowd = crowds.get(address) ?? new Set();
    crowds.set(address, crowd.add(socket));
    socket.once('close', () => leave(socket, address));
    if (crowd.size > most) makeRoom(address);
  };
  server.on('connection', (socket: Socket) => {
    const { remoteAddress: address } = socket;
    const client = clientConnections === undefined || (address && isProxy(address)) ? undefined : address;
    const connection: Connection = { socket, current: undefined, waiting: [] };
    open.set(socket, connection);
    socket.once('close', () => {
      open.delete(socket);
      waitingInAll -= connection.waiting.splice(0).length;
    });
    join(socket, undefined, maxConnections);
    if (client !== undefined) join(socket, client, clientConnections ?? maxConnections);
  });

  server.timeout = idleTimeout;
  server.on('timeout', (socket: Socket) => {
    const connection = open.get(socket);
    const response = connection?.current;
    if (!response || isIdle(connection)) socket.destroy();
    else if (isBusy(response) || (socket.timeout ?? 0) < idleTimeout) socket.setTimeout(idleTimeout);
    else if (socket.timeout === idleTimeout && response.headersSent) socket.setTimeout(STALLED_LIMITS * idleTimeout);
    else socket.destroy();
  });

  const begin = (incoming: IncomingMessage, outgoing: ServerResponse, handle: RequestListener): void => {
    if (isClosing) outgoing.setHeader('Connection', 'close');
    if (held) void held.then(() => handle(incoming, outgoing));
    else handle(incoming, outgoing);
  };
  /** Begins the next request once the one before it is finished; never where that one closes the connection. */
  const beginNext = (connection: Connection): void => {
    const { socket, current, waiting } = connection;
    current?.once('finish', () => {
      // The last one is dropped where it cannot be read.
      const next = waiting.shift();
      if (!next) return;
      waitingInAll -= 1;
      connection.current = next.response;
      if (waiting.length > 0) beginNext(connection);
      else socket.resume();
      // In a turn of its own: it may have been sent after reads of this one had their snapshot.
      setImmediate(() => {
        if (socket.writable) next.begin();
      });
    });
  };
  return {
    open: open as ReadonlyMap<Duplex, Connection>,
    /** @returns the same listener, to which each request is passed once those before it on its connection are done */
    inOrder:
      (handle: RequestListener): RequestListener =>
      (incoming, outgoing) => {
        const { socket } = incoming;
        const connection = open.get(socket);
        if (!connection) return;
        if (socket.timeout !== quiet) socket.setTimeout(quiet);
        const { waiting } = connection;
        if (waiting.length === 0 && isIdle(connection)) {
          connection.current = outgoing;
          begin(incoming, outgoing, handle);
          return;
        }
        if (waiting.push({ response: outgoing, begin: () => begin(incoming, outgoing, handle) }) === 1)
          beginNext(connection);
        waitingInAll += 1;
        // The client may ask again.
        if (waitingInAll > WAITING) socket.destroy();
        // Later, because Node reads on after each request, and may have thousands already.
        setImmediate(() => {
          if (waiting.length > AHEAD) socket.pause();
        });
      },
    /** Begins no request while something is done; from then on each response closes its connection. */
    holdDuring: async <T>(work: () => Promise<T>): Promise<T> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      const done = await work();
      isClosing = true;
      for (const { current } of open.values()) {
        if (current && !current.headersSent) current.setHeader('Connection', 'close');
      }
      held = undefined;
      resolve();
      return done;
    },
  };
};
