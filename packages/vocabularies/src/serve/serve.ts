/** The process before an API: its servers, its log, its counters and its end. */
import { once } from 'node:events';
import * as http from 'node:http';
import { type AddressInfo, BlockList, connect, isIP } from 'node:net';
import { Translator } from '../translator.ts';
import { Forwarder, type Limits, type Outcome } from './forwarder.ts';
import { StartError } from './load.ts';

export interface ServeOptions extends Limits {
  readonly document: unknown;
  readonly tables: Readonly<Record<string, unknown>>;
  readonly api: URL;
  readonly port: number;
  readonly host: string;
  readonly metricsPort: number | undefined;
  readonly select: 'path' | 'prefix' | 'host' | 'header';
  readonly language: string | undefined;
  readonly foreign: 'refuse' | 'pass';
  /** Addresses and networks of proxies. */
  readonly trusted: readonly string[];
}

/** Milliseconds until requests that still run are ended. */
const GRACE = 8_000;
const READY_TIMEOUT = 2_000;

type Level = 'info' | 'warn' | 'error';

let lines = '';

/** Writes a line; those of one turn together. */
function log(level: Level, fields: Readonly<Record<string, unknown>>): void {
  if (lines === '') setImmediate(flush);
  lines += `${JSON.stringify({ time: new Date().toISOString(), level, ...fields })}\n`;
}

function flush(): void {
  process.stdout.write(lines);
  lines = '';
}

interface Counted {
  readonly labels: readonly string[];
  count: number;
  seconds: number;
}

/** Requests and seconds by method, template, vocabulary and status, in the text that Prometheus reads. */
class Counters {
  readonly #requests = new Map<string, Counted>();
  running = 0;

  add(method: string, status: number, { template, vocabulary }: Outcome, seconds: number): void {
    const labels = [method, template, vocabulary, String(status)];
    const key = labels.join(' ');
    const counted = this.#requests.get(key) ?? { labels, count: 0, seconds: 0 };
    counted.count++;
    counted.seconds += seconds;
    this.#requests.set(key, counted);
  }

  write(): string {
    const write = (name: string, member: 'count' | 'seconds'): string => {
      const values = [...this.#requests.values()].map((counted) => {
        const [method, path, vocabulary, status] = counted.labels.map((label) => JSON.stringify(label));
        return `${name}{method=${method},path=${path},vocabulary=${vocabulary},status=${status}} ${counted[member]}\n`;
      });
      return `# TYPE ${name} counter\n${values.join('')}`;
    };
    return [
      write('vocabularies_requests_total', 'count'),
      write('vocabularies_request_seconds_total', 'seconds'),
      `# TYPE vocabularies_requests_running gauge\nvocabularies_requests_running ${this.running}\n`,
      `# TYPE process_resident_memory_bytes gauge\nprocess_resident_memory_bytes ${process.memoryUsage.rss()}\n`,
    ].join('');
  }
}

function readTrusted(addresses: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of addresses) {
    const [address = '', bits] = text.trim().split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const most = family === 'ipv6' ? 128 : 32;
    const prefix = Number(bits ?? most);
    if (isIP(address) === 0 || !(Number.isInteger(prefix) && prefix >= 0 && prefix <= most)) {
      throw new StartError(`--trust: "${text}" is neither an address nor a network`);
    }
    list.addSubnet(address, prefix, family);
  }
  return list;
}

/** @returns whether the API takes a connection */
async function isReachable(api: URL): Promise<boolean> {
  const port = Number(api.port || (api.protocol === 'https:' ? 443 : 80));
  const socket = connect({ host: api.hostname.replace(/^\[|\]$/g, ''), port, timeout: READY_TIMEOUT });
  socket.on('timeout', () => socket.destroy(new Error('timeout')));
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Serves until the process is told to stop. */
export async function serve(options: ServeOptions): Promise<void> {
  const { document, tables, api, select, language, foreign } = options;
  const onNotice = (notice: string) => log('warn', { message: notice });
  const shared = { document, tables, select, foreign, api: api.origin, onNotice };
  const translator = new Translator(language === undefined ? shared : { ...shared, language });
  const forwarder = new Forwarder({ ...options, translator, trusted: readTrusted(options.trusted) });
  const counters = new Counters();
  const probes = new Set(
    ['/livez', '/readyz'].filter((path) => !translator.document.paths.some((each) => each.template === path)),
  );
  let isStopping = false;

  async function answerProbe(path: string, outgoing: http.ServerResponse): Promise<void> {
    const isFine = path === '/livez' || (!isStopping && (await isReachable(api)));
    outgoing.writeHead(isFine ? 200 : 503, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' });
    outgoing.end(isFine ? 'ok\n' : 'not ready\n');
  }

  async function answer(incoming: http.IncomingMessage, outgoing: http.ServerResponse): Promise<void> {
    const { url = '', method = '' } = incoming;
    if (probes.has(url) && /^(GET|HEAD)$/.test(method)) return answerProbe(url, outgoing);
    const start = performance.now();
    counters.running++;
    if (isStopping) outgoing.setHeader('Connection', 'close');
    const outcome = await forwarder.handle(incoming, outgoing);
    counters.running--;
    const milliseconds = performance.now() - start;
    const { statusCode: status } = outgoing;
    const { id, template, vocabulary, problem, reason } = outcome;
    counters.add(method, status, outcome, milliseconds / 1000);
    const level = problem !== undefined && status >= 500 ? 'error' : status >= 500 ? 'warn' : 'info';
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

  const { timeout, longest, connections } = options;
  const server = http.createServer(
    {
      maxHeaderSize: 16_384,
      headersTimeout: Math.min(10_000, longest),
      requestTimeout: longest,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 5_000,
    },
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

  const servers = options.metricsPort === undefined ? [server] : [server, metrics];
  for (const [at, each] of servers.entries()) {
    each.listen(at === 0 ? options.port : options.metricsPort, options.host);
    await once(each, 'listening').catch((error: Error) => {
      for (const other of servers) other.close();
      throw new StartError(error.message);
    });
    const { port, address, family } = each.address() as AddressInfo;
    const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
    log('info', { message: at === 0 ? 'listening' : 'metrics', url: at === 0 ? url : `${url}/metrics` });
  }

  function stop(): void {
    if (isStopping) process.exit(1);
    isStopping = true;
    log('info', { message: 'stopping' });
    setTimeout(() => {
      for (const each of servers) each.closeAllConnections();
    }, GRACE).unref();
    for (const each of servers) each.close();
  }
  process.on('SIGTERM', stop).on('SIGINT', stop);
  await once(server, 'close');
  forwarder.close();
  if (servers.includes(metrics)) metrics.closeAllConnections();
  process.off('SIGTERM', stop).off('SIGINT', stop);
}
