import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { hasWrk, pinned } from './machine.ts';

export interface LoadRequest {
  readonly path: string;
  /** Makes it a POST. */
  readonly body?: string;
}

/** Times in milliseconds, but for `seconds`. */
export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly bytes: number;
  /** Broken connections, late answers and answers that are not 2xx. */
  readonly failures: number;
  readonly p50: number;
  readonly p99: number;
}

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Writes the requests of a load to a file, from which they are sent in turn. */
export const writeRequests = (file: string, requests: readonly LoadRequest[]): void =>
  writeFileSync(file, `${requests.map(({ path, body }) => (body ? `${path}\t${body}` : path)).join('\n')}\n`);

/** @returns what a program on the load's core printed after RESULT */
export const runOnLoadCore = async (command: string, args: readonly string[]): Promise<unknown> => {
  const [program, line] = pinned('load', command, args);
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

/** After which an answer is a failure; autocannon's own limit too. */
const LATE = '10s';

const commandLine = (
  origin: string,
  file: string,
  connections: number,
  seconds: number,
): readonly [string, string[]] =>
  hasWrk
    ? [
        'wrk',
        ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', LATE, '-s', here('wrk.lua'), origin, '--', file],
      ]
    : [process.execPath, [here('load-autocannon.js'), origin, file, String(connections), String(seconds)]];

/** As many requests as the server answers, by a number of connections that each wait for their answer. */
export const load = async (origin: string, file: string, connections: number, seconds: number): Promise<LoadResult> => {
  const [command, args] = commandLine(origin, file, connections, seconds);
  return (await runOnLoadCore(command, args)) as LoadResult;
};
