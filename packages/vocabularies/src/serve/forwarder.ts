/** Hands one request over to the API, and its answer back. */

import { isUtf8 } from 'node:buffer';
import * as http from 'node:http';
import * as https from 'node:https';
import type { BlockList } from 'node:net';
import { Readable } from 'node:stream';
import type { CanonicalInit } from '../canonical-request.ts';
import type { Exchange } from '../exchange.ts';
import { preferredTag } from '../headers.ts';
import { findRoute, readSegments } from '../paths.ts';
import type { Translator } from '../translator.ts';
import { readRequestId, readTarget, writeAnswerHeaders, writeRequestHeaders } from './headers.ts';
import { type Language, type ProxyProblem, sentenceFor } from './texts.ts';

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
  readonly trusted: BlockList;
}

/** What the log says of a request. */
export interface Outcome {
  readonly id: string;
  readonly template: string;
  readonly vocabulary: string;
  readonly problem: ProxyProblem | undefined;
  /** What went wrong, for whoever runs the process. */
  readonly reason: string | undefined;
}

/** Methods that change nothing, so that they can be asked again (RFC 9110, 9.2.1). */
const SAFE = /^(GET|HEAD|OPTIONS|TRACE|QUERY)$/;
/** Bytes of an answer that is read whole, which is faster than in parts. */
const SHORT = 65_536;
const STATUS: Readonly<Record<ProxyProblem, number>> = {
  'bad-request': 400,
  'too-large': 413,
  'api-unreachable': 502,
  'bad-gateway': 502,
  'gateway-timeout': 504,
  'outcome-unknown': 504,
};

