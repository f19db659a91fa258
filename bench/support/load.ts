/** Load in bursts: requests over connections that stay open, so that servers can take turns of less than a tenth of a second. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';

export interface LoadRequest {
  readonly path: string;
  /** JSON to send. */
  readonly body?: string;
}

const textOf = (method: string, { path, body }: LoadRequest): string => {
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n`;
  if (body === undefined) return `${head}\r\n`;
  return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
};

/** @returns the texts of requests in turn, without end */
export const textsOf = (method: 'GET' | 'POST' | 'PUT', requests: readonly LoadRequest[]): (() => string) => {
  let at = 0;
  return () => textOf(method, requests[at++ % requests.length] as LoadRequest);
};

interface Connection {
  readonly isFresh: () => boolean;
  /** One request at a time; `done` is called when all of its response is here. */
  readonly send: (request: string, done: () => void) => void;
  readonly close: () => void;
}

/** Milliseconds; less than any server keeps an idle connection, which would else end under the next request. */
const IDLE = 3_000;

/** @param fail told of what is no good response */
const openConnection = async (port: number, fail: (error: Error) => void): Promise<Connection> => {
  let missing = 0;
  let usedAt = performance.now();
  let done: (() => void) | undefined;
  const lengthOf = (head: string): number => {
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    if (!head.startsWith('HTTP/1.1 20') || length === undefined) throw new Error(head);
    return head.indexOf('\r\n\r\n') + 4 + Number(length);
  };
  const read = (size: number, buffer: Uint8Array): boolean => {
    // A server that gives a connection up may say so.
    if (!done) return false;
    try {
      if (missing === 0) missing = lengthOf((buffer as Buffer).toString('latin1', 0, Math.min(size, 2_048)));
    } catch (error) {
      fail(error as Error);
      return false;
    }
    missing -= size;
    if (missing === 0) {
      usedAt = performance.now();
      const finished = done;
      done = undefined;
      finished?.();
    }
    return true;
  };
  const onread = { buffer: Buffer.alloc(65_536), callback: read };
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
  await once(socket, 'connect');
  const end = (error: Error): void => done && fail(error);
  socket.on('error', end).on('close', () => end(new Error(`port ${port}: closed before its response`)));
  return {
    isFresh: () => socket.readyState === 'open' && performance.now() < usedAt + IDLE,
    send: (request, whenDone) => {
      done = whenDone;
      socket.write(request);
    },
    close: () => socket.destroy(),
  };
};

export interface Client {
  readonly borrow: (count: number) => Promise<readonly Connection[]>;
  readonly giveBack: (connections: readonly Connection[]) => void;
  /** Rejects with the first failure. */
  readonly failure: Promise<never>;
  readonly close: () => void;
}

/** Connections to a server, which are opened once: those that it may be about to close are left out. */
export const openClient = (origin: string): Client => {
  const { promise: failure, reject } = Promise.withResolvers<never>();
  failure.catch(() => {});
  const idle: Connection[] = [];
  return {
    borrow: async (count) => {
      const found: Connection[] = [];
      for (const connection of idle.splice(0)) {
        if (!connection.isFresh()) connection.close();
        else (found.length < count ? found : idle).push(connection);
      }
      while (found.length < count) found.push(await openConnection(Number(new URL(origin).port), reject));
      return found;
    },
    giveBack: (connections) => idle.push(...connections),
    failure,
    close: () => {
      for (const connection of idle) connection.close();
    },
  };
};

/** Opens connections and waits for a response on each: a server under load may accept one at a time, long after they are open here. */
export const openAhead = async (client: Client, count: number, next: () => string): Promise<void> => {
  const all = await client.borrow(count);
  const responses = all.map((connection) => new Promise<void>((resolve) => connection.send(next(), resolve)));
  await Promise.race([Promise.all(responses), client.failure]);
  client.giveBack(all);
};

export interface Burst {
  readonly connections: number;
  readonly count: number;
  readonly next: () => string;
  /** Changes that a client of its own sends, one after the other: one is due after each `every` requests. */
  readonly changes?: { readonly next: () => string; readonly every: number };
}

/** @returns seconds until all requests have their response */
export const burst = async (client: Client, { connections, count, next, changes }: Burst): Promise<number> => {
  const all = await client.borrow(connections + (changes ? 1 : 0));
  const readers = all.slice(0, connections);
  const writer = all[connections];
  const finished = Promise.withResolvers<number>();
  const started = performance.now();
  let [sent, received, due, isWriting] = [0, 0, 0, false];
  const change = (): void => {
    if (isWriting || due === 0 || !changes) return;
    [due, isWriting] = [due - 1, true];
    writer?.send(changes.next(), () => {
      isWriting = false;
      change();
      end();
    });
  };
  const end = (): void => {
    if (received === count && due === 0 && !isWriting) finished.resolve((performance.now() - started) / 1_000);
  };
  const send = (connection: Connection): void => {
    if (sent === count) return;
    sent++;
    if (changes && sent % changes.every === 0) due++;
    connection.send(next(), () => {
      received++;
      send(connection);
      end();
    });
    change();
  };
  for (const connection of readers) send(connection);
  const seconds = await Promise.race([finished.promise, client.failure]);
  client.giveBack(all);
  return seconds;
};

/**
 * Requests at a steady rate while something lasts, each on an idle connection, whatever becomes of the others.
 *
 * @returns milliseconds of each from when it was due, so that no delay hides the next one
 */
export const steady = async (client: Client, next: () => string, rate: number, work: Promise<unknown>) => {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  const open: Promise<number>[] = [];
  const ask = async (due: number): Promise<number> => {
    const all = await client.borrow(1);
    await new Promise<void>((resolve) => all[0]?.send(next(), resolve));
    client.giveBack(all);
    return performance.now() - due;
  };
  const started = performance.now();
  for (let at = 0; !isOver; at++) {
    const due = started + (at * 1_000) / rate;
    await setTimeout(Math.max(0, due - performance.now()));
    open.push(ask(due));
  }
  await over;
  return Promise.race([Promise.all(open), client.failure]);
};
