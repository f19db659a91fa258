/** Hands one request over to the API, and its answer back. */
import { isUtf8 } from 'node:buffer';
import { IncomingMessage, type ServerResponse } from 'node:http';
import { type BlockList, isIPv6 } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Dispatcher, Pool } from 'undici';
import type { CanonicalInit } from '../canonical-request.ts';
import type { Exchange } from '../exchange.ts';
import { preferredTag } from '../headers.ts';
import { findRoute, readSegments } from '../paths.ts';
import type { Translator } from '../translator.ts';
import { readRequestId, readTarget, removeHopByHop, writeRequestHeaders } from './headers.ts';
import { PROBLEMS, type ProxyProblem } from './texts.ts';

export interface ProxyOptions {
  readonly translator: Translator;
  readonly pool: Pool;
  /** The `Host` that the API gets. */
  readonly apiHost: string;
  readonly trusted: BlockList;
  /** Milliseconds of a request and its answer. */
  readonly longest: number;
  readonly largestBody: number;
  readonly largestAnswer: number;
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

/** A request that cannot be handed over, or an API that does not answer. */
class ForwardError extends Error {
  readonly code: ProxyProblem | 'client-gone';
  constructor(code: ForwardError['code'], cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

/** A `Request` as far as the translator asks for one; by its symbol the core knows that it has no copy. */
class LightRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Pick<Headers, 'get' | 'has'>;
  readonly #incoming: IncomingMessage;
  readonly #largest: number;

  constructor(incoming: IncomingMessage, url: string, largest: number) {
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

/** An answer of the API, whose body may still be arriving if it is long. */
interface ApiAnswer {
  readonly status: number;
  readonly statusText: string;
  /** Names and values of its headers, as they came. */
  readonly raw: readonly string[];
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** `undefined` if the answer has no body. */
  readonly body: Buffer | Readable | undefined;
}

/** One request to the API. */
class ApiRequest implements Dispatcher.DispatchHandler {
  /** Whether some of it may have reached the API. */
  isSent = false;
  readonly #answered = Promise.withResolvers<ApiAnswer>();
  readonly #method: string;
  #controller: Dispatcher.DispatchController | undefined;
  #answer: ApiAnswer | undefined;
  #parts: Buffer[] = [];
  #stream: Readable | undefined;
  #fault: Error | undefined;

  constructor(method: string) {
    this.#method = method;
  }

  get answer(): Promise<ApiAnswer> {
    return this.#answered.promise;
  }

  abort(fault: Error): void {
    this.#fault = fault;
    this.#controller?.abort(fault);
    this.onResponseError(undefined, fault);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#fault) controller.abort(this.#fault);
    else this.isSent = true;
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: ApiAnswer['headers'],
    statusText = '',
  ): void {
    if (status < 200) return;
    const raw = Array.from(controller.rawHeaders as readonly Buffer[], (part) => part.toString('latin1'));
    const isEmpty = this.#method === 'HEAD' || status === 204 || status === 205 || status === 304;
    const isShort = isEmpty || Number(headers['content-length']) <= SHORT;
    if (!isShort) {
      this.#stream = new Readable({
        read: () => controller.resume(),
        destroy: (fault, done) => {
          controller.abort(fault ?? new ForwardError('client-gone'));
          done(fault);
        },
      }).on('error', () => {});
    }
    this.#answer = { status, statusText, raw, headers, body: this.#stream };
    if (!isShort || status === 205) this.#answered.resolve(this.#answer);
    // What has no body may send one all the same with 205, which might not end.
    if (status === 205) controller.abort(new ForwardError('bad-gateway'));
  }

  onResponseData(controller: Dispatcher.DispatchController, part: Buffer): void {
    if (!this.#stream) this.#parts.push(part);
    else if (!this.#stream.push(part)) controller.pause();
  }

  onResponseEnd(): void {
    if (this.#stream) return void this.#stream.push(null);
    const body = this.#parts.length > 0 ? Buffer.concat(this.#parts) : undefined;
    if (this.#answer) this.#answered.resolve({ ...this.#answer, body });
  }

  onResponseError(_: unknown, fault: Error): void {
    this.#answered.reject(fault);
    this.#stream?.destroy(fault);
  }
}

/** One request of a client, until it is answered. */
export class Handover {
  readonly #options: ProxyOptions;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #id: string;
  #exchange: Exchange | undefined;
  #request: ApiRequest | undefined;
  /** What has ended it early. */
  #fault: ForwardError | undefined;

  constructor(options: ProxyOptions, incoming: IncomingMessage, outgoing: ServerResponse) {
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
      this.#request?.abort(this.#fault);
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

  /** Ends what is under way with the API. */
  #abort(code: ForwardError['code']): void {
    this.#fault ??= new ForwardError(code);
    this.#request?.abort(this.#fault);
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
    if ('raw' in first) return this.#answer(first);
    answered.catch(() => {});
    this.#request?.abort(new ForwardError('bad-request'));
    return this.#write(first);
  }

  /** Asks the API. @returns its answer, whose body may still be arriving if it is long */
  async #ask(target: string): Promise<ApiAnswer> {
    const { pool, apiHost, trusted, largestBody } = this.#options;
    const incoming = this.#incoming;
    const {
      method = 'GET',
      socket: { remoteAddress = '' },
    } = incoming;
    const { init } = (this.#exchange?.request ?? {}) as { readonly init?: CanonicalInit };
    const isStreamed = hasBody(incoming) && !init?.body;
    const body = init?.body ?? (isStreamed ? limitBytes(incoming, largestBody, 'too-large') : null);
    const headers = writeRequestHeaders(incoming, {
      host: apiHost,
      id: this.#id,
      isTrusted: trusted.rules.length > 0 && trusted.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4'),
      changes: init?.changes,
      length: isStreamed ? incoming.headers['content-length'] : undefined,
    });
    const path = init ? init.url.slice(init.url.indexOf('/', 8)) : target;
    for (let isAgain = false; ; isAgain = true) {
      if (this.#fault) throw this.#fault;
      const request = new ApiRequest(method);
      this.#request = request;
      pool.dispatch({ path, method: method as Dispatcher.HttpMethod, headers, body: body as never }, request);
      try {
        return await request.answer;
      } catch (error) {
        const { code = '' } = error as { readonly code?: string };
        // A connection that was kept may have ended before the request arrived.
        if (/^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test(code) && !isAgain && !body && SAFE.test(method)) continue;
        const isTimeout = code === 'gateway-timeout' || code === 'UND_ERR_HEADERS_TIMEOUT';
        if (error instanceof ForwardError && !isTimeout) throw error;
        if (code === 'UND_ERR_INVALID_ARG') throw new ForwardError('bad-request', error);
        if (!request.isSent && !isTimeout) throw new ForwardError('api-unreachable', error);
        if (request.isSent && !SAFE.test(method)) throw new ForwardError('outcome-unknown', error);
        throw new ForwardError(isTimeout ? 'gateway-timeout' : 'bad-gateway', error);
      }
    }
  }

  /** Hands an answer of the API back. */
  async #answer({ status, statusText, raw: received, headers, body }: ApiAnswer): Promise<void> {
    const { largestAnswer, translator } = this.#options;
    const outgoing = this.#outgoing;
    outgoing.statusMessage = statusText;
    const raw = removeHopByHop(received, headers.connection?.toString());
    if (this.#exchange && status <= 599) {
      const isPlain = headers['set-cookie'] === undefined && headers['content-encoding'] === undefined;
      const text = isPlain && Buffer.isBuffer(body) && isUtf8(body) ? body.toString() : undefined;
      const answer =
        text === undefined
          ? createResponse(body, status, raw)
          : new LightAnswer(text, { status, headers: joinHeaders(raw) });
      const written = await this.#exchange.toWords(answer as Response);
      if (written.status !== status) {
        outgoing.statusMessage = '';
        this.#fault = new ForwardError('bad-gateway', `the API has sent the coding ${headers['content-encoding']}`);
      }
      return this.#write(written, largestAnswer);
    }
    if (translator.select === 'header') raw.push('Vary', 'Accept-Language');
    if (headers['x-request-id'] === undefined) raw.push('X-Request-Id', this.#id);
    outgoing.writeHead(status, raw);
    if (body instanceof Readable) await pipeline(body, outgoing);
    else outgoing.end(body);
  }

  /** Writes an answer of the translator. */
  async #write(answer: Response | LightAnswer, largest = SHORT): Promise<void> {
    const outgoing = this.#outgoing;
    const { body, headers } = answer;
    outgoing.statusCode = answer.status;
    for (const [name, value] of headers instanceof Headers ? headers : Object.entries(headers)) {
      outgoing.appendHeader(name, value);
    }
    if (!outgoing.hasHeader('X-Request-Id')) outgoing.setHeader('X-Request-Id', this.#id);
    // What the client still sends is not read.
    if (!this.#incoming.complete) outgoing.setHeader('Connection', 'close');
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

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Reads a body in parts. @throws ForwardError if it is longer than it may be */
async function* limitBytes(
  body: AsyncIterable<Uint8Array>,
  largest: number,
  code: ProxyProblem,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  // A client whose body is not read to its end is still answered.
  const parts = body instanceof IncomingMessage ? body.iterator({ destroyOnReturn: false }) : body;
  for await (const part of parts) {
    bytes += part.length;
    if (bytes > largest) throw new ForwardError(code);
    yield part;
  }
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

function createResponse(body: ApiAnswer['body'], status: number, raw: readonly string[]): Response {
  const headers = new Headers();
  for (let at = 0; at < raw.length; at += 2) headers.append(raw[at] ?? '', raw[at + 1] ?? '');
  return new Response((body instanceof Readable ? ReadableStream.from(body) : body) as never, { status, headers });
}

/** @returns the path of a request in the document's own names as the document has it */
function findTemplate({ vocabularies }: Translator, target: string): string | undefined {
  const [vocabulary] = vocabularies.values();
  const [path = ''] = target.split('?', 1);
  return vocabulary && findRoute(vocabulary.root, readSegments(path), 'out')?.route.path.template;
}
