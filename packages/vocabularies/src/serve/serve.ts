/** The process before an API: its servers, its log, its counters and its end. */
import { once } from 'node:events';
import * as http from 'node:http';
import { type AddressInfo, connect, isIPv6 } from 'node:net';
import { collectDefaultMetrics, Histogram, register } from 'prom-client';
import { Translator } from '../translator.ts';
import { type Api, createApi, Handover, LARGEST_HEAD, type Outcome } from './forwarder.ts';
import type { ServeOptions } from './options.ts';

/** Milliseconds until requests that still run are ended. */
const GRACE = 8_000;
const READY_TIMEOUT = 2_000;

const durations = new Histogram({
  name: 'vocabularies_request_duration_seconds',
  help: 'Seconds from a request to the end of its answer',
  labelNames: ['method', 'path', 'vocabulary', 'status'],
  buckets: [0.01, 0.1, 1, 10],
});

let lines = '';
let time = '';

/** Writes a line; those of one turn together, with one time. */
function log(level: 'info' | 'warn' | 'error', fields: Readonly<Record<string, unknown>>): void {
  if (lines === '') {
    time = new Date().toISOString();
    setImmediate(() => {
      process.stdout.write(lines);
      lines = '';
    });
  }
  lines += `${JSON.stringify({ time, level, ...fields })}\n`;
}

/** @returns whether the API takes a connection */
async function isReachable({ address }: Api): Promise<boolean> {
  const socket = connect({ ...address, signal: AbortSignal.timeout(READY_TIMEOUT) });
  const isConnected = await once(socket, 'connect').then(Boolean, () => false);
  socket.destroy();
  return isConnected;
}

function logRequest(outcome: Outcome, milliseconds: number): void {
  const { method, path, vocabulary, status, problem } = outcome;
  durations.observe({ method, path, vocabulary, status }, milliseconds / 1000);
  const isFailure = problem !== undefined && !['client-gone', 'bad-request', 'too-large'].includes(problem);
  const level = isFailure ? 'error' : status >= 500 ? 'warn' : 'info';
  log(level, { ...outcome, ms: Math.round(milliseconds * 10) / 10 });
}

async function listen(server: http.Server, port: number, host: string): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening');
  const { address, port: bound } = server.address() as AddressInfo;
  return `http://${isIPv6(address) ? `[${address}]` : address}:${bound}`;
}

/** Serves until the process is told to stop. @returns its exit code */
export async function serve(options: ServeOptions): Promise<number> {
  const { host, port, metricsPort, timeout, longest, connections } = options;
  const translator = new Translator({ ...options.translation, onNotice: (message) => log('warn', { message }) });
  const api = createApi(options.api, connections);
  const proxy = { ...options, translator, api };
  const templates = translator.document.paths.map(({ template }) => template);
  const probes = ['/livez', '/readyz'].filter((path) => !templates.includes(path));
  let isStopping = false;

  async function answerProbe(path: string, outgoing: http.ServerResponse): Promise<void> {
    const isFine = path === '/livez' || (!isStopping && (await isReachable(api)));
    outgoing.writeHead(isFine ? 200 : 503, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' });
    outgoing.end(isFine ? 'ok\n' : 'not ready\n');
  }

  async function answer(incoming: http.IncomingMessage, outgoing: http.ServerResponse): Promise<void> {
    const { url = '', method = '' } = incoming;
    if (probes.includes(url) && /^(GET|HEAD)$/.test(method)) return answerProbe(url, outgoing);
    const start = performance.now();
    if (isStopping) outgoing.shouldKeepAlive = false;
    logRequest(await new Handover(proxy, incoming, outgoing).run(), performance.now() - start);
  }

  const limits = { headersTimeout: Math.min(10_000, longest), requestTimeout: longest, keepAliveTimeout: 5_000 };
  const server = http.createServer(
    { ...limits, maxHeaderSize: LARGEST_HEAD, connectionsCheckingInterval: 1_000 },
    (incoming, outgoing) => void answer(incoming, outgoing),
  );
  // The bytes of all headers are limited; a number would drop some in silence.
  server.maxHeadersCount = 0;
  server.maxConnections = connections;
  // The API's silence ends earlier, so that the client is told of it.
  server.timeout = timeout + 2_000;
  const metrics = http.createServer(async ({ url = '' }, outgoing) => {
    if (url === '/livez' || url === '/readyz') return answerProbe(url, outgoing);
    outgoing.writeHead(url === '/metrics' ? 200 : 404, { 'Content-Type': register.contentType });
    outgoing.end(url === '/metrics' ? await register.metrics() : '');
  });

  if (metricsPort !== undefined) {
    collectDefaultMetrics();
    log('info', { message: 'metrics', url: `${await listen(metrics, metricsPort, host)}/metrics` });
  }
  log('info', { message: 'listening', url: await listen(server, port, host) });

  function stop(): void {
    if (isStopping) process.exit(1);
    isStopping = true;
    log('info', { message: 'stopping' });
    setTimeout(() => server.closeAllConnections(), GRACE).unref();
    server.close();
  }
  process.on('SIGTERM', stop).on('SIGINT', stop);
  await once(server, 'close');
  api.agent.destroy();
  metrics.closeAllConnections();
  metrics.close();
  return 0;
}
