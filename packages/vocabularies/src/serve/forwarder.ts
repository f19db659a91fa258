/** Hands one request over to the API, and its answer back. */
import { isUtf8 } from 'node:buffer';
import * as http from 'node:http';
import * as https from 'node:https';
import { isIPv6, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { CanonicalInit } from '../canonical-request.ts';
import type { Exchange } from '../exchange.ts';
import { type HeaderList, preferredTag } from '../headers.ts';
import { findRoute, readSegments } from '../paths.ts';
import { createProblem, type ProblemCode } from '../problems.ts';
import { Words } from '../table.ts';
import type { Translator } from '../translator.ts';
import { passHeaders, readRequestId, readTarget, writeRequestHeaders } from './headers.ts';
import type { ServeOptions } from './options.ts';

interface ProxyOptions extends Omit<ServeOptions, 'api'> {
  readonly translator: Translator;
  readonly api: Api;
}

/** Bytes of all headers of a message. */
export const LARGEST_HEAD = 16_384;
/** Bytes of an answer that is read whole, which is faster than in parts, or unpacked before its status is sent. */
const SHORT = 65_536;
/** Milliseconds for which a connection is kept: many servers end theirs after five seconds, which could cross with a request. */
const IDLE = 4_000;
/** Methods that change nothing, so that they can be asked again (RFC 9110, 9.2.1). */
const SAFE = /^(GET|HEAD|OPTIONS|TRACE|QUERY)$/;

/** A request that cannot be handed over, or an API that does not answer. */
class ForwardError extends Error {
  readonly code: ProblemCode | 'client-gone';
  constructor(code: ForwardError['code'], cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

/** A body that is still arriving. */
type Parts = AsyncIterable<Uint8Array>;
/** The body of a request to the API. */
type Sent = Exclude<CanonicalInit['body'], null> | Parts | undefined;

/** By these names the core knows a request that has no copy, and an answer whose text is there. */
const UNWRAP = Symbol('getRequestCache');
const CACHE = Symbol('cache');

/** A `Response` whose text is there, before and after it is translated. */
class LightAnswer {
  readonly status: number;
  readonly body: string | Buffer | Parts | null;
  readonly headers: Iterable<HeaderList[number]>;

  constructor(body: LightAnswer['body'], { status, headers }: Pick<LightAnswer, 'status' | 'headers'>) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }

  get [CACHE](): readonly unknown[] {
    return [this.status, this.body, this.headers];
  }
}

/** Sockets on which a request may have been sent. */
const connected = new WeakSet<object>();

export type Api = ReturnType<typeof createApi>;

/** @returns what asks an API, over connections of which is known whether they were ever there */
export function createApi({ host, hostname, port, protocol }: URL, maxSockets: number) {
  const isSecure = protocol === 'https:';
  const { Agent, request } = isSecure ? https : http;
  const agent: http.Agent = new Agent({ keepAlive: true, maxSockets, timeout: IDLE });
  // All of them lead to one place, whose name would be written anew for each request.
  agent.getName = () => 'api';
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const socket = connect(options, callback) as Socket;
    return socket.once(isSecure ? 'secureConnect' : 'connect', () => connected.add(socket));
  };
  const address = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (isSecure ? 443 : 80) };
  return { host, address, agent, request };
}

/** Sends a request. @returns its answer, whose body may still be arriving */
function readAnswer(request: http.ClientRequest, body: Sent): Promise<http.IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  request.on('response', resolve).on('error', reject);
  request.on('upgrade', (_, socket) => {
    socket.destroy();
    reject(new Error('the API has changed the protocol'));
  });
  // The bytes of all headers are limited; a number would drop some in silence.
  request.maxHeadersCount = 0;
  if (body === undefined || typeof body === 'string' || ArrayBuffer.isView(body)) request.end(body);
  else pipeline(body, request).catch(reject);
  return promise;
}

function readWhole(answer: http.IncomingMessage): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const parts: Buffer[] = [];
  answer.on('data', (part) => parts.push(part)).on('error', reject);
  answer.on('end', () => resolve(Buffer.concat(parts)));
  return promise;
}

/** Waits for some bytes of a body, so that what is broken there is told by a status. @returns all of it */
async function readStart(parts: AsyncGenerator<Uint8Array>, most: number): Promise<Parts> {
  const start: Uint8Array[] = [];
  for (let bytes = 0; bytes < most; bytes += start.at(-1)?.length ?? 0) {
    const { done, value } = await parts.next();
    if (done) break;
    start.push(value);
  }
  return (async function* () {
    yield* start;
    yield* parts;
  })();
}

export type Outcome = Awaited<ReturnType<Handover['run']>>;

/** One request of a client, until it is answered; a `Request` as far as the translator asks for one, which a copy would cost. */
export class Handover {
  readonly [UNWRAP] = undefined;
  readonly headers = this;
  readonly method: string;
  readonly url: string;
  readonly #options: ProxyOptions;
  readonly #incoming: http.IncomingMessage;
  readonly #outgoing: http.ServerResponse;
  readonly #id: string;
  readonly #target: string | undefined;
  #exchange: Exchange | undefined;
  #request: http.ClientRequest | undefined;
  /** Ends it if no part of a body comes or goes. */
  readonly #silence: NodeJS.Timeout;
  /** When it ends although parts come and go. */
  readonly #deadline: number;
  /** What has ended it early. */
  #fault: ForwardError | undefined;

