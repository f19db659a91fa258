import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { Middleware } from './pipeline.ts';
import type { RequestOrder } from './request-order.ts';
import { isBusyWith } from './slow-uploads.ts';

/** What processes that share a port do together. Addresses are passed where each client has a limit of its own. */
export interface SharedPort {
  readonly opened: (address: string | undefined) => void;
  readonly closed: (address: string | undefined) => void;
  /** @param makeRoom closes the oldest connection on which nothing is requested, of an address if one is given */
  readonly onCrowd: (makeRoom: (address: string | undefined) => void) => void;
  /** Resolves once all of them have called it. */
  readonly together: () => Promise<void>;
}

export interface ConnectionOptions {
  /** Milliseconds after which an idle connection is closed. */
  readonly idleTimeout: number;
  /** Open at a time. */
  readonly maxConnections: number;
  /** Of one address at a time; by default any number. */
  readonly clientConnections?: number | undefined;
  /** Of all processes that have these limits together. */
  readonly sharedPort?: SharedPort | undefined;
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
/** Milliseconds that a connection stays open for one more request when the server stops: one may be on its way. */
const LINGER = 500;
/** Milliseconds that processes wait for each other: one of them may be busy. */
const MEETING = 500;
/** The most connections that are accepted from the system's queue before the listener closes. */
const QUEUE = 4_096;

export interface Connections {
  /** Holds requests back while listeners close; then makes responses close their connections. */
  readonly middleware: Middleware;
  /**
   * @param delay milliseconds in which new connections are still taken
   * @param timeout milliseconds after which what is still in flight is cut off
   */
  readonly stop: (delay: number, timeout: number) => Promise<void>;
  /** The number of open connections. */
  readonly count: () => number;
}

/** Decides when the connections of a server end. */
export const connectionsOf = (server: Server, order: RequestOrder, options: ConnectionOptions): Connections => {
  const { idleTimeout, maxConnections, clientConnections, sharedPort, isProxy = () => false } = options;
  /**
   * From the first request on. One that takes longer gets the idle timeout then: to set a timer for each request and another for
   * each pause would be 5 % of an item's CPU.
   */
  const quiet = Math.min(KEEP_ALIVE, idleTimeout);
  const open = new Set<Socket>();
  let accepted = 0;
  let isStopping = false;
  /** While requests are held back, until it resolves. */
  let held: Promise<false> | undefined;

  const isIdle = (socket: Socket): boolean => order.currentOf(socket)?.writableFinished ?? true;
  const isBusy = (socket: Socket): boolean => {
    const response = order.currentOf(socket);
    return response !== undefined && !response.headersSent && isBusyWith(response.req);
  };
  /** Closes the oldest connection without a request, or the new one where there is none. */
  const makeRoom = (among: ReadonlySet<Socket>, newest: Socket): void => {
    const idle = among.values().find(isIdle) ?? newest;
    idle.destroy();
    open.delete(idle);
  };
  const ofClients = clientConnections === undefined ? undefined : new Map<string, Set<Socket>>();
  /** @returns the address that a connection counts for, if any */
  const clientOf = ({ remoteAddress: address }: Socket): string | undefined =>
    ofClients && address !== undefined && !isProxy(address) ? address : undefined;
  /** Keeps one client from taking all connections. */
  const limitClient = (socket: Socket, address: string | undefined): void => {
    if (!ofClients || address === undefined) return;
    const own = ofClients.get(address) ?? new Set();
    ofClients.set(address, own.add(socket));
    socket.once('close', () => {
      own.delete(socket);
      if (own.size === 0 && ofClients.get(address) === own) ofClients.delete(address);
    });
    if (own.size > (clientConnections ?? 0)) makeRoom(own, socket);
  };
  sharedPort?.onCrowd((address) => {
    const crowd = address === undefined ? open : ofClients?.get(address);
    const newest = crowd && [...crowd].at(-1);
    if (newest) makeRoom(crowd, newest);
  });
  server.on('connection', (socket: Socket) => {
    const client = clientOf(socket);
    open.add(socket);
    accepted += 1;
    sharedPort?.opened(client);
    socket.once('close', () => {
      open.delete(socket);
      sharedPort?.closed(client);
    });
    limitClient(socket, client);
    if (open.size > maxConnections) makeRoom(open, socket);
  });

  server.timeout = idleTimeout;
  server.on('timeout', (socket: Socket) => {
    if (isIdle(socket)) socket.destroy();
    else if (isBusy(socket) || (socket.timeout ?? 0) < idleTimeout) socket.setTimeout(idleTimeout);
    else if (socket.timeout === idleTimeout && order.currentOf(socket)?.headersSent) {
      socket.setTimeout(STALLED_LIMITS * idleTimeout);
    } else socket.destroy();
  });

  const closeWithResponses = (): void => {
    isStopping = true;
    for (const socket of open) {
      const response = order.currentOf(socket);
      if (response && !response.headersSent) response.setHeader('Connection', 'close');
    }
  };
  /** Idle connections last: a request may be on its way, and the client cannot tell whether it was done. */
  const linger = (): void => {
    for (const socket of open) {
      const close = (): unknown => socket.setTimeout(LINGER);
      if (isIdle(socket)) close();
      else order.currentOf(socket)?.once('close', close);
    }
  };
  /** Accepts all connections in the system's queue: each iteration of the event loop accepts one (libuv), the running one perhaps none. */
  const acceptAll = async (): Promise<void> => {
    const most = accepted + QUEUE;
    for (let before = -1; before < accepted && accepted < most; ) {
      before = accepted;
      await turn();
      await turn();
    }
  };
  /** Takes no more connections; not `server.close`, which closes those that are idle at once. */
  const closeListener = (): Promise<void> =>
    new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  const meet = async (): Promise<void> => {
    if (sharedPort) await Promise.race([sharedPort.together(), sleep(MEETING, undefined, { ref: false })]);
  };
  /**
   * Closes the listeners of all processes. A connection in the queue of one that closes is reset, and whoever gets a response may
   * open another: so nobody gets any meanwhile, from no process.
   */
  const closeListeners = async (): Promise<{ readonly closed: Promise<void> }> => {
    const { promise, resolve } = Promise.withResolvers<false>();
    held = promise;
    await meet();
    await acceptAll();
    const closed = closeListener();
    await meet();
    closeWithResponses();
    held = undefined;
    resolve(false);
    return { closed };
  };

  return {
    middleware: ({ socket }, response) => {
      if (isStopping) response.setHeader('Connection', 'close');
      if (socket.timeout !== quiet) socket.setTimeout(quiet);
      return held ?? false;
    },
    stop: async (delay, timeout) => {
      const late = setTimeout(() => server.closeAllConnections(), timeout);
      if (delay > 0) await sleep(delay);
      const { closed } = await closeListeners();
      linger();
      await closed;
      clearTimeout(late);
    },
    count: () => open.size,
  };
};
