/** One request in a vocabulary and its answer. */
import { type Body, type Bytes, createTransform, exchangeBody } from './bodies.ts';
import { type Content, decodeUri, findAnswer, findContent, type Json, type Operation } from './document.ts';
import { changeAnswerHeaders, changeCookies, changeRequestHeaders } from './headers.ts';
import { type Match, writePath } from './paths.ts';
import { createProblem, findSentences, type ProblemCode, refuseForeign, type Sentences } from './problems.ts';
import { QueryExchange } from './query.ts';
import type { Context, ForeignWord } from './texts.ts';
import type { Selected, Translator } from './translator.ts';
import type { Direction, Vocabulary } from './vocabulary.ts';

/** A request in a vocabulary, and how its answer is translated. */
export interface Exchange {
  readonly tag: string;
  /** The request in the document's names; absent if it is refused. */
  readonly request?: Request;
  /** The answer to a request that is refused. */
  readonly refusal?: Response;
  /** Resolves with a refusal, if a body that is handed over as it arrives turns out to have words of another vocabulary. */
  readonly refused?: Promise<Response> | undefined;
  readonly toWords: (answer: Response) => Promise<Response>;
}

/** A request in the document's names. It is aborted with the one that it was made of. */
export class CanonicalRequest extends Request {
  readonly original: Request;
  readonly vocabulary: Vocabulary | undefined;

  constructor(
    url: string,
    init: RequestInit & { readonly duplex?: 'half' },
    original: Request,
    vocabulary?: Vocabulary | undefined,
  ) {
    super(url, init);
    this.original = original;
    this.vocabulary = vocabulary;
  }
}
// To follow a signal takes longer than all the rest of an exchange, and few look at it.
Object.defineProperty(CanonicalRequest.prototype, 'signal', {
  get(this: CanonicalRequest): AbortSignal {
    return this.original.signal;
  },
});

/** @returns the vocabulary in which a request came, for whoever answers it; nothing if it is in the document's own names */
export function vocabularyOf(request: Request): Vocabulary | undefined {
  return request instanceof CanonicalRequest ? request.vocabulary : undefined;
}

/** More words of other vocabularies are not listed. */
const MOST_LISTED = 100;
const WITHOUT_BODY = [204, 205, 304];

/** The vocabulary of a request and the parts of its address. */
interface Address extends Selected {
  readonly mount: string;
  readonly origin: string;
  readonly query: string | undefined;
}

/** What an address of the API becomes, but for its query. */
interface ExchangedPath {
  readonly path: string;
  readonly operation: Operation | undefined;
}

export class RequestExchange {
  readonly #translator: Translator;
  readonly #request: Request;
  readonly #vocabulary: Vocabulary;
  readonly #address: Address;
  readonly #match: Match | undefined;
  readonly #foreign: ForeignWord[] = [];
  readonly #report: ((foreign: ForeignWord) => void) | undefined;
  #operation: Operation | undefined;
  #refused: Promise<Response> | undefined;
  /** The last path of an answer that was exchanged: the links of one answer share it. */
  #last: { readonly from: string; readonly to: ExchangedPath | undefined } | undefined;

  constructor(translator: Translator, request: Request, address: Address) {
    this.#translator = translator;
    this.#request = request;
    this.#vocabulary = address.vocabulary;
    this.#address = address;
    this.#match = address.match ?? translator.findRoute(address.path, address.vocabulary);
    if (translator.options.foreign !== 'pass') {
      this.#report = (foreign) => {
        if (this.#foreign.length < MOST_LISTED) this.#foreign.push(foreign);
      };
    }
  }

