/** Load of a second or more that takes little of the cores which it shares with the servers: wrk. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadRequest } from './load.ts';
import { here, pinned } from './machine.ts';

interface Setting {
  readonly connections: number;
  readonly seconds: number;
  /** Where among the requests to begin, so that runs do not repeat each other. */
  readonly start: number;
}

interface Result {
  readonly requests: number;
  readonly seconds: number;
  /** Broken connections, late responses and responses that are not 2xx. */
  readonly failures: number;
}

/** @returns a load of these requests, written to a file of the folder */
export const loadOf = (folder: string, name: string, requests: readonly LoadRequest[]) => {
  if (spawnSync('wrk', ['-v']).error) throw new Error('this part needs wrk (Debian: apt-get install wrk)');
  const file = join(folder, `${name}.txt`);
  writeFileSync(file, requests.map(({ path, body = '' }) => `${path}\t${body}\n`).join(''));
  return async (origin: string, { connections, seconds, start }: Setting): Promise<Result> => {
    const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', here('tools/wrk.lua'), origin];
    const child = spawn(...(pinned('any', 'wrk', [...args, '--', file, String(start)]) as [string, string[]]));
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    await once(child, 'close');
    const result: Result = JSON.parse(/^RESULT (.*)$/m.exec(output)?.[1] ?? '{}');
    if (result.failures !== 0 || result.requests === 0) throw new Error(`${origin}: ${output}`);
    return result;
  };
};
