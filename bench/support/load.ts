import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { here, pinned, type Role } from './machine.ts';

export interface LoadRequest {
  readonly path: string;
  /** Makes it a POST under `load`, a PUT under `steady`. */
  readonly body?: string;
  /** Under `steady`: the body that must come back. */
  readonly expected?: string;
}

interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** Broken connections, late responses and responses that are not 2xx. */
  readonly failures: number;
}

interface Setting {
  readonly connections: number;
  readonly seconds: number;
  /** Where in the file to begin, so that runs do not repeat each other. */
  readonly start: number;
  readonly role: Role;
}

/** Writes the requests of `load` to a file. */
export const writeRequests = (file: string, requests: readonly LoadRequest[]): void =>
  writeFileSync(file, requests.map(({ path, body = '' }) => `${path}\t${body}\n`).join(''));

/** As many requests as the server answers, by connections that each wait for their response (wrk). */
export const load = async (
  origin: string,
  file: string,
  { connections, seconds, start, role }: Setting,
): Promise<LoadResult> => {
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', here('tools/wrk.lua'), origin];
  const child = spawn(...(pinned(role, 'wrk', [...args, '--', file, String(start)]) as [string, string[]]));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await once(child, 'close');
  const result: LoadResult = JSON.parse(/^RESULT (.*)$/m.exec(output)?.[1] ?? '{}');
  if (result.failures !== 0 || result.requests === 0) throw new Error(`${origin}: ${output}`);
  return result;
};

const percentile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? Number.NaN;

/** Milliseconds; less than any server keeps an idle connection, which would else end under the next request. */
const IDLE = 1_000;
const agent = new Agent({ keepAlive: true, timeout: IDLE });

/** @returns milliseconds that it took */
export const send = async (origin: string, { path, body, expected }: LoadRequest): Promise<number> => {
  const sent = performance.now();
  const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const outgoing = request(origin + path, { agent, method: body === undefined ? 'GET' : 'PUT', headers }).end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const text = Buffer.concat(await response.toArray()).toString();
  const isRight = response.statusCode === 200 && (expected === undefined || text === expected);
  if (!isRight) throw new Error(`${origin}${path}: ${response.statusCode} ${text}`);
  return performance.now() - sent;
};

/**
 * Requests at a steady rate, whatever becomes of the responses, so that no delay hides the next one.
 *
 * @returns how many they were, and their 99th percentile in milliseconds
 */
export const steady = async (origin: string, requests: readonly LoadRequest[], rate: number, seconds: number) => {
  const each = (at: number) => send(origin, requests[at % requests.length] as LoadRequest);
  // The first connections are not what is measured.
  for (let at = 0; at < 20; at++) await each(at);
  const started = performance.now();
  const open: Promise<number>[] = [];
  for (let sent = 0; sent < rate * seconds; sent++) {
    const due = started + (sent * 1_000) / rate;
    while (performance.now() < due) await setTimeout(Math.max(0, due - performance.now()));
    open.push(each(sent));
  }
  return { count: open.length, p99: percentile(await Promise.all(open), 0.99) };
};

/** One request after the other while something lasts, whatever the status. @returns the 99th percentile in milliseconds */
export const askingWhile = async (address: string, work: Promise<unknown>): Promise<number> => {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  while (!isOver) {
    const sent = performance.now();
    await (await fetch(address)).arrayBuffer();
    times.push(performance.now() - sent);
    await setTimeout(10);
  }
  await over;
  return percentile(times, 0.99);
};
