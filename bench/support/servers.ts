/** Starts the programs that are measured, all in one way, and ends them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../test/support/process/free-port.ts';
import { here, pinned, project, type Role } from './machine.ts';

export type Environment = Readonly<Record<string, string>>;

/** Arguments of Node.js for each program. */
const PROGRAMS = {
  service: ['--import', './src/preload.js', 'src/main.ts'],
  peer: [here('peers/fastify.ts')],
} as const;

/** How a server is started. */
interface Launch {
  readonly program?: keyof typeof PROGRAMS;
  readonly env: Environment;
  /** Whose response shows that it serves. */
  readonly readyPath?: string;
  readonly role?: Role;
}

/** Ends when it is disposed of. */
export interface Server extends AsyncDisposable {
  readonly pid: number;
  readonly origin: string;
  /** Milliseconds from its start to its first good response. */
  readonly startTime: number;
}

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

const launch = (program: keyof typeof PROGRAMS, env: Environment, role: Role): ChildProcess => {
  const [command, line] = pinned(role, process.execPath, PROGRAMS[program]);
  const { PATH = '', HOME = '' } = process.env;
  const log = openSync(LOG, 'w');
  const child = spawn(command, line, {
    cwd: project,
    stdio: ['ignore', 'ignore', log],
    env: { PATH, HOME, NODE_ENV: 'production', LOG_FORMAT: 'json', LOG_LEVEL: 'warn', ...env },
  });
  closeSync(log);
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
};

/** Starts a server on its core and waits until it answers. Every server gets the same Node.js and environment. */
export const startServer = async ({
  program = 'service',
  env,
  readyPath = '/livez',
  role = 'server',
}: Launch): Promise<Server> => {
  const PORT = String(await freePort());
  const started = performance.now();
  const child = launch(program, { PORT, ...env }, role);
  const stop = async (): Promise<void> => {
    // What it has started ends with it.
    if (children.has(child) && child.kill('SIGTERM')) await once(child, 'close');
  };
  const origin = `http://127.0.0.1:${PORT}`;
  while (!(await isReady(origin + readyPath))) {
    if (!children.has(child) || performance.now() > started + GIVE_UP_MS) {
      await stop();
      throw new Error(`the ${program} does not answer: see ${LOG}`);
    }
    await setTimeout(2);
  }
  return { pid: child.pid ?? 0, origin, startTime: performance.now() - started, [Symbol.asyncDispose]: stop };
};
