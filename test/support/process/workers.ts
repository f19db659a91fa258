import { readFileSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Serving } from './service.ts';

export interface Fresh {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request on a connection of its own, which any worker may accept. */
export const onNewConnection = async (
  { origin }: Pick<Serving, 'origin'>,
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Fresh> => {
  const { promise, resolve, reject } = Promise.withResolvers<Fresh>();
  const agent = new Agent({ keepAlive: false });
  const sent = request(origin + path, { method, agent, headers: { 'content-type': 'application/json', ...headers } });
  sent.on('error', reject);
  sent.on('response', (response) => {
    text(response).then(
      (read) => resolve({ status: response.statusCode ?? 0, headers: response.headers, text: read }),
      reject,
    );
  });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  return promise;
};

const uniqueIn = (output: string, pattern: RegExp): readonly number[] => [
  ...new Set([...output.matchAll(pattern)].map(([, pid]) => Number(pid))),
];

/** @returns the processes that have logged a request; they do so within 50 ms, where `LOG_LEVEL` is `debug` */
export const whoServed = ({ output }: Pick<Serving, 'output'>): readonly number[] =>
  uniqueIn(output(), / debug \[(\d+)\] [A-Z]{3,7} \//g);

/** @returns the workers of a service (Linux) */
export const childrenOf = ({ child: { pid } }: Pick<Serving, 'child'>): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
