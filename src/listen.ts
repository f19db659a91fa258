import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Why a server cannot listen; an operator needs the reason, not the place in the code. */
export class ListenError extends Error {}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use already',
  EACCES: 'may not be used by this user',
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'is not an address of this machine',
};

interface Address {
  readonly host: string;
  readonly port: number;
  /** What the settings of both are called begin with. */
  readonly prefix?: string;
}

/**
 * @returns `http://host:port`, with the port that was chosen where 0 was asked for
 * @throws ListenError
 */
export const listen = (server: Server, { host, port, prefix = '' }: Address): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = REASONS[error.code ?? ''] ?? error.message;
      reject(new ListenError(`${prefix}HOST=${host} ${prefix}PORT=${port}: ${reason}`, { cause: error }));
    });
    server.listen(port, host, () => {
      const { port: chosen } = server.address() as AddressInfo;
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${chosen}`);
    });
  });
