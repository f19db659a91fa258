import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { type connectionsOf, isIdle } from './connections.ts';

/** Milliseconds that a connection stays open for one more request when the server stops: one may be on its way. */
const LINGER = 500;
/** The most connections that are accepted from the system's queue before the listener closes. */
const QUEUE = 4_096;

/** @returns a function that ends a server without resetting or ignoring anybody */
export const stopOf = (server: Server, { open, holdDuring }: ReturnType<typeof connectionsOf>) => {
  let accepted = 0;
  server.on('connection', () => {
    accepted += 1;
  });

  /** Idle connections last: a request may be on its way, and the client cannot tell whether it was done. */
  const linger = (): void => {
    for (const connection of open.values()) {
      const close = (): unknown => connection.socket.setTimeout(LINGER);
      if (isIdle(connection)) close();
      else connection.current?.once('close', close);
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
  /**
   * Closes the listener. A connection in the queue of one that closes is reset, and whoever gets a response may
   * open another: so nobody gets any meanwhile.
   */
  const closeListeners = async (): Promise<{ readonly closed: Promise<void> }> => {
    await acceptAll();
    const closed = new Promise<void>((resolve) => {
      // Not `server.close`, which closes connections that are idle at once.
      NetServer.prototype.close.call(server, () => resolve());
    });
    return { closed };
  };

  /**
   * @param delay milliseconds in which new connections are still taken
   * @param timeout milliseconds after which what is still in flight is cut off
   */
  return async (delay: number, timeout: number): Promise<void> => {
    const late = setTimeout(() => server.closeAllConnections(), timeout);
    if (delay > 0) await sleep(delay);
    const { closed } = await holdDuring(closeListeners);
    linger();
    await closed;
    clearTimeout(late);
  };
};
