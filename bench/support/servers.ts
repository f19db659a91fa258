import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../test/support/process/free-port.ts';
import { here, pinned, project, type Role } from './machine.ts';

/** How a server is started. */
interface Launch {
  /** Arguments of Node.js. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Whose response shows that it serves. */
  readonly readyPath?: string;
  readonly role?: Role;
}

export interface Running {
  readonly pid: number;
  readonly origin: string;
  /** Milliseconds from its start to its first good response. */
  readonly startTime: number;
  readonly stop: () => Promise<void>;
}

export const serviceArguments = ['--import', './src/preload.js', 'src/main.ts'];

/** On a connection of its own, for a server may be about to close one that was idle. */
export const get = async (url: string): Promise<IncomingMessage> => {
  const [response] = await once(request(url, { agent: false }).end(), 'response');
  return response;
};

const isReady = async (url: string): Promise<boolean> => {
  try {
    const response = await get(url);
    response.resume();
    return response.statusCode === 200;
  } catch {
    return false;
  }
};

/** Of the server that was started last. */
const LOG = join(tmpdir(), 'car-dealer-bench.log');
const GIVE_UP_MS = 60_000;

/** They end with the bench, however it ends. */
const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

const stopped = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  // What it has started ends with it.
  child.kill('SIGTERM');
  await once(child, 'close');
};

/** Starts a server on its core and waits until it answers. Every server gets the same Node.js and environment. */
export const startServer = async (launch: Launch): Promise<Running> => {
  const { args, env, readyPath = '/livez', role = 'server' } = launch;
  const port = String(await freePort());
  const [command, line] = pinned(role, process.execPath, args);
  const started = performance.now();
  const { PATH = '', HOME = '' } = process.env;
  const log = openSync(LOG, 'w');
  const child = spawn(command, line, {
    cwd: project,
    stdio: ['ignore', 'ignore', log],
    env: { PATH, HOME, NODE_ENV: 'production', LOG_FORMAT: 'json', LOG_LEVEL: 'warn', PORT: port, ...env },
  });
  closeSync(log);
  children.add(child);
  child.once('exit', () => children.delete(child));
  const origin = `http://127.0.0.1:${port}`;
  while (!(await isReady(origin + readyPath))) {
    if (child.exitCode !== null || performance.now() > started + GIVE_UP_MS) {
      await stopped(child);
      throw new Error(`${args.join(' ')} does not answer: see ${LOG}`);
    }
    await setTimeout(2);
  }
  const startTime = performance.now() - started;
  return { pid: child.pid ?? 0, origin, startTime, stop: () => stopped(child) };
};

/** Starts services with an environment each in one process. */
export const startTogether = async (environments: readonly Launch['env'][]): Promise<readonly Running[]> => {
  // The last one, which is ready after the others, gets the port of the server.
  const ports = await Promise.all(environments.slice(1).map(freePort));
  const all = environments.map((env, at) => ({ ...env, ...(ports[at] ? { PORT: String(ports[at]) } : {}) }));
  const args = ['--import', './src/preload.js', here('support/services.ts'), JSON.stringify(all)];
  const last = await startServer({ args, env: {} });
  return [...ports.map((port) => ({ ...last, origin: `http://127.0.0.1:${port}` })), last];
};

/** Does some work with a server. */
export const withServer = async <T>(launch: Launch, work: (server: Running) => Promise<T>): Promise<T> => {
  const server = await startServer(launch);
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
};
