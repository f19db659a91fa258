/** Load by wrk, for servers on the same cores: our own load would take as much of them as a server does. */
import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { LoadRequest, Sent } from './load.ts';

/** Its arguments: the method; a file with two lines for each request, the path and the body; at which request to begin. */
const SCRIPT = `
local texts, at = {}, 0
function init(args)
  local lines = io.lines(args[2])
  local headers = { Host = "127.0.0.1", ["Content-Type"] = "application/json" }
  for path in lines do texts[#texts + 1] = wrk.format(args[1], path, headers, lines()) end
  at = tonumber(args[3])
end
function request()
  at = at % #texts + 1
  return texts[at]
end`;

const run = promisify(execFile);

interface Load {
  readonly origin: string;
  readonly connections: number;
  readonly method: string;
  readonly requests: readonly LoadRequest[];
  /** For its files. */
  readonly folder: string;
}

/** @returns what sends requests in turn, as many as it is told or some more: those of whole seconds */
export const wrkLoad = ({
  origin,
  connections,
  method,
  requests,
  folder,
}: Load): ((count: number) => Promise<Sent>) => {
  const own = mkdtempSync(join(folder, 'wrk-'));
  const [script, file] = [join(own, 'requests.lua'), join(own, 'requests.txt')];
  writeFileSync(script, SCRIPT);
  writeFileSync(file, requests.map(({ path, body = '' }) => `${path}\n${body}\n`).join(''));
  let at = 0;
  return async (count) => {
    const first = at;
    let seconds = 0;
    while (at < first + count) {
      const options = ['-t1', `-c${connections}`, '-d1s', '-s', script, origin, '--', method, file, String(at)];
      const { stdout } = await run('wrk', options);
      const sent = Number(/(\d+) requests in/.exec(stdout)?.[1]);
      if (!(sent > 0) || /Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout);
      seconds += sent / Number(/Requests\/sec: +([\d.]+)/.exec(stdout)?.[1]);
      at += sent;
    }
    return { sent: at - first, seconds };
  };
};
