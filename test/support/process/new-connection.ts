import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Serving } from './service.ts';

export interface Fresh {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request on a connection of its own. */
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
