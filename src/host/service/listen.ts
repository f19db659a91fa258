import type { AddressInfo, Server } from 'node:net';
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
}

/**
 * @returns `http://host:port`, with the port that was chosen where 0 was asked for
 * @throws FaultsError
 */
export const listen = (server: Server, { host, port, prefix = '' }: Address): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = REASONS[error.code ?? ''] ?? error.message;
      reject(new FaultsError([`${prefix}HOST=${host} ${prefix}PORT=${port}: ${reason}`]));
    });
    server.listen({ port, host }, () => {
      const { port: chosen } = server.address() as AddressInfo;
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${chosen}`);
    });
  });
