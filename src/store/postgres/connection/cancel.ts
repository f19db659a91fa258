/** Has the server end statements that nobody waits for any more, by a request on a connection of its own (PostgreSQL's “Canceling Requests in Progress”). */
import { setTimeout as sleep } from 'node:timers/promises';

/** The session to end a statement of, and how its server is reached. */
export interface CancelTarget {
  /** A name, an address or the folder of a socket. */
  readonly host: string;
  readonly port: number;
  readonly ssl: unknown;
  readonly sslNegotiation: string;
  readonly processID: number;
  readonly secretKey: number;
}

/** The part of the driver's connection that sends the request. */
export interface CancelConnection {
  readonly connect: (portOrPath: number | string, host?: string) => void;
  readonly requestSsl: () => void;
  readonly cancel: (processID: number, secretKey: number) => void;
  readonly on: (event: 'connect' | 'sslconnect' | 'error' | 'end', listener: () => void) => void;
  readonly stream: { readonly destroy: () => void };
}

/**
 * The server closes the connection once it has interrupted the session, which ignores that when it is idle.
 *
 * @param limit milliseconds
 * @returns whether the request can no longer end a later statement
 */
export const sendCancel = (
  connection: CancelConnection,
  { host, port, ssl, sslNegotiation, processID, secretKey }: CancelTarget,
  limit: number,
): Promise<boolean> =>
  new Promise((resolve) => {
    let isSent = false;
    let isBroken = false;
    const fail = (): void => {
      isBroken = true;
      connection.stream.destroy();
    };
    const timer = setTimeout(fail, limit);
    const send = (): void => {
      isSent = true;
      connection.cancel(processID, secretKey);
    };
    connection.on('connect', () => {
      if (!ssl) send();
      else if (sslNegotiation !== 'direct') connection.requestSsl();
    });
    connection.on('sslconnect', send);
    connection.on('error', fail);
    connection.on('end', () => {
      clearTimeout(timer);
      resolve(!isSent || !isBroken);
    });
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
    else connection.connect(port, host);
  });

/**
 * Milliseconds in which most statements end by themselves, and between two requests: one that arrives between two
 * statements ends neither.
 */
const WAIT_MS = 50;

/** Has the server end work that nobody waits for. */
export const endEarly = async (work: Promise<unknown>, cancel: () => Promise<void>): Promise<void> => {
  const over = work.then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([over, sleep(WAIT_MS, false, { ref: false })]))) await cancel();
};
