/** Starts the programs that are measured, all in one way, and ends them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../test/support/process/free-port.ts';
import { CORES, here, project, type Role } from './machine.ts';

/** Arguments of Node.js for each program. */
const PROGRAMS = {
  service: ['src/main.ts'],
  peer: [here('peers/fastify.ts')],
  around: [here('around.ts')],
} as const;
export type Program = keyof typeof PROGRAMS;
export type Environment = Readonly<Record<string, string>>;

/** How a server is started. */
interface Launch {
  readonly program?: Program;
  readonly env?: Environment;
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

/** @returns whether it has that car, or could have it */
const isServing = async (origin: string): Promise<boolean> => {
  const { status } = await fetch(`${origin}/api/cars/car-0`).catch(() => ({ status: 0 }));
  return status === 200 || status === 404;
};

/** Of the server that was started last. */
const LOG = join(tmpdir(), 'car-dealer-bench.log');
const GIVE_UP_MS = 60_000;

/** Starts a server on its core and waits until it answers. Every server gets the same Node.js and environment. */
export const startServer = async (DATABASE_URL: string, launch: Launch = {}): Promise<Server> => {
  const { program = 'service', env, role = 'server' } = launch;
  const { PATH = '', HOME = '' } = process.env;
  const PORT = String(await freePort());
  const log = openSync(LOG, 'w');
  const started = performance.now();
  const child = spawn('taskset', ['-c', CORES[role], process.execPath, ...PROGRAMS[program]], {
    cwd: project,
    stdio: ['ignore', 'ignore', log],
    env: { PATH, HOME, NODE_ENV: 'production', LOG_FORMAT: 'json', LOG_LEVEL: 'warn', PORT, DATABASE_URL, ...env },
  });
  closeSync(log);
  const exited = once(child, 'exit');
  // It ends with the bench, however that ends, and before its files are removed.
  const kill = () => child.kill('SIGKILL');
  process.prependOnceListener('exit', kill);
  const stop = async (): Promise<void> => {
    // What it has started ends with it.
    if (child.kill('SIGTERM')) await exited;
    process.off('exit', kill);
  };
  const origin = `http://127.0.0.1:${PORT}`;
  while (!(await isServing(origin))) {
    if (child.exitCode !== null || performance.now() > started + GIVE_UP_MS) {
      await stop();
      throw new Error(`the ${program} does not answer: see ${LOG}`);
    }
    await setTimeout(2);
  }
  return { pid: child.pid ?? 0, origin, startTime: performance.now() - started, [Symbol.asyncDispose]: stop };
};
