/** The server of the metrics. It is a server of its own, because metrics need no key and are not for clients. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Registry } from 'prom-client';
import { isAllowedHost } from '../access/browsers.ts';

const PATH = '/metrics';
const METHODS = ['GET', 'HEAD'];
/** Milliseconds in which a request must arrive: only Prometheus and operators come here. */
const TIMEOUT = 5_000;
const MOST_CONNECTIONS = 32;

function end(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  const common = {
    'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  };
  response.writeHead(status, { ...common, ...headers }).end(text);
}

/** @param allowedHosts names by which it may be reached beside those of the local machine; `*` is any */
export function createMetricsServer(
  read: () => Promise<string>,
  onFault: (error: unknown) => void,
  allowedHosts: readonly string[],
): Server {
  const respond = async ({ url = '', method = '', headers }: IncomingMessage, response: ServerResponse) => {
    if (!isAllowedHost(headers.host ?? '', allowedHosts))
      return end(response, 403, 'ALLOWED_HOSTS has not this name.\n');
    if (url.split('?', 1)[0] !== PATH) return end(response, 404, `The metrics are at ${PATH}.\n`);
    if (!METHODS.includes(method)) return end(response, 405, '', { Allow: METHODS.join(', ') });
    try {
      end(response, 200, await read());
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
}
