import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { forgetOrigin, watchOrigin } from '../app/watch-fetch.ts';
import { temporaryFolder, type WhenOver } from './folder.ts';

export const project = fileURLToPath(new URL('../../..', import.meta.url));

interface Launch {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly command?: string;
  readonly args?: readonly string[];
  /** Who runs it; by default who runs the tests. */
  readonly identity?: { readonly uid?: number; readonly gid?: number };
  readonly whenOver?: WhenOver | undefined;
}

/** A process of the service, from its start to its end. */
export interface Launched {
  readonly child: ChildProcess;
  /** Everything that it wrote. */
  readonly output: () => string;
  /** Resolves when what it wrote matches; rejects where it ended without. */
  readonly wrote: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Its exit code; the signal's name where one killed it. */
  readonly exit: Promise<number | string>;
}

export interface Serving extends Launched {
  readonly origin: string;
  readonly port: number;
  readonly send: ReturnType<typeof sendTo>;
  readonly end: (signal: NodeJS.Signals) => Promise<number | string>;
}

/** The service's own command line, for a project that stands in `root`. */
export const commandLine = (root = project): readonly string[] => [join(root, 'src/main.ts')];

const killGroup = ({ pid }: ChildProcess): void => {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The whole group has ended by itself.
  }
};

/** Starts a process in a group of its own, all of which is killed when the test is over. */
export const launch = ({
  env = {},
  cwd,
  command = process.execPath,
  args = commandLine(),
  identity = {},
  whenOver = onTestFinished,
}: Launch = {}): Launched => {
  const folder = temporaryFolder(whenOver);
  const child = spawn(command, args, {
    cwd: cwd ?? folder,
    detached: true,
    ...identity,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      // Commands start in half the time when nothing is compiled again.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: '0',
      LOG_FORMAT: 'pretty',
      DATABASE_URL: `sqlite:${join(folder, 'catalogue.db')}`,
      ...env,
    },
  });
  whenOver(() => killGroup(child));

  let text = '';
  const listeners = new Set<() => void>();
  const tell = (): void => {
    for (const listener of [...listeners]) listener();
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      tell();
    });
  }
  let ended = false;
  const exit = once(child, 'close').then(([code, signal]): number | string => {
    ended = true;
    tell();
    return code ?? signal;
  });
  const wrote = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(text);
        if (!found && !ended) return;
        listeners.delete(look);
        if (found) resolve(found);
        else reject(new Error(`ended without ${pattern}:\n${text}`));
      };
      listeners.add(look);
      look();
    });
  return { child, output: () => text, wrote, exit };
};

/** Sends requests to a service; a body that is no text is JSON. */
export const sendTo =
  (origin: string) =>
  (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> => {
    const init = {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    };
    if (body === undefined) return fetch(origin + path, init);
    return fetch(origin + path, { ...init, body: typeof body === 'string' ? body : JSON.stringify(body) });
  };

/** Starts the service and waits until it serves. */
export const serve = async (options: Launch = {}): Promise<Serving> => {
  const launched = launch(options);
  const [, origin = '', port = ''] = await launched.wrote(/serving (http:\/\/[^/]*:(\d+))\/.*\n/);
  watchOrigin(origin);
  // Its port may be given to anything then.
  void launched.exit.then(() => forgetOrigin(origin));
  const end = (signal: NodeJS.Signals): Promise<number | string> => {
    launched.child.kill(signal);
    return launched.exit;
  };
  return { ...launched, origin, port: Number(port), send: sendTo(origin), end };
};

/** @returns a bare connection, closed when the test is over */
export const openSocket = async (port: number): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.on('error', () => {});
  return socket;
};

/** Resolves once what arrives holds the text. */
export const received = (socket: Socket, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let sofar = '';
    socket.on('data', (chunk) => {
      sofar += chunk;
      if (sofar.includes(text)) resolve(sofar);
    });
    socket.on('close', () => reject(new Error(`closed without ${text}: ${sofar}`)));
  });

/** @returns whether anything accepts connections on the port */
export const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
