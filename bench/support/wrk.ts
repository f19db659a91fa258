/** Load by wrk, for servers on the same cores: our own load would take as much of them as a server does. */
import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Sent } from './load.ts';
import { folder } from './machine.ts';

const run = promisify(execFile);

/** So many are written down; they are sent in turn. */
const REQUESTS = 100_000;

/** Its arguments: a file of requests, with a byte 1 between them; at which to begin. */
const SCRIPT = `
local texts, at = {}, 0
function init(args)
  for text in io.open(args[1]):read('*a'):gmatch('[^\\1]+') do texts[#texts + 1] = text end
  at = tonumber(args[2])
end
function request()
  at = at % #texts + 1
  return texts[at]
end`;

/** @returns what sends requests for a second */
export const wrkLoad = (origin: string, connections: number, textAt: (at: number) => string): (() => Promise<Sent>) => {
  const own = mkdtempSync(join(folder, 'wrk-'));
  const [script, file] = [join(own, 'requests.lua'), join(own, 'requests.txt')];
  writeFileSync(script, SCRIPT);
  writeFileSync(file, Array.from({ length: REQUESTS }, (_, at) => textAt(at)).join('\x01'));
  let at = 0;
  return async () => {
    const options = ['-t1', `-c${connections}`, '-d1s', '-s', script, origin, '--', file, String(at)];
    const { stdout } = await run('wrk', options);
    const sent = Number(/(\d+) requests in/.exec(stdout)?.[1]);
    if (!(sent > 0) || /Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout);
    at += sent;
    return { sent, seconds: sent / Number(/Requests\/sec: +([\d.]+)/.exec(stdout)?.[1]) };
  };
};
