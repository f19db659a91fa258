/** Load: requests over connections that stay open, so that servers can take turns of some milliseconds. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** @param body to send as JSON */
export const requestText = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object): string => {
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n`;
  if (body === undefined) return `${head}\r\n`;
  const text = JSON.stringify(body);
  return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
};

/** @throws Error for what is no good response of a known length */
const lengthOf = (start: string): number => {
  const length = /\r\ncontent-length: (\d+)/i.exec(start)?.[1];
  if (!start.startsWith('HTTP/1.1 20') || length === undefined) throw new Error(start);
  return start.indexOf('\r\n\r\n') + 4 + Number(length);
};

/** Milliseconds; less than any server keeps an idle connection, which would else end under the next request. */
const IDLE = 3_000;

/** What goes wrong on it ends the bench. */
const openConnection = async (port: number) => {
  let missing = 0;
  let usedAt = performance.now();
  let response: PromiseWithResolvers<void> | undefined;
  const callback = (size: number, buffer: Uint8Array): boolean => {
    if (missing === 0) missing = lengthOf((buffer as Buffer).toString('latin1', 0, Math.min(size, 2_048)));
    missing -= size;
    if (missing > 0) return true;
    usedAt = performance.now();
    response?.resolve();
    return true;
  };
  const onread = { buffer: Buffer.alloc(65_536), callback };
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
  await once(socket, 'connect');
  socket.on('error', (error) => response?.reject(error));
  socket.on('close', () => response?.reject(new Error(`port ${port}: closed before its response`)));
  return {
    isFresh: () => socket.readyState === 'open' && performance.now() < usedAt + IDLE,
    /** One request at a time; resolves when all of its response is here. */
    send: (request: string): Promise<void> => {
      response = Promise.withResolvers();
      socket.write(request);
      return response.promise;
    },
    close: () => socket.destroy(),
  };
};

/** Resolves when all of a good response is here. */
export type Send = (request: string) => Promise<void>;

/** @returns what sends requests to a server, each on a connection that is idle, or else on a new one */
export const openClient = (origin: string): Send => {
  const idle: Awaited<ReturnType<typeof openConnection>>[] = [];
  return async (request) => {
    let connection = idle.pop();
    while (connection && !connection.isFresh()) {
      connection.close();
      connection = idle.pop();
    }
    connection ??= await openConnection(Number(new URL(origin).port));
    await connection.send(request);
    idle.push(connection);
  };
};

/** Requests, and seconds until all of them had their response. */
export interface Sent {
  readonly sent: number;
  readonly seconds: number;
}

/** Keeps this process awake while some work lasts: a server pays for waking who sleeps, the more often the slower it is. */
const stayAwake = (work: Promise<unknown>): void => {
  let isOver = false;
  const turn = (): void => {
    if (!isOver) setImmediate(turn);
  };
  const end = (): void => {
    isOver = true;
  };
  work.then(end, end);
  turn();
};

/** Calls for that many requests, of which so many wait for their response at any time. */
export const burst = async (connections: number, count: number, ask: () => Promise<void>): Promise<Sent> => {
  let sent = 0;
  const askOften = async (): Promise<void> => {
    while (sent < count) {
      sent++;
      await ask();
    }
  };
  const started = performance.now();
  const work = Promise.all(Array.from({ length: connections }, askOften));
  stayAwake(work);
  await work;
  return { sent, seconds: (performance.now() - started) / 1_000 };
};

/**
 * Sends requests at a steady rate while some work lasts, whatever becomes of the others.
 *
 * @returns milliseconds of each from when it was due, so that no delay hides the next one
 */
export const steady = async (send: Send, next: () => string, rate: number, work: Promise<unknown>) => {
  const over = work.then(() => true);
  const times: Promise<number>[] = [];
  const until = (time: number): Promise<boolean> => setTimeout(Math.max(0, time - performance.now()), false);
  for (let due = performance.now(); !(await Promise.race([over, until(due)])); due += 1_000 / rate) {
    times.push(send(next()).then(() => performance.now() - due));
  }
  return Promise.all(times);
};