/** A request that cannot be handed over, or an API that does not answer. */
class ForwardError extends Error {
  readonly code: ProxyProblem;
  constructor(code: ProxyProblem, cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

/** Ends what is under way with the API; lighter than an `AbortSignal` for each request. */
class Cancellation {
  reason: ForwardError | undefined;
  request: http.ClientRequest | undefined;

  cancel(code: ProxyProblem): void {
    this.reason ??= new ForwardError(code);
    this.request?.destroy(this.reason);
  }
}

/** By this name the core knows a light request, of which it makes no copy. */
const LIGHT = Symbol('getRequestCache');

/** What the translator asks of a request. */
class LightRequest {
  readonly #incoming: http.IncomingMessage;
  readonly #largest: number;
  readonly url: string;
  readonly headers: Pick<Headers, 'get' | 'has'>;

  constructor(incoming: http.IncomingMessage, url: string, largest: number) {
    this.#incoming = incoming;
    this.#largest = largest;
    this.url = url;
    const get = (name: string): string | null => {
      const value = incoming.headers[name.toLowerCase()];
      return value === undefined ? null : String(value);
    };
    this.headers = { get, has: (name) => get(name) !== null };
  }

  get method(): string {
    return this.#incoming.method ?? 'GET';
  }

  get body(): ReadableStream<Uint8Array> | null {
    return hasBody(this.#incoming) ? createStream(this.#incoming, this.#largest) : null;
  }

  [LIGHT](): never {
    throw new TypeError('a request of a client has no copy');
  }
}

function hasBody({ headers }: http.IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** @returns a message as a stream, which fails if it is longer than it may be */
function createStream(message: http.IncomingMessage, most: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks: AsyncIterator<Uint8Array<ArrayBuffer>> = message[Symbol.asyncIterator]();
  let bytes = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) return controller.close();
        bytes += value.length;
        if (bytes > most) throw new ForwardError('too-large');
        controller.enqueue(value);
      },
      async cancel() {
        message.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

export class Forwarder {
  readonly #options: ProxyOptions;
  readonly #agent: http.Agent;
  readonly #request: typeof http.request;

  constructor(options: ProxyOptions) {
    this.#options = options;
    const { request, Agent } = options.api.protocol === 'https:' ? https : http;
    this.#request = request as typeof http.request;
    this.#agent = new Agent({ keepAlive: true, maxSockets: options.connections, maxFreeSockets: 64 });
  }

  close(): void {
    this.#agent.destroy();
  }

  async handle(incoming: http.IncomingMessage, outgoing: http.ServerResponse): Promise<Outcome> {
    const id = readRequestId(incoming);
    const cancellation = new Cancellation();
    const timer = setTimeout(() => cancellation.cancel('gateway-timeout'), this.#options.longest);
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) cancellation.cancel('bad-gateway');
    });
    let exchange: Exchange | undefined;
    let path = '';
    let [problem, reason]: [ProxyProblem?, string?] = [];
    try {
      const target = readTarget(incoming);
      if (target === undefined) throw new ForwardError('bad-request');
      path = target;
      if (Number(incoming.headers['content-length'] ?? 0) > this.#options.largestBody)
        throw new ForwardError('too-large');
      const origin = `http://${incoming.headers.host}`;
      const light = new LightRequest(incoming, origin + target, this.#options.largestBody);
      exchange = await this.#options.translator.toCanonical(light as never);
      const init = (exchange?.request as { readonly init?: CanonicalInit } | undefined)?.init;
      path = init ? init.url.slice(origin.length) : target;
      if (exchange?.refusal) await writeResponse(outgoing, exchange.refusal, id);
      else await this.#forward(incoming, outgoing, { id, path, init, exchange, cancellation });
    } catch (error) {
      problem = cancellation.reason?.code ?? (error instanceof ForwardError ? error.code : 'bad-gateway');
      reason = String((error as Error).cause ?? error);
      if (outgoing.headersSent || outgoing.destroyed) outgoing.destroy();
      else this.#writeProblem(incoming, outgoing, { code: problem as ProxyProblem, exchange, id });
    } finally {
      clearTimeout(timer);
    }
    return { id, template: this.#findTemplate(path), vocabulary: exchange?.tag ?? '', problem, reason };
  }

  async #forward(incoming: http.IncomingMessage, outgoing: http.ServerResponse, handed: Handed): Promise<void> {
    const { exchange, id } = handed;
    const answered = this.#ask(incoming, handed);
    const refused = exchange?.refused?.then((refusal) => ({ refusal }));
    const first = await Promise.race([answered, ...(refused ? [refused] : [])]);
    if ('refusal' in first) {
      answered.then(
        (answer) => answer.destroy(),
        () => {},
      );
      return writeResponse(outgoing, first.refusal, id);
    }
    const answer = first;
    const { largestAnswer } = this.#options;
    const status = answer.statusCode ?? 0;
    if (exchange && status >= 200 && status <= 599) {
      return writeResponse(
        outgoing,
        await exchange.toWords((await createAnswer(answer, incoming.method, largestAnswer)) as Response),
        id,
        largestAnswer,
      );
    }
    const headers = writeAnswerHeaders(answer.rawHeaders, answer.headers.connection, id);
    if (this.#options.translator.select === 'header') headers.push('Vary', 'Accept-Language');
    outgoing.writeHead(status, answer.statusMessage, headers);
    limitBytes(answer, largestAnswer, () => answer.destroy(new ForwardError('bad-gateway')));
    await pipe(answer, outgoing);
  }

  /** Asks the API. @returns its answer, of which only the head is there */
  async #ask(incoming: http.IncomingMessage, handed: Handed): Promise<http.IncomingMessage> {
    const { id, path, init, cancellation } = handed;
    const { api, trusted, timeout, largestBody } = this.#options;
    const method = incoming.method ?? 'GET';
    const body = init?.body ?? (hasBody(incoming) ? incoming : undefined);
    const length = measure(body, incoming, init !== undefined);
    const address = incoming.socket.remoteAddress ?? '';
    const family = /^[^:]+$|^::ffff:/.test(address) ? 'ipv4' : 'ipv6';
    const isTrusted = trusted.rules.length > 0 && trusted.check(address.replace(/^::ffff:/, ''), family);
    const headers = writeRequestHeaders(incoming, {
      host: api.host,
      id,
      isTrusted,
      changes: init?.changes,
      length: length ?? (/^(POST|PUT|PATCH)$/.test(method) ? 0 : undefined),
    });
    for (let isAgain = false; ; isAgain = true) {
      const options = { host: api.hostname.replace(/^\[|\]$/g, ''), port: api.port, path, method, headers, timeout };
      const request = this.#request({ ...options, agent: this.#agent, maxHeaderSize: 16_384 } as never);
      request.maxHeadersCount = 0;
      cancellation.request = request;
      let hasBegun = false;
      request.on('socket', (socket) => {
        const connected = api.protocol === 'https:' ? 'secureConnect' : 'connect';
        if (!socket.connecting) hasBegun = true;
        else
          socket.once(connected, () => {
            hasBegun = true;
          });
      });
      try {
        return await new Promise((resolve, reject) => {
          request.on('response', (answer) => resolve(answer.on('error', () => {}))).on('error', reject);
          // An answer that asks for another protocol is none.
          request.on('upgrade', (_, socket) => socket.destroy());
          request.on('close', () => reject(new ForwardError('bad-gateway')));
          request.on('timeout', () => request.destroy(new ForwardError('gateway-timeout')));
          send(request, body, largestBody);
        });
      } catch (error) {
        // A connection that was kept may have ended before the request arrived.
        if (
          request.reusedSocket &&
          !isAgain &&
          body === undefined &&
          SAFE.test(method) &&
          cancellation.reason === undefined
        )
          continue;
        const code = cancellation.reason?.code ?? (error as { readonly code?: string }).code;
        if (code === 'too-large') throw new ForwardError('too-large');
        if (hasBegun && !SAFE.test(method)) throw new ForwardError('outcome-unknown', error);
        if (code === 'gateway-timeout') throw new ForwardError('gateway-timeout');
        throw new ForwardError(hasBegun ? 'bad-gateway' : 'api-unreachable', error);
      }
    }
  }

  #writeProblem(
    incoming: http.IncomingMessage,
    outgoing: http.ServerResponse,
    {
      code,
      exchange,
      id,
    }: { readonly code: ProxyProblem; readonly exchange: Exchange | undefined; readonly id: string },
  ): void {
    const vocabulary = this.#options.translator.vocabularies.get(exchange?.tag ?? '');
    const preferred = preferredTag(incoming.headers['accept-language'] ?? null, ['en', 'es']);
    const own = vocabulary?.tag.split('-')[0]?.toLowerCase();
    const language = (own === 'es' || own === 'en' ? own : (preferred ?? 'en')) as Language;
    const sentence = vocabulary?.words.sentence(code);
    const status = STATUS[code];
    const body = { type: 'about:blank', status, code, ...sentenceFor(code, language), ...sentence };
    const text = JSON.stringify(body);
    // What the client still sends is not read.
    const connection = incoming.complete ? {} : { Connection: 'close' };
    outgoing.writeHead(status, {
      'Content-Type': 'application/problem+json',
      'Content-Language': sentence ? (vocabulary?.tag ?? language) : language,
      'Content-Length': Buffer.byteLength(text),
      'Cache-Control': 'no-store',
      'X-Request-Id': id,
      ...connection,
    });
    outgoing.end(incoming.method === 'HEAD' ? undefined : text);
  }

  /** @returns the template of a path in the document's names, so that no key of a client is in the log */
  #findTemplate(path: string): string {
    const [vocabulary] = this.#options.translator.vocabularies.values();
    const [plain = ''] = path.split('?', 1);
    const match = vocabulary && findRoute(vocabulary.root, readSegments(plain), 'out');
    return match?.route.path.template ?? '*';
  }
}

/** A request that is handed over. */
interface Handed {
  readonly id: string;
  readonly path: string;
  readonly init: CanonicalInit | undefined;
  readonly exchange: Exchange | undefined;
  readonly cancellation: Cancellation;
}

type RequestBody = string | Uint8Array | ReadableStream<Uint8Array> | http.IncomingMessage | undefined;

/** @returns the bytes of a body; -1 if they are not known before it ends, nothing if there is none */
function measure(body: RequestBody, { headers }: http.IncomingMessage, isTranslated: boolean): number | undefined {
  if (body === undefined) return headers['content-length'] === undefined ? undefined : 0;
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.byteLength(body);
  const length = headers['content-length'];
  return isTranslated && body instanceof ReadableStream ? -1 : length === undefined ? -1 : Number(length);
}

function send(request: http.ClientRequest, body: RequestBody, largest: number): void {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
    request.end(body);
    return;
  }
  const source = body instanceof ReadableStream ? Readable.fromWeb(body as never) : body;
  if (source instanceof http.IncomingMessage) {
    limitBytes(source, largest, () => {
      source.unpipe(request).pause();
      request.destroy(new ForwardError('too-large'));
    });
  }
  source.on('error', (error: Error) => request.destroy(error));
  source.pipe(request);
}

/** Calls back as soon as a message is longer than it may be. */
function limitBytes(message: http.IncomingMessage, most: number, onMore: () => void): void {
  let bytes = 0;
  message.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes > most && bytes - chunk.length <= most) onMore();
  });
}

