/** Hands one request over to the API, and its answer back. */
import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import * as http from 'node:http';
import { type BlockList, isIPv6 } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { CanonicalInit } from '../canonical-request.ts';
import type { Exchange } from '../exchange.ts';
import { preferredTag } from '../headers.ts';
import { findRoute, readSegments } from '../paths.ts';
import type { Translator } from '../translator.ts';
import { readRequestId, readTarget, removeHopByHop, writeRequestHeaders } from './headers.ts';
import { PROBLEMS, type ProxyProblem } from './texts.ts';

export interface Limits {
  /** Milliseconds of silence. */
  readonly timeout: number;
  /** Milliseconds of a request and its answer. */
  readonly longest: number;
  readonly largestBody: number;
  readonly largestAnswer: number;
  readonly connections: number;
}

export interface ProxyOptions extends Limits {
  readonly translator: Translator;
  readonly api: URL;
  readonly agent: http.Agent;
  readonly trusted: BlockList;
}

/** What the log says of a request. */
export interface Outcome {
  readonly id: string;
  /** The path as the document has it, so that no key of a client is in the log; `*` for others. */
  readonly template: string;
  readonly vocabulary: string;
  readonly problem: ProxyProblem | 'client-gone' | undefined;
  /** What went wrong, for whoever runs the process. */
  readonly reason: string | undefined;
}

/** Methods that change nothing, so that they can be asked again (RFC 9110, 9.2.1). */
const SAFE = /^(GET|HEAD|OPTIONS|TRACE|QUERY)$/;
/** Bytes of an answer that is read whole, which is faster than in parts. */
const SHORT = 65_536;
const NOTHING = Buffer.alloc(0);
/** Bytes of all headers of a message. */
export const LARGEST_HEAD = 16_384;

