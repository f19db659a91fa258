import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Registry } from 'prom-client';
import type { Log } from '../log/log.ts';
import type { Config } from '../settings/config.ts';
import { listen } from './listen.ts';

const PATH = '/metrics';
const READING = ['GET', 'HEAD'];
/** Milliseconds in which a request must arrive: only Prometheus and operators come here. */
const TIMEOUT = 5_000;
const MOST_CONNECTIONS = 32;

const end = (response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void => {
  const type = {
    'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  };
  response.writeHead(status, { ...type, ...headers }).end(text);
};

/**
 * Makes a server that responds with the metrics. It is a server of its own, because metrics need no key and are not for clients.
 *
 * @param read called once for all requests that wait
 * @param onFault called with each error of `read`
 * @returns the server, which does not listen yet
 */
export const metricsServer = (read: () => Promise<string>, onFault: (error: unknown) => void): Server => {
  let reading: Promise<string> | undefined;
  const respond = async ({ url = '', method = '' }: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (url.split('?', 1)[0] !== PATH) return end(response, 404, `The metrics are at ${PATH}.\n`);
    if (!READING.includes(method)) return end(response, 405, '', { Allow: READING.join(', ') });
    try {
      reading ??= read().finally(() => {
        reading = undefined;
      });
      end(response, 200, await reading);
    } catch (error) {
      onFault(error);
      end(response, 500, '');
    }
  };
  const server = createServer({ headersTimeout: TIMEOUT, requestTimeout: TIMEOUT }, (request, response) => {
    void respond(request, response);
  });
  server.maxConnections = MOST_CONNECTIONS;
  return server;
};

/**
 * Serves metrics until the process ends.
 *
 * @throws FaultsError
 */
export const serveMetrics = async (
  read: () => Promise<string>,
  { METRICS_HOST: host, METRICS_PORT: port = 0 }: Pick<Config, 'METRICS_HOST' | 'METRICS_PORT'>,
  log: Pick<Log, 'info' | 'error'>,
): Promise<void> => {
  const server = metricsServer(read, (error) => log.error('the metrics cannot be collected', error));
  log.info(`metrics ${await listen(server, { host, port, prefix: 'METRICS_' })}/metrics`);
};
