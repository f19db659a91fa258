import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pinned, type Role } from './machine.ts';

export interface LoadRequest {
  readonly path: string;
  /** Makes it a POST under `load`, a PUT under `steady`. */
  readonly body?: string;
  /** Under `steady`: the body that must come back. */
  readonly expected?: string;
}

/** Times in milliseconds, but for `seconds`. */
export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly bytes: number;
  /** Broken connections, late responses and responses that are not 2xx. */
  readonly failures: number;
  readonly p50: number;
  readonly p99: number;
}

/** Times in milliseconds. */
export interface SteadyResult {
  readonly count: number;
  readonly failures: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export const here = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url));

/** @returns what a program, by default on the load's core, printed after RESULT */
export const runOnLoadCore = async (
  command: string,
  args: readonly string[],
  role: Role = 'load',
): Promise<unknown> => {
  const [program, line] = pinned(role, command, args);
  const child = spawn(program, line, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = await once(child, 'close');
  const found = /^RESULT (.*)$/m.exec(output)?.[1];
  if (code !== 0 || !found) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}`);
  return JSON.parse(found);
};

/** Writes the requests of `load` to a file, from which they are sent in turn. */
export const writeRequests = (file: string, requests: readonly LoadRequest[]): void =>
  writeFileSync(file, `${requests.map(({ path, body }) => (body ? `${path}\t${body}` : path)).join('\n')}\n`);

/** After which a response is a failure. */
const LATE = '10s';

/**
 * As many requests as the server answers, by connections that each wait for their response (wrk).
 *
 * @param start where in the file to begin, so that runs do not repeat each other
 */
export const load = async (
  origin: string,
  file: string,
  {
    connections,
    seconds,
    start = 0,
    role,
  }: { readonly connections: number; readonly seconds: number; readonly start?: number; readonly role?: Role },
): Promise<LoadResult> => {
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', LATE, '-s', here('tools/wrk.lua'), origin];
  const result = (await runOnLoadCore('wrk', [...args, '--', file, String(start)], role)) as LoadResult;
  if (result.failures > 0 || result.requests === 0)
    throw new Error(`${origin}: ${result.failures} failures in ${result.requests} requests`);
  return result;
};

/** Writes the requests of `steady` to a file. */
export const writeSteady = (file: string, requests: readonly LoadRequest[]): void =>
  writeFileSync(file, `${requests.map((each) => JSON.stringify(each)).join('\n')}\n`);

/** Requests at a steady rate beside something else. */
export const steady = async (origin: string, file: string, rate: number, seconds: number): Promise<SteadyResult> => {
  const args = [here('tools/steady.js'), origin, file, String(rate), String(seconds)];
  const result = (await runOnLoadCore(process.execPath, args)) as SteadyResult;
  if (result.failures > 0) throw new Error(`${origin}: ${result.failures} of ${result.count} responses were wrong`);
  return result;
};