  constructor(options: ProxyOptions, incoming: http.IncomingMessage, outgoing: http.ServerResponse) {
    this.#options = options;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#silence = setTimeout(() => this.#abort('gateway-timeout'), Math.min(options.timeout, options.longest));
    this.#deadline = Date.now() + options.longest;
    this.#id = readRequestId(incoming);
    this.#target = readTarget(incoming);
    this.method = incoming.method ?? '';
    this.url = `http://${incoming.headers.host}${this.#target}`;
  }

  get(name: string): string | null {
    return this.#incoming.headers[name.toLowerCase()]?.toString() ?? null;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  get body(): ReadableStream<Uint8Array> | null {
    const parts = this.#readClient();
    return parts ? ReadableStream.from(parts) : null;
  }

  /** Answers it. @returns what the log says of it */
  async run() {
    const outgoing = this.#outgoing;
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) this.#abort('client-gone');
    });
    try {
      await this.#handOver();
    } catch (error) {
      this.#fault = this.#judge(this.#fault ?? error);
      this.#request?.destroy();
      const { code } = this.#fault;
      // As proxies log a client that has left before it was answered.
      if (code === 'client-gone' && !outgoing.headersSent) outgoing.statusCode = 499;
      if (outgoing.headersSent || code === 'client-gone') outgoing.destroy();
      else await this.#respond(this.#createProblem(code)).catch(() => outgoing.destroy());
    }
    clearTimeout(this.#silence);
    const [fault, exchange] = [this.#fault, this.#exchange];
    return {
      method: this.method,
      // The path as the document has it, so that no key of a client is in the log.
      path: (exchange ? exchange.template : this.#findTemplate()) ?? '*',
      vocabulary: exchange?.tag ?? '',
      status: outgoing.statusCode,
      id: this.#id,
      problem: fault?.code,
      // What went wrong, for whoever runs the process.
      reason: fault && String(fault.cause ?? fault),
    };
  }

  /** @returns the path of a request in the document's own names as the document has it */
  #findTemplate(): string | undefined {
    const [vocabulary] = this.#options.translator.vocabularies.values();
    const [path = ''] = (this.#target ?? '').split('?', 1);
    return vocabulary && findRoute(vocabulary.root, readSegments(path), 'out')?.route.template;
  }

  /** Ends what is under way with the API. */
  #abort(code: ForwardError['code']): void {
    this.#fault ??= new ForwardError(code);
    this.#request?.destroy(this.#fault);
  }

  /** @returns what a client is told of an error: after a write it must know whether it may have been done */
  #judge(error: unknown): ForwardError {
    const code = error instanceof ForwardError ? error.code : 'bad-gateway';
    if (!this.#request || !/^(gateway-timeout|bad-gateway)$/.test(code)) return new ForwardError(code, error);
    if (!this.#request.reusedSocket && !connected.has(this.#request.socket as object))
      return new ForwardError(code === 'gateway-timeout' ? code : 'api-unreachable', error);
    return new ForwardError(SAFE.test(this.method) ? code : 'outcome-unknown', error);
  }

  async #handOver(): Promise<void> {
    const target = this.#target;
    const { translator, largestBody } = this.#options;
    if (target === undefined) throw new ForwardError('bad-request');
    if (Number(this.get('content-length')) > largestBody) throw new ForwardError('too-large');
    const exchange = await translator.toCanonical(this as never);
    this.#exchange = exchange;
    if (exchange?.refusal) return this.#respond(exchange.refusal);
    const answered = this.#ask(target);
    const first = await (exchange?.refused ? Promise.race([answered, exchange.refused]) : answered);
    if (first instanceof http.IncomingMessage) return this.#answer(first);
    answered.catch(() => {});
    this.#request?.destroy();
    return this.#respond(first);
  }

  /** Asks the API. @returns its answer, whose body may still be arriving */
  async #ask(target: string): Promise<http.IncomingMessage> {
    const { api, trusted } = this.#options;
    const { method } = this;
    const { headers: own, socket } = this.#incoming;
    const { remoteAddress = '' } = socket;
    const isTrusted = trusted.rules.length > 0 && trusted.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4');
    const { init } = (this.#exchange?.request ?? {}) as { readonly init?: CanonicalInit };
    const body: Sent = init?.body ?? this.#readClient();
    const headers: HeaderList = [
      ['host', api.host],
      ...writeRequestHeaders(this.#incoming, isTrusted, init?.changes),
      ['X-Request-Id', this.#id],
    ];
    if (typeof body === 'string' || ArrayBuffer.isView(body))
      headers.push(['Content-Length', `${Buffer.byteLength(body)}`]);
    else if (body && body !== init?.body && own['content-length'])
      headers.push(['Content-Length', own['content-length']]);
    else if (body) headers.push(['Transfer-Encoding', 'chunked']);
    else if (/^(POST|PUT|PATCH)$/.test(method)) headers.push(['Content-Length', '0']);
    const path = init ? init.url.slice(init.url.indexOf('/', 8)) : target;
    const { agent, address, request } = api;
    const options = { ...address, agent, path, method, headers: headers.flat(), maxHeaderSize: LARGEST_HEAD };
    for (;;) {
      if (this.#fault) throw this.#fault;
      const sent = request(options);
      this.#request = sent;
      try {
        return await readAnswer(sent, body);
      } catch (error) {
        // A connection that was kept may have ended before the request arrived.
        const isStale = sent.reusedSocket && /^(ECONNRESET|EPIPE)$/.test(`${(error as { code?: string }).code}`);
        if (!isStale || body || !SAFE.test(method)) throw error;
      }
    }
  }

  /** Reads what a client sends, if it is anything; one whose body is not read to its end is still answered. */
  #readClient(): AsyncGenerator<Uint8Array> | undefined {
    const { headers } = this.#incoming;
    if (headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > 0)) return undefined;
    const parts = this.#incoming.iterator({ destroyOnReturn: false });
    return this.#limit(parts, this.#options.largestBody, 'too-large');
  }

  /** Reads a body in parts. @throws ForwardError if it is longer than it may be, or takes longer */
  async *#limit(body: Parts, largest: number, code: ProblemCode): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for await (const part of body) {
      bytes += part.length;
      if (bytes > largest) throw new ForwardError(code);
      if (Date.now() > this.#deadline) throw new ForwardError('gateway-timeout');
      this.#silence.refresh();
      yield part;
    }
  }

  /** Hands an answer of the API back. */
  async #answer(answer: http.IncomingMessage): Promise<void> {
    const { statusCode: status = 0, statusMessage, headers } = answer;
    this.#silence.refresh();
    const init = { status, headers: passHeaders(answer, (name) => status === 205 && name === 'content-length') };
    let body: Buffer | Parts | null = null;
    // What has no body may send one all the same with 205, which might not end.
    if (status === 205) answer.destroy();
    else if (this.method === 'HEAD' || status === 204 || status === 304) answer.resume();
    else body = Number(headers['content-length']) <= SHORT ? await readWhole(answer) : answer;
    if (!this.#exchange || status > 599) {
      if (this.#options.translator.select === 'header') init.headers.push(['Vary', 'Accept-Language']);
      return this.#respond(new LightAnswer(body, init), statusMessage);
    }
    const coding = headers['content-encoding'];
    const isText = coding === undefined && Buffer.isBuffer(body) && isUtf8(body);
    const response = isText ? new LightAnswer(String(body), init) : new Response(body as never, init);
    const written = await this.#exchange.toWords(response as Response);
    if (written.status !== status) {
      this.#fault = new ForwardError('bad-gateway', `the API has sent the coding ${coding}`);
      return this.#respond(written);
    }
    // Lines and events go out as they come.
    const isJson = /[/+]json\b/i.test(headers['content-type'] ?? '');
    return this.#respond(written, statusMessage, coding === undefined ? 0 : isJson ? SHORT : 1);
  }

  /** Answers the client. @param start bytes of a body that are unpacked before the status is sent */
  async #respond({ status, headers, body }: Omit<LightAnswer, typeof CACHE>, message = '', start = 0): Promise<void> {
    const outgoing = this.#outgoing;
    const isWhole = body === null || typeof body === 'string' || Buffer.isBuffer(body);
    const parts = isWhole ? undefined : this.#limit(body, this.#options.largestAnswer, 'bad-gateway');
    const read = parts && start > 0 ? await readStart(parts, start) : parts;
    const all = [...headers];
    const names = all.map(([name]) => name.toLowerCase());
    if (!names.includes('x-request-id')) all.push(['X-Request-Id', this.#id]);
    const length = typeof body === 'string' ? Buffer.byteLength(body) : status === 205 ? 0 : undefined;
    if (length !== undefined && !names.includes('content-length')) all.push(['Content-Length', `${length}`]);
    // What the client still sends is not read.
    if (!this.#incoming.complete) all.push(['Connection', 'close']);
    outgoing.statusMessage = message;
    outgoing.writeHead(status, all.flat());
    if (read) {
      outgoing.flushHeaders();
      await pipeline(read, outgoing);
    }
    // Written as text it goes out at once with the headers.
    else if (Buffer.isBuffer(body)) outgoing.end(body.toString('latin1'), 'latin1');
    else outgoing.end(body);
  }

  /** @returns a problem in the language of the request's vocabulary, or in that which its client prefers */
  #createProblem(code: ProblemCode): Response {
    const vocabulary = this.#options.translator.vocabularies.get(this.#exchange?.tag ?? '');
    const preferred = preferredTag(this.get('accept-language'), ['en', 'es']);
    return createProblem(vocabulary?.words ?? new Words(preferred ?? '', {}), code);
  }
}
