import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { pinned, type Role } from './machine.ts';

/** How a server is started. */
export interface Launch {
  /** Arguments of Node.js. */
  readonly args: (port: number) => readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Where it runs, by default on the servers' core. */
  readonly role?: Role;
  /** Whose response shows that it serves. */
  readonly readyPath: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly origin: string;
  /** Milliseconds from its start to its first good response. */
  readonly startTime: number;
  readonly stop: () => Promise<void>;
}

export const project = fileURLToPath(new URL('../..', import.meta.url));

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const isReady = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(url);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
};

const GIVE_UP_MS = 20_000;

const untilReady = async (child: ChildProcess, url: string, output: () => string): Promise<void> => {
  const end = performance.now() + GIVE_UP_MS;
  while (!(await isReady(url))) {
    if (child.exitCode !== null || performance.now() > end) throw new Error(`${url} does not answer:\n${output()}`);
    await pause(2);
  }
};

/** Starts a server on its core and waits until it answers. Every server gets the same Node.js and environment. */
export const startServer = async (launch: Launch): Promise<Running> => {
  const { args, env = {}, cwd = project, role = 'server', readyPath } = launch;
  const port = await freePort();
  const [command, line] = pinned(role, process.execPath, args(port));
  const started = performance.now();
  const child = spawn(command, line, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'production', PORT: String(port), ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4_000);
    });
  }
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'close');
  };
  const origin = `http://127.0.0.1:${port}`;
  try {
    await untilReady(child, origin + readyPath, () => output);
  } catch (error) {
    await stop();
    throw error;
  }
  return { child, pid: child.pid ?? 0, origin, startTime: performance.now() - started, stop };
};
