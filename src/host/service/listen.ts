import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { FaultsError } from '../../util/faults-error.ts';

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use already',
  EACCES: 'may not be used by this user',
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'is not an address of this machine',
};

interface Address {
  readonly host: string;
  readonly port: number;
  /** The prefix of the names of both settings. */
  readonly prefix?: string;
  /** Whether other processes of this service listen there too, each with a queue of its own. */
  readonly isShared?: boolean;
}

/** Systems on which processes can share a port; elsewhere the primary accepts for its workers. */
const SHARING: readonly NodeJS.Platform[] = ['linux', 'freebsd', 'sunos', 'aix'];

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/**
 * @returns `http://host:port`, with the port that was chosen where 0 was asked for
 * @throws FaultsError
 */
export const listen = (server: Server, { host, port, prefix = '', isShared = false }: Address): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = REASONS[error.code ?? ''] ?? error.message;
      reject(new FaultsError([`${prefix}HOST=${host} ${prefix}PORT=${port}: ${reason}`]));
    });
    const reusePort = isShared && SHARING.includes(process.platform);
    server.listen({ port, host, reusePort }, () => {
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${portOf(server)}`);
    });
  });

/**
 * Finds the port that several processes will share, and checks that it is free: with a shared port none of them would notice.
 *
 * @returns a port that was chosen is held until it is released, so that nobody else is given it before they listen
 * @throws FaultsError
 */
export const portToShare = async (
  address: Address,
): Promise<{ readonly port: number; readonly release: () => Promise<void> }> => {
  const isHeld = address.port === 0 && SHARING.includes(process.platform);
  const server = createServer();
  await listen(server, { ...address, isShared: isHeld });
  const port = portOf(server);
  const release = (): Promise<void> => new Promise((resolve) => void server.close(() => resolve()));
  if (!isHeld) await release();
  return { port, release };
};
