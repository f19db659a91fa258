import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Log } from '../log/log.ts';
import { type Collect, gauge, metricsText } from '../metrics/family.ts';
import type { ServiceMetrics } from '../metrics/metrics.ts';
import type { Config } from '../settings/config.ts';
import { lastCopyIn } from '../settings/copies.ts';
import { listen } from './listen.ts';

/** @returns what one process has measured, what is in its database, and when that was last copied */
export const allMetrics =
  ({ ofProcess, ofDatabase }: ServiceMetrics, copies?: string): Collect =>
  async () => {
    const families = (await Promise.all([ofProcess(), ofDatabase()])).flat();
    if (copies === undefined) return families;
    const [name, help] = ['catalogue_last_backup_timestamp_seconds', 'Time of the newest copy, 0 without one.'];
    return [...families, gauge(name, help, lastCopyIn(copies))];
  };

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
const PATH = '/metrics';
const READING = ['GET', 'HEAD'];
/** Milliseconds in which a request must arrive: only Prometheus and operators come here. */
const TIMEOUT = 5_000;
const MOST_CONNECTIONS = 32;

const end = (response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void => {
  const type = { 'Content-Type': METRICS_TYPE, 'Content-Length': Buffer.byteLength(text), 'Cache-Control': 'no-store' };
  response.writeHead(status, { ...type, ...headers }).end(text);
};

/**
 * Makes a server that responds with the metrics. It is a server of its own, because metrics need no key and are not for clients.
 *
 * @param collect called once for all requests that wait
 * @param onFault called with each error of `collect`
 * @returns the server, which does not listen yet
 */
export const metricsServer = (collect: Collect, onFault: (error: unknown) => void): Server => {
  let collecting: Promise<string> | undefined;
  const collectText = async (): Promise<string> => {
    try {
      return metricsText(await collect());
    } finally {
      collecting = undefined;
    }
  };
  const respond = async ({ url = '', method = '' }: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (url.split('?', 1)[0] !== PATH) return end(response, 404, `The metrics are at ${PATH}.\n`);
    if (!READING.includes(method)) return end(response, 405, '', { Allow: READING.join(', ') });
    try {
      collecting ??= collectText();
      end(response, 200, await collecting);
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
  collect: Collect,
  { METRICS_HOST: host, METRICS_PORT: port = 0 }: Pick<Config, 'METRICS_HOST' | 'METRICS_PORT'>,
  log: Pick<Log, 'info' | 'error'>,
): Promise<void> => {
  const server = metricsServer(collect, (error) => log.error('the metrics cannot be collected', error));
  log.info(`metrics ${await listen(server, { host, port, prefix: 'METRICS_' })}/metrics`);
};
