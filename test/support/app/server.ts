import { type AddressInfo, connect, type Socket } from 'node:net';
import { createBrowserPolicies } from '../../../src/host/access/browsers.ts';
import { type Policy, Server, type ServerOptions } from '../../../src/host/server/server.ts';
import type { Store } from '../../../src/store/store.ts';
import { openApp, type TestOptions } from './app.ts';
import { exchangeIn, watchServer } from './watch-server.ts';

interface Answer {
  readonly status: number;
  /** Headers and body. */
  readonly text: string;
  readonly header: (name: string) => string | undefined;
}

interface TestServer {
  readonly port: number;
  readonly store: Store;
  readonly origin: string;
  /** Everything that the server sends until it closes the connection, or until `until` is in it; bytes as Latin-1. */
  readonly raw: (request: string, until?: RegExp) => Promise<string>;
  /** Sends a request as bytes. @returns its answer; the name of a header in any case */
  readonly ask: (
    method: string,
    path: string,
    headers?: Readonly<Record<string, string>>,
    body?: string,
  ) => Promise<Answer>;
  readonly open: () => Socket;
  /** Resolves when it has begun to handle so many requests since it began: their headers have arrived. */
  readonly begun: (count: number) => Promise<void>;
  /** Whether requests that do not arrive in time are waited for nevertheless, from now on; its own limits apply at first. */
  readonly setPatient: (isPatient: boolean) => void;
  /** As SIGTERM does. */
  readonly stop: (delay: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

interface Guarded {
  /** Policies that ask the database. */
  readonly guards?: (store: Store) => readonly Policy[];
}

const defaults: ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  idleTimeout: 30_000,
  maxConnections: 4_000,
  policies: createBrowserPolicies({ listensOn: '127.0.0.1', allowedHosts: [], allowedOrigins: [] }),
};

/** Bytes of an answer in which all is that `until` looks for: to look through a long answer with each of its pieces takes seconds. */
const SOUGHT = 4_096;

/**
 * @returns how long a response is, with its headers; `Infinity` where only the end of the connection tells, `undefined` until
 * its headers have come
 */
const lengthOf = (text: string, request: string): number | undefined => {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  if (request.startsWith('HEAD ') || /^HTTP\/1.1 (?:204|304)/.test(text)) return end + 4;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end));
  return length === null ? Infinity : end + 4 + Number(length[1]);
};

/** The service on a real socket of this process; all that it answers is checked against its documents. */
export const openServer = async (options: TestOptions & Partial<ServerOptions> & Guarded = {}): Promise<TestServer> => {
  const { app, end, refuse, check, store, close } = await openApp({ ...options, hasStreams: true });
  const own = options.guards ? { policies: options.guards(store) } : {};
  const service = new Server({ app, end, refuse }, { ...defaults, ...options, ...own });
  const { http: server } = service;
  const watched = watchServer(server, check);
  const { headersTimeout, requestTimeout } = server;
  let handled = 0;
  server.on('request', () => handled++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const open = (): Socket => connect({ port, host: '127.0.0.1', allowHalfOpen: true });

  const raw: TestServer['raw'] = async (request, until) => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = open();
      let answer = '';
      // Looked for once: a long response comes in hundreds of pieces.
      let length: number | undefined;
      const finish = (): void => {
        socket.destroy();
        resolve(answer);
      };
      socket.setEncoding('latin1');
      let tail = '';
      socket.on('data', (chunk: string) => {
        answer += chunk;
        tail = tail.slice(-SOUGHT) + chunk;
        length ??= until ? Infinity : lengthOf(answer, request);
        if (until?.test(tail) || answer.length >= (length ?? Infinity)) finish();
      });
      socket.on('end', finish);
      socket.on('error', (error: NodeJS.ErrnoException) => (answer === '' ? reject(error) : finish()));
      socket.write(request, 'latin1');
    });
    const seen = exchangeIn(request, answer);
    if (seen) await check(seen);
    return answer;
  };

  return {
    port,
    store,
    raw,
    ask: async (method, path, headers = {}, body = '') => {
      const all = { Host: 'localhost', ...headers, ...(body === '' ? {} : { 'Content-Length': String(body.length) }) };
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
      const bytes = await raw(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
      const text = Buffer.from(bytes, 'latin1').toString();
      const header = (name: string): string | undefined => new RegExp(`\\r\\n${name}: ([^\\r]*)`, 'i').exec(text)?.[1];
      return { status: Number(text.slice(9, 12)), text, header };
    },
    origin: `http://127.0.0.1:${port}`,
    open,
    begun: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (handled >= count) resolve();
        };
        server.on('request', look);
        look();
      }),
    setPatient: (isPatient) =>
      void Object.assign(
        server,
        isPatient ? { headersTimeout: 0, requestTimeout: 0 } : { headersTimeout, requestTimeout },
      ),
    stop: (delay) => service.stop(delay, 8_000),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await close();
      await watched();
    },
  };
};