/** By this name the core knows a light answer. */
const CACHE = Symbol('cache');

/** An answer whose text is there, before and after it is translated. */
class LightAnswer {
  readonly status: number;
  readonly text: string | null;
  readonly headers: http.IncomingHttpHeaders;
  readonly [CACHE]: readonly [number, string | null, http.IncomingHttpHeaders];

  constructor(text: string | null, { status, headers }: Pick<LightAnswer, 'status' | 'headers'>) {
    this.status = status;
    this.text = text;
    this.headers = headers;
    this[CACHE] = [status, text, headers];
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

/** @returns an answer as the translator reads it; one that is short is read whole, which is faster than in parts */
async function createAnswer(answer: http.IncomingMessage, method: string | undefined, most: number) {
  const status = answer.statusCode ?? 0;
  const isEmpty = method === 'HEAD' || status === 204 || status === 205 || status === 304;
  const raw = writeAnswerHeaders(answer.rawHeaders, answer.headers.connection, '');
  const isShort = !isEmpty && Number(answer.headers['content-length'] ?? Number.NaN) <= SHORT;
  const bytes = isShort ? await readBytes(answer) : undefined;
  const { 'set-cookie': cookies, 'content-encoding': coding } = answer.headers;
  if (bytes && cookies === undefined && coding === undefined && isUtf8(bytes)) {
    const names = new Set(raw.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase()));
    const headers = Object.entries(answer.headers).filter(([name]) => names.has(name));
    return new LightAnswer(decoder.decode(bytes), { status, headers: Object.fromEntries(headers) });
  }
  if (isEmpty) answer.resume();
  const headers = new Headers();
  for (let at = 0; at < raw.length; at += 2) if (raw[at + 1] !== '') headers.append(raw[at] ?? '', raw[at + 1] ?? '');
  const body = isEmpty ? null : (bytes ?? createStream(answer, most));
  return new Response(body, { status, statusText: answer.statusMessage ?? '', headers });
}

function readBytes(message: http.IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  const chunks: Uint8Array[] = [];
  message.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  message.on('end', () => resolve(Buffer.concat(chunks))).on('error', reject);
  return promise;
}

/** Writes an answer of the translator. */
async function writeResponse(
  outgoing: http.ServerResponse,
  response: Response | LightAnswer,
  id: string,
  most = SHORT,
): Promise<void> {
  const { status } = response;
  if (response instanceof LightAnswer) {
    const body = Buffer.from(response.text ?? '');
    const headers = Object.entries(response.headers).flat() as string[];
    if (response.headers['x-request-id'] === undefined) headers.push('X-Request-Id', id);
    if (response.headers['content-length'] === undefined) headers.push('Content-Length', String(body.length));
    outgoing.writeHead(status, headers).end(body);
    return;
  }
  const headers = [...response.headers].flat();
  if (!response.headers.has('x-request-id')) headers.push('X-Request-Id', id);
  if (outgoing.req.complete === false) headers.push('Connection', 'close');
  outgoing.writeHead(status, response.statusText, headers);
  if (outgoing.req.method === 'HEAD' || !response.body) {
    await response.body?.cancel();
    outgoing.end();
    return;
  }
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.length;
    if (outgoing.destroyed || bytes > most) throw new ForwardError('bad-gateway');
    if (!outgoing.write(chunk)) await waitForDrain(outgoing);
  }
  outgoing.end();
}

function waitForDrain(outgoing: http.ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      outgoing.off('drain', end).off('close', end);
      resolve();
    };
    outgoing.on('drain', end).on('close', end);
  });
}

/** Hands an answer on as it arrives. If it breaks off, so does the one to the client. */
async function pipe(answer: http.IncomingMessage, outgoing: http.ServerResponse): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  answer.on('error', reject).on('end', resolve);
  outgoing.on('close', () => {
    answer.destroy();
    resolve();
  });
  answer.pipe(outgoing);
  await promise;
}
