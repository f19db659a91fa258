/** The process before an API: its servers, its log, its counters and its end. */
import { once } from 'node:events';
import * as http from 'node:http';
import { type AddressInfo, connect, isIPv6 } from 'node:net';
import { Counter, collectDefaultMetrics, Gauge, register } from 'prom-client';
import { type Options, Translator } from '../translator.ts';
import { createAgent, Handover, LARGEST_HEAD, type Outcome, type ProxyOptions } from './forwarder.ts';
import { StartError } from './load.ts';

export interface ServeOptions extends Omit<ProxyOptions, 'translator' | 'agent'> {
  readonly translation: Options;
  readonly connections: number;
  readonly port: number;
  readonly host: string;
  readonly metricsPort: number | undefined;
}

/** Milliseconds until requests that still run are ended. */
const GRACE = 8_000;
const READY_TIMEOUT = 2_000;

const labelNames = ['method', 'path', 'vocabulary', 'status'];
const requests = new Counter({ name: 'vocabularies_requests_total', help: 'Requests answered', labelNames });
const seconds = new Counter({ name: 'vocabularies_request_seconds_total', help: 'Seconds that they took', labelNames });
const running = new Gauge({ name: 'vocabularies_requests_running', help: 'Requests that are not answered yet' });

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
async function isReachable({ protocol, hostname, port }: URL): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(port || (protocol === 'https:' ? 443 : 80)), timeout: READY_TIMEOUT });
  socket.on('timeout', () => socket.destroy(new Error('timeout')));
  const isConnected = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isConnected;
}

function logRequest(method: string, status: number, outcome: Outcome, milliseconds: number): void {
  const { id, template, vocabulary, problem, reason } = outcome;
  const labels = { method, path: template, vocabulary, status };
  requests.inc(labels);
  seconds.inc(labels, milliseconds / 1000);
  const isFailure = problem !== undefined && !['client-gone', 'bad-request', 'too-large'].includes(problem);
  const level = isFailure ? 'error' : status >= 500 ? 'warn' : 'info';
  const ms = Math.round(milliseconds * 10) / 10;
  log(level, { method, path: template, vocabulary, status, ms, id, problem, reason });
}

async function listen(server: http.Server, port: number, host: string): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening').catch((error: Error) => {
    throw new StartError(error.message);
  });
  const bound = server.address() as AddressInfo;
  return `http://${isIPv6(bound.address) ? `[${bound.address}]` : bound.address}:${bound.port}`;
}

/** Serves until the process is told to stop. */
export async function serve(options: ServeOptions): Promise<void> {
  const { api, host, timeout, longest, connections } = options;
  const translator = new Translator({ ...options.translation, onNotice: (message) => log('warn', { message }) });
  const agent = createAgent(api, connections);
  const proxy = { ...options, translator, agent };
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
    running.inc();
    if (isStopping) outgoing.shouldKeepAlive = false;
    const outcome = await new Handover(proxy, incoming, outgoing).run();
    running.dec();
    logRequest(method, outgoing.statusCode, outcome, performance.now() - start);
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

  if (options.metricsPort !== undefined) {
    collectDefaultMetrics();
    log('info', { message: 'metrics', url: `${await listen(metrics, options.metricsPort, host)}/metrics` });
  }
  log('info', { message: 'listening', url: await listen(server, options.port, host) });

  function stop(): void {
    if (isStopping) process.exit(1);
    isStopping = true;
    log('info', { message: 'stopping' });
    setTimeout(() => server.closeAllConnections(), GRACE).unref();
    server.close();
  }
  process.on('SIGTERM', stop).on('SIGINT', stop);
  await once(server, 'close');
  agent.destroy();
  metrics.closeAllConnections();
  metrics.close();
  process.off('SIGTERM', stop).off('SIGINT', stop);
}
