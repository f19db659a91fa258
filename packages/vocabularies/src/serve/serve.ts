/** The process before an API: its servers, its log, its counters and its end. */
import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import { type AddressInfo, BlockList, connect, isIPv6 } from 'node:net';
import { type Options, Translator } from '../translator.ts';
import { Handover, LARGEST_HEAD, type Limits, type Outcome } from './forwarder.ts';
import { StartError } from './load.ts';

export interface ServeOptions extends Limits {
  readonly translation: Options;
  readonly api: URL;
  readonly port: number;
  readonly host: string;
  readonly metricsPort: number | undefined;
  /** Addresses and networks of proxies. */
  readonly trusted: readonly string[];
}

/** Milliseconds until requests that still run are ended. */
const GRACE = 8_000;
const READY_TIMEOUT = 2_000;

let lines = '';

/** Writes a line; those of one turn together. */
function log(level: 'info' | 'warn' | 'error', fields: Readonly<Record<string, unknown>>): void {
  if (lines === '') {
    setImmediate(() => {
      process.stdout.write(lines);
      lines = '';
    });
  }
  lines += `${JSON.stringify({ time: new Date().toISOString(), level, ...fields })}\n`;
}

/** Requests and their seconds by labels, in the text that Prometheus reads. */
class Counters {
  readonly #requests = new Map<string, { count: number; seconds: number }>();
  running = 0;

  add(labels: Readonly<Record<string, string>>, seconds: number): void {
    const key = Object.entries(labels)
      .map(([name, label]) => `${name}=${JSON.stringify(label)}`)
      .join();
    const counted = this.#requests.get(key) ?? { count: 0, seconds: 0 };
    counted.count++;
    counted.seconds += seconds;
    this.#requests.set(key, counted);
  }

  write(): string {
    const write = (type: string, name: string, values: Iterable<readonly [labels: string, value: number]>): string =>
      `# TYPE ${name} ${type}\n${Array.from(values, ([labels, value]) => `${name}${labels} ${value}\n`).join('')}`;
    const requests = [...this.#requests].map(([labels, counted]) => ({ labels: `{${labels}}`, ...counted }));
    return [
      write(
        'counter',
        'vocabularies_requests_total',
        requests.map(({ labels, count }) => [labels, count]),
      ),
      write(
        'counter',
        'vocabularies_request_seconds_total',
        requests.map(({ labels, seconds }) => [labels, seconds]),
      ),
      write('gauge', 'vocabularies_requests_running', [['', this.running]]),
      write('gauge', 'process_resident_memory_bytes', [['', process.memoryUsage.rss()]]),
    ].join('');
  }
}

function readTrusted(addresses: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of addresses) {
    const [address = '', prefix] = text.trim().split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    try {
      if (prefix === undefined) list.addAddress(address, family);
      else list.addSubnet(address, Number(prefix), family);
    } catch {
      throw new StartError(`--trust: "${text}" is neither an address nor a network`);
    }
  }
  return list;
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

function logRequest(counters: Counters, method: string, status: number, outcome: Outcome, milliseconds: number): void {
  const { id, template, vocabulary, problem, reason } = outcome;
  counters.add({ method, path: template, vocabulary, status: String(status) }, milliseconds / 1000);
  const isFailure = problem !== undefined && !['client-gone', 'bad-request', 'too-large'].includes(problem);
  const level = isFailure ? 'error' : status >= 500 ? 'warn' : 'info';
  log(level, {
    method,
    path: template,
    vocabulary,
    status,
    ms: Math.round(milliseconds * 10) / 10,
    id,
    problem,
    reason,
  });
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
  const { Agent } = api.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: 64 });
  const proxy = { ...options, translator, agent, trusted: readTrusted(options.trusted) };
  const counters = new Counters();
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
    counters.running++;
    if (isStopping) outgoing.shouldKeepAlive = false;
    const outcome = await new Handover(proxy, incoming, outgoing).run();
    counters.running--;
    logRequest(counters, method, outgoing.statusCode, outcome, performance.now() - start);
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
  const metrics = http.createServer((incoming, outgoing) => {
    const { url = '' } = incoming;
    if (url === '/livez' || url === '/readyz') return void answerProbe(url, outgoing);
    outgoing.writeHead(url === '/metrics' ? 200 : 404, { 'Content-Type': 'text/plain; version=0.0.4' });
    outgoing.end(url === '/metrics' ? counters.write() : '');
  });

  if (options.metricsPort !== undefined) {
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