/** A request that cannot be handed over, or an API that does not answer. */
class ForwardError extends Error {
  readonly code: ProxyProblem | 'client-gone';
  constructor(code: ForwardError['code'], cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

/** A request that ended without an answer; made once, because most requests are closed after theirs. */
const CLOSED = new ForwardError('bad-gateway', 'the connection was closed');

/** A `Request` as far as the translator asks for one; by its symbol the core knows that it has no copy. */
class LightRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Pick<Headers, 'get' | 'has'>;
  readonly #incoming: http.IncomingMessage;
  readonly #largest: number;

  constructor(incoming: http.IncomingMessage, url: string, largest: number) {
    this.#incoming = incoming;
    this.#largest = largest;
    this.method = incoming.method ?? 'GET';
    this.url = url;
    const get = (name: string): string | null => incoming.headers[name.toLowerCase()]?.toString() ?? null;
    this.headers = { get, has: (name) => get(name) !== null };
  }

  get body(): ReadableStream<Uint8Array> | null {
    return hasBody(this.#incoming) ? ReadableStream.from(limitBytes(this.#incoming, this.#largest, 'too-large')) : null;
  }

  [Symbol('getRequestCache')](): never {
    throw new TypeError('a request of a client has no copy');
  }
}

/** By this name the core knows an answer whose text is there. */
const CACHE = Symbol('cache');

/** A `Response` whose text is there, before and after it is translated. */
class LightAnswer {
  readonly status: number;
  readonly body: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly [CACHE]: readonly [number, string | null, Readonly<Record<string, string>>];

  constructor(body: string | null, { status, headers }: Pick<LightAnswer, 'status' | 'headers'>) {
    this.status = status;
    this.body = body;
    this.headers = headers;
    this[CACHE] = [status, body, headers];
  }
}

/** One request of a client, until it is answered. */
export class Handover {
  readonly #options: ProxyOptions;
  readonly #incoming: http.IncomingMessage;
  readonly #outgoing: http.ServerResponse;
  readonly #id: string;
  #exchange: Exchange | undefined;
  #request: http.ClientRequest | undefined;
  /** What has ended it early. */
  #fault: ForwardError | undefined;

  constructor(options: ProxyOptions, incoming: http.IncomingMessage, outgoing: http.ServerResponse) {
    this.#options = options;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#id = readRequestId(incoming);
  }

  async run(): Promise<Outcome> {
    const outgoing = this.#outgoing;
    const timer = setTimeout(() => this.#abort('gateway-timeout'), this.#options.longest);
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) this.#abort('client-gone');
    });
    const target = readTarget(this.#incoming);
    try {
      if (target === undefined) throw new ForwardError('bad-request');
      await this.#handOver(target);
    } catch (error) {
      this.#fault ??= error instanceof ForwardError ? error : new ForwardError('bad-gateway', error);
      this.#request?.destroy();
      // As proxies log a client that has left before it was answered.
      if (this.#fault.code === 'client-gone' && !outgoing.headersSent) outgoing.statusCode = 499;
      if (outgoing.headersSent || this.#fault.code === 'client-gone') outgoing.destroy();
      else this.#writeProblem(this.#fault.code);
    }
    clearTimeout(timer);
    const [fault, exchange] = [this.#fault, this.#exchange];
    return {
      id: this.#id,
      template: (exchange ? exchange.template : findTemplate(this.#options.translator, target ?? '')) ?? '*',
      vocabulary: exchange?.tag ?? '',
      problem: fault?.code,
      reason: fault && String(fault.cause ?? fault),
    };
  }

  /** What is handed over in place of what the client has sent. */
  get #init(): CanonicalInit | undefined {
    return (this.#exchange?.request as { readonly init?: CanonicalInit } | undefined)?.init;
  }

  /** Ends what is under way with the API. */
  #abort(code: ForwardError['code']): void {
    this.#fault ??= new ForwardError(code);
    this.#request?.destroy(this.#fault);
  }

  async #handOver(target: string): Promise<void> {
    const incoming = this.#incoming;
    const { translator, largestBody } = this.#options;
    if (Number(incoming.headers['content-length'] ?? 0) > largestBody) throw new ForwardError('too-large');
    const request = new LightRequest(incoming, `http://${incoming.headers.host}${target}`, largestBody);
    const exchange = await translator.toCanonical(request as never);
    this.#exchange = exchange;
    if (exchange?.refusal) return this.#write(exchange.refusal);
    const answered = this.#ask(target);
    const first = await (exchange?.refused ? Promise.race([answered, exchange.refused]) : answered);
    if (first instanceof http.IncomingMessage) return this.#answer(first);
    answered.catch(() => {});
    this.#request?.destroy();
    return this.#write(first);
  }

  /** Asks the API. @returns its answer, of which only the head is there */
  async #ask(target: string): Promise<http.IncomingMessage> {
    const { api, agent, trusted, timeout, largestBody } = this.#options;
    const incoming = this.#incoming;
    const {
      method = 'GET',
      socket: { remoteAddress = '' },
    } = incoming;
    const init = this.#init;
    const body = init?.body ?? (hasBody(incoming) ? limitBytes(incoming, largestBody, 'too-large') : undefined);
    const headers = writeRequestHeaders(incoming, {
      host: api.host,
      id: this.#id,
      isTrusted: trusted.rules.length > 0 && trusted.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4'),
      changes: init?.changes,
      length: measure(body, incoming, init !== undefined),
    });
    const { protocol, port } = api;
    const host = api.hostname.replace(/^\[|\]$/g, '');
    const path = init ? init.url.slice(init.url.indexOf('/', 8)) : target;
    const options = { protocol, host, port, path, method, headers, agent, timeout, maxHeaderSize: LARGEST_HEAD };
    for (let isAgain = false; ; isAgain = true) {
      if (this.#fault) throw this.#fault;
      const request = http.request(options as never);
      this.#request = request;
      // The bytes of all headers are limited; a number would drop some in silence.
      request.maxHeadersCount = 0;
      let isConnected = false;
      try {
        return await new Promise((resolve, reject) => {
          request.on('socket', (socket) => {
            isConnected = !socket.connecting;
            if (!isConnected) {
              socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => {
                isConnected = true;
              });
            }
          });
          request.on('response', (answer) => resolve(answer.on('error', () => {}))).on('error', reject);
          request.on('close', () => reject(CLOSED));
          request.on('timeout', () => request.destroy(new ForwardError('gateway-timeout')));
          // An answer that asks for another protocol is none.
          request.on('upgrade', (_, socket) => socket.destroy());
          if (body === undefined || isWhole(body)) request.end(body);
          else send(body, request).catch((error) => request.destroy(error));
        });
      } catch (error) {
        const isBroken = !(error instanceof ForwardError);
        // A connection that was kept may have ended before the request arrived.
        if (isBroken && request.reusedSocket && !isAgain && !body && SAFE.test(method)) continue;
        if (!isBroken && error.code !== 'gateway-timeout' && error.code !== 'bad-gateway') throw error;
        if (isConnected && !SAFE.test(method)) throw new ForwardError('outcome-unknown', error);
        throw isBroken ? new ForwardError(isConnected ? 'bad-gateway' : 'api-unreachable', error) : error;
      }
    }
  }

  /** Hands an answer of the API back. */
  async #answer(answer: http.IncomingMessage): Promise<void> {
    const { statusCode: status = 0, headers } = answer;
    const { largestAnswer, translator } = this.#options;
    const outgoing = this.#outgoing;
    outgoing.statusMessage = answer.statusMessage ?? '';
    const raw = removeHopByHop(answer.rawHeaders, headers.connection);
    const isEmpty = this.#incoming.method === 'HEAD' || status === 204 || status === 205 || status === 304;
    // What has no body may send one all the same with 205, which might not end.
    if (isEmpty && status === 205) answer.destroy();
    else if (isEmpty) answer.resume();
    const isShort = Number(headers['content-length']) <= SHORT;
    const whole = isEmpty ? NOTHING : isShort ? await readBytes(answer) : undefined;
    const body = whole ?? limitBytes(answer, largestAnswer, 'bad-gateway');
    if (this.#exchange && status >= 200 && status <= 599) {
      const isPlain = !isEmpty && headers['set-cookie'] === undefined && headers['content-encoding'] === undefined;
      const text = isPlain && body instanceof Buffer && isUtf8(body) ? body.toString() : undefined;
      const light = text !== undefined && new LightAnswer(text, { status, headers: joinHeaders(raw) });
      const stream = isEmpty ? null : body instanceof Uint8Array ? body : ReadableStream.from(body);
      const written = await this.#exchange.toWords((light || createResponse(stream, status, raw)) as Response);
      if (written.status !== status) {
        outgoing.statusMessage = '';
        this.#fault = new ForwardError('bad-gateway', `the API has sent the coding ${headers['content-encoding']}`);
      }
      return this.#write(written, largestAnswer);
    }
    if (translator.select === 'header') raw.push('Vary', 'Accept-Language');
    if (headers['x-request-id'] === undefined) raw.push('X-Request-Id', this.#id);
    outgoing.writeHead(status, raw);
    if (body instanceof Uint8Array) outgoing.end(body);
    else await pipeline(body, outgoing);
  }

  /** Writes an answer of the translator. */
  async #write(answer: Response | LightAnswer, largest = SHORT): Promise<void> {
    const outgoing = this.#outgoing;
    const { body } = answer;
    const headers = answer instanceof LightAnswer ? Object.entries(answer.headers).flat() : [...answer.headers].flat();
    const { 'x-request-id': id, 'content-length': length } = joinHeaders(headers);
    if (id === undefined) headers.push('X-Request-Id', this.#id);
    if (length === undefined && typeof body === 'string') headers.push('Content-Length', `${Buffer.byteLength(body)}`);
    // What the client still sends is not read.
    if (!this.#incoming.complete) headers.push('Connection', 'close');
    outgoing.writeHead(answer.status, headers);
    if (body === null || typeof body === 'string') outgoing.end(body);
    else await pipeline(limitBytes(body, largest, 'bad-gateway'), outgoing);
  }

  #writeProblem(code: ProxyProblem): void {
    const { translator } = this.#options;
    const vocabulary = translator.vocabularies.get(this.#exchange?.tag ?? '');
    const accepted = vocabulary?.tag ?? this.#incoming.headers['accept-language'] ?? null;
    const isSpanish = preferredTag(accepted, ['en', 'es']) === 'es';
    const { status, en, es } = PROBLEMS[code];
    const [title, detail] = isSpanish ? es : en;
    const sentence = vocabulary?.words.sentence(code);
    const body = JSON.stringify({ type: 'about:blank', status, code, title, detail, ...sentence });
    const headers = {
      'content-type': 'application/problem+json',
      'content-language': sentence && vocabulary ? vocabulary.tag : isSpanish ? 'es' : 'en',
      'cache-control': 'no-store',
    };
    this.#outgoing.statusMessage = '';
    void this.#write(new LightAnswer(body, { status, headers }));
  }
}

function hasBody({ headers }: http.IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isWhole(body: unknown): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array;
}

/** @returns the bytes of a body; -1 if they are not known before it ends, nothing for a request that needs none */
function measure(body: unknown, { headers, method = '' }: http.IncomingMessage, isTranslated: boolean) {
  const length = headers['content-length'];
  if (isWhole(body)) return Buffer.byteLength(body);
  if (body !== undefined) return isTranslated || length === undefined ? -1 : Number(length);
  return length === undefined && /^(GET|HEAD|DELETE|OPTIONS|TRACE)$/.test(method) ? undefined : 0;
}

async function send(body: AsyncIterable<Uint8Array>, request: http.ClientRequest): Promise<void> {
  for await (const part of body) if (!request.write(part)) await once(request, 'drain');
  request.end();
}

/** Reads a body in parts. @throws ForwardError if it is longer than it may be */
async function* limitBytes(
  body: AsyncIterable<Uint8Array>,
  largest: number,
  code: ProxyProblem,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  // A client whose body is not read to its end is still answered.
  const parts = body instanceof http.IncomingMessage ? body.iterator({ destroyOnReturn: false }) : body;
  for await (const part of parts) {
    bytes += part.length;
    if (bytes > largest) throw new ForwardError(code);
    yield part;
  }
}

function readBytes(message: http.IncomingMessage): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const parts: Buffer[] = [];
  message.on('data', (part) => parts.push(part)).on('error', reject);
  message.on('end', () => resolve(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)));
  return promise;
}

/** @returns headers by their names in lower case */
function joinHeaders(raw: readonly string[]): Readonly<Record<string, string>> {
  const joined: Record<string, string> = Object.create(null);
  for (let at = 0; at < raw.length; at += 2) {
    const [name, value] = [raw[at]?.toLowerCase() ?? '', raw[at + 1] ?? ''];
    joined[name] = joined[name] === undefined ? value : `${joined[name]}, ${value}`;
  }
  return joined;
}

function createResponse(
  body: Buffer | ReadableStream<Uint8Array> | null,
  status: number,
  raw: readonly string[],
): Response {
  const headers = new Headers();
  for (let at = 0; at < raw.length; at += 2) headers.append(raw[at] ?? '', raw[at + 1] ?? '');
  return new Response(body as never, { status, headers });
}

/** @returns the path of a request in the document's own names as the document has it */
function findTemplate({ vocabularies }: Translator, target: string): string | undefined {
  const [vocabulary] = vocabularies.values();
  const [path = ''] = target.split('?', 1);
  return vocabulary && findRoute(vocabulary.root, readSegments(path), 'out')?.route.path.template;
}