  async begin(): Promise<Exchange> {
    const { method, headers } = this.#request;
    const match = this.#match;
    const path = match ? this.#writePath(match, undefined, 'in') : this.#address.path;
    const target = match && this.#translator.findRoute(path, undefined);
    if (this.#report && (!match || target?.route !== match.route)) this.#judgePath();
    if (this.#foreign.length > 0) return this.#fail();
    this.#operation = match && findOperation(match, method);
    const signature = this.#findSignature();
    if (signature) return this.#fail('signed-request');
    const query = this.#exchangeQuery(this.#address.query, 'in');
    const body = this.#request.body && (await this.#exchangeRequestBody(this.#request.body));
    if (this.#foreign.length > 0) return this.#fail();
    const url = `${this.#address.origin}${path}${query === undefined ? '' : `?${query}`}`;
    const stream = body instanceof ReadableStream ? { duplex: 'half' as const } : {};
    const request = new CanonicalRequest(url, { method, headers, body, ...stream }, this.#request, this.#vocabulary);
    if (changeRequestHeaders(request.headers, this.#vocabulary.tag)) return this.#fail('precondition-failed');
    this.#exchangeHeaderParameters(request.headers);
    if (this.#foreign.length > 0) return this.#fail();
    return { tag: this.#vocabulary.tag, request, refused: this.#refused, toWords: (answer) => this.toWords(answer) };
  }

  #fail(code?: ProblemCode): Exchange {
    const { words, tag } = this.#vocabulary;
    const refusal = code ? createProblem(words, code) : refuseForeign(words, this.#foreign);
    if (this.#translator.select === 'header') refusal.headers.set('vary', 'Accept-Language');
    return { tag, refusal, toWords: async (answer) => answer };
  }

  #findSignature(): boolean {
    const { signatures = [] } = this.#translator.options;
    const declared = this.#operation?.signature;
    return [...signatures, ...(declared === undefined ? [] : [declared])].some((name) =>
      this.#request.headers.has(name),
    );
  }

  /** A path that mixes words of several vocabularies leads nowhere; the right one is suggested. */
  #judgePath(): void {
    const { mount, prefix, path } = this.#address;
    const mixed = this.#translator.findMixedRoute(path);
    if (!mixed) return;
    const suggestion = mount + prefix + writePath(mixed, this.#vocabulary.words, (_, raw) => raw);
    const word = mount + prefix + path;
    if (suggestion !== word) this.#report?.({ kind: 'path', place: path, word, suggestion });
  }

  #writePath(
    match: Match,
    words: Vocabulary | undefined,
    direction: Direction,
    operation = findOperation(match, this.#request.method),
  ): string {
    const context: Context = direction === 'in' ? { report: this.#report } : {};
    const exchange = new QueryExchange(this.#vocabulary, direction, context);
    const terms = operation && this.#vocabulary.parameters(operation, 'path').out;
    return writePath(match, words?.words, (name, raw) => {
      const term = terms?.get(name);
      return term ? exchange.exchangeValue(raw, term, name) : raw;
    });
  }

  #exchangeQuery(query: string | undefined, direction: Direction, operation = this.#operation): string | undefined {
    if (query === undefined || query === '' || !operation) return query;
    const exchange = direction === 'in' ? this.#createExchange('in') : new QueryExchange(this.#vocabulary, 'out');
    const terms = this.#vocabulary.parameters(operation, 'query');
    const own =
      this.#operation && operation !== this.#operation ? this.#vocabulary.parameters(this.#operation, 'query') : terms;
    return exchange.exchange(query, terms, own);
  }

  #createExchange(direction: Direction, more: Context = {}): QueryExchange {
    return new QueryExchange(this.#vocabulary, direction, {
      operation: this.#operation,
      report: direction === 'in' ? this.#report : undefined,
      exchangeAddress: (address) => this.exchangeAddress(address, direction),
      ...more,
    });
  }

  /** Exchanges the values of headers that list some, and the names of cookies. */
  #exchangeHeaderParameters(headers: Headers): void {
    const operation = this.#operation;
    if (!operation || operation.parameters.every((each) => each.in !== 'header' && each.in !== 'cookie')) return;
    const exchange = this.#createExchange('in');
    for (const term of this.#vocabulary.parameters(operation, 'header').out.values()) {
      const name = term.parameter?.name ?? '';
      const value = term.shape && this.#vocabulary.isExchanged(term.shape) ? headers.get(name) : null;
      if (value === null) continue;
      const written = value
        .split(/(\s*,\s*)/)
        .map((part, at) => (at % 2 === 0 ? decodeUri(exchange.exchangeValue(part, term, name)) : part));
      headers.set(name, written.join(''));
    }
    const cookies = headers.get('cookie');
    if (cookies === null) return;
    const terms = this.#vocabulary.parameters(operation, 'cookie');
    headers.set(
      'cookie',
      cookies
        .split('; ')
        .map((pair) => exchange.exchangePair(pair, terms))
        .join('; '),
    );
  }

  async #exchangeRequestBody(body: ReadableStream<Uint8Array>): Promise<Body> {
    const { headers } = this.#request;
    const type = headers.get('content-type') ?? '';
    const content = this.#operation && findContent(this.#operation.body, type);
    const isEncoded = (headers.get('content-encoding') ?? 'identity') !== 'identity';
    const transform = content && !isEncoded ? this.#createTransform(type, content, 'in') : undefined;
    if (!transform) return body as ReadableStream<Bytes>;
    let refuse: ((refusal: Response) => void) | undefined;
    const check = (): void => {
      if (this.#foreign.length === 0) return;
      refuse?.(refuseForeign(this.#vocabulary.words, this.#foreign));
      throw new TypeError('the body has words of another vocabulary');
    };
    const written = await exchangeBody(body, true, () => transform, check);
    if (written instanceof ReadableStream) {
      this.#refused = new Promise((resolve) => {
        refuse = resolve;
      });
    }
    return written;
  }

  #createTransform(type: string, content: Content, direction: Direction, isError = false, more: Context = {}) {
    return createTransform(type, this.#translator.findShape(content, isError), this.#createExchange(direction, more));
  }

  /** @returns an answer of the API in the vocabulary's words */
  async toWords(answer: Response): Promise<Response> {
    const { status, statusText, headers } = answer;
    if (status < 200) return answer;
    const { content, type, isError } = this.#describe(answer);
    const coding = (headers.get('content-encoding') ?? 'identity').toLowerCase();
    const stream = WITHOUT_BODY.includes(status) || this.#request.method === 'HEAD' ? null : answer.body;
    // A problem may need sentences, which depend on all of it.
    const transform = content && !isError ? this.#createTransform(type, content, 'out') : undefined;
    const isChanged = content !== undefined && (isError || transform !== undefined);
    let isTold = !isError;
    let body: Body | null = stream as ReadableStream<Bytes> | null;
    if (isChanged && coding !== 'identity' && coding !== 'gzip') {
      await answer.body?.cancel();
      return createProblem(this.#vocabulary.words, 'bad-gateway');
    }
    if (isChanged && stream) {
      const plain = coding === 'gzip' ? stream.pipeThrough(new DecompressionStream('gzip')) : stream;
      body = await exchangeBody(plain, isError, (whole) => {
        if (!isError) return transform;
        const { byPointer, areAll } = this.#findSentences(whole);
        isTold = areAll;
        const findSentence = (pointer: string): string | undefined => byPointer.get(pointer);
        return this.#createTransform(type, content, 'out', true, { findSentence });
      });
    }
    const translated = new Response(body, { status, statusText, headers });
    if (isChanged && coding === 'gzip') translated.headers.delete('content-encoding');
    this.#changeHeaders(translated.headers, isChanged, isTold);
    return translated;
  }

  #findSentences(body: string | undefined): Sentences {
    if (body === undefined) return { byPointer: new Map(), areAll: false };
    const exchange = (member: string, text: string, problem: Json) => this.#exchangeMember(member, text, problem);
    return findSentences(body, this.#vocabulary.words, exchange);
  }

  #describe({ status, headers }: Response) {
    const type = headers.get('content-type') ?? '';
    const isError = status >= 400 || type.startsWith('application/problem+json');
    const isJson = /[/+]json\b/i.test(type);
    const described = this.#operation && findAnswer(this.#operation, status);
    const content = described && findContent(described.contents, type);
    if (!content && isJson && !isError)
      this.#translator.count(
        `${this.#request.method} ${this.#operation?.path ?? this.#address.path} ${status} ${type}`,
      );
    return { content: content ?? (isError && isJson ? {} : undefined), type, isError };
  }

  /** Exchanges a member of a problem that holds a name, or what was sent as the value of a parameter. */
  #exchangeMember(member: string, text: string, { parameter }: Json): string {
    const operation = this.#operation;
    if (member === 'value' && operation && typeof parameter === 'string') {
      const term = this.#vocabulary.parameters(operation, 'query').out.get(parameter);
      const exchange = new QueryExchange(this.#vocabulary, 'out');
      return term ? decodeUri(exchange.exchangeValue(encodeURIComponent(text), term, parameter)) : text;
    }
    if (member === 'pointer' || member === 'path')
      return this.#createExchange('out').exchangeLocation(text.split('/')).join('/');
    return member === 'parameter' && operation
      ? (this.#vocabulary.parameters(operation, 'query').out.get(text)?.to ?? text)
      : text;
  }

  #changeHeaders(headers: Headers, isBodyChanged: boolean, isTold: boolean): void {
    const { tag } = this.#vocabulary;
    const language = this.#translator.options.language ?? headers.get('content-language') ?? undefined;
    changeAnswerHeaders(headers, {
      mark: tag,
      isBodyChanged,
      language,
      exchangeAddress: (address) => this.exchangeAddress(address, 'out'),
      restoreAddress: (address) => this.exchangeAddress(address, 'in'),
    });
    const cookies = this.#operation && this.#vocabulary.parameters(this.#operation, 'cookie').out;
    changeCookies(
      headers,
      (name) => cookies?.get(name)?.to ?? name,
      (path) => this.exchangeAddress(path, 'out'),
    );
    if (isTold && headers.has('content-language')) headers.set('content-language', tag);
    if (this.#translator.select === 'header') headers.append('vary', 'Accept-Language');
  }

  /** Exchanges an address of the API; one that leads elsewhere stays as it is. */
  exchangeAddress(address: string, direction: Direction): string {
    const { origin: own } = this.#address;
    const [, origin = '', path = '', query, fragment = ''] =
      /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*|\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?(#.*)?$/is.exec(address) ?? [];
    if (origin !== '' && origin !== own && own.replace(/^[a-z]+:/, '') !== origin) return address;
    if (path === '' && query === undefined) return address;
    const exchanged = path === '' ? this.#ownPath() : this.#exchangePath(path, direction);
    if (!exchanged) return address;
    const written = this.#exchangeQuery(query, direction, exchanged.operation);
    return `${origin}${exchanged.path}${written === undefined ? '' : `?${written}`}${fragment}`;
  }

  /** An address without a path leads to where it was found. */
  #ownPath(): ExchangedPath {
    return { path: '', operation: this.#match && findOperation(this.#match, 'GET') };
  }

  #exchangePath(path: string, direction: Direction): ExchangedPath | undefined {
    if (direction === 'out' && this.#last?.from === path) return this.#last.to;
    const { mount, prefix } = this.#address;
    const before = mount + (direction === 'in' ? prefix : '');
    const after = mount + (direction === 'out' ? prefix : '');
    const absolute = path.startsWith('/') ? path : this.#resolve(path);
    const isMounted = before !== '' && absolute.startsWith(`${before}/`);
    const inner = isMounted ? absolute.slice(before.length) : absolute;
    const [from, to] = direction === 'in' ? [this.#vocabulary, undefined] : [undefined, this.#vocabulary];
    const match = this.#translator.findRoute(inner, from);
    const operation = match && findOperation(match, 'GET');
    const written = match && this.#writePath(match, to, direction, operation);
    const leadsThere = written !== undefined && this.#translator.findRoute(written, to)?.route === match?.route;
    const mounted = isMounted || !path.startsWith('/') ? after : direction === 'out' ? prefix : '';
    const exchanged = leadsThere ? { path: mounted + written, operation } : undefined;
    if (direction === 'out') this.#last = { from: path, to: exchanged };
    return exchanged;
  }

  /** @returns a relative path as an absolute one, which it was in the document's names */
  #resolve(path: string): string {
    const base = this.#match ? this.#writePath(this.#match, undefined, 'in') : this.#address.path;
    return new URL(path, `http://localhost${base}`).pathname;
  }
}

/** @returns the operation of a method; that of GET for HEAD, and any for a method without one */
function findOperation({ route }: Match, method: string): Operation | undefined {
  const { operations } = route.path;
  return operations.get(method) ?? (method === 'HEAD' || method === 'OPTIONS' ? operations.get('GET') : undefined);
}
