/** A thread of clients that each send a request on a connection of their own and read whatever comes, until the thread ends. */
import { connect } from 'node:net';
import { workerData } from 'node:worker_threads';

export interface Crowd {
  readonly port: number;
  /** The clients' own address. */
  readonly localAddress: string;
  /** One client each. */
  readonly requests: readonly string[];
}

const { port, localAddress, requests }: Crowd = workerData;
for (const sent of requests) {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => {}).resume();
  socket.write(sent);
}
