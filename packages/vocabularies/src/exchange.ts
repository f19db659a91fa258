/** One request in a vocabulary and its answer. */
import {
  type Body,
  type Bytes,
  createTransform,
  exchangeBody,
  exchangeWhole,
  readCache,
  type Transform,
} from './bodies.ts';
import { createCanonical } from './canonical-request.ts';
import { decodeUri, findAnswer, findContent, type Operation } from './document.ts';
import { changeAnswerHeaders, changeRequestHeaders, type SomeHeaders } from './headers.ts';
import type { ContentNodes, Direction, Vocabulary } from './nodes.ts';
import { findRoute, leadsBack, type Match, readSegments, writePath } from './paths.ts';
import { createProblem, exchangeProblem, type ProblemCode, refuseForeign } from './problems.ts';
import { parseJson } from './scan.ts';
import { type Context, exchangePairs, exchangeValue, type ForeignWord, findTerm } from './texts.ts';
import type { Selected, Translator } from './translator.ts';

/** A request in a vocabulary, and how its answer is translated. */
export interface Exchange {
  readonly tag: string;
  /** The path as the document has it; absent if it is none of the document's. */
  readonly template: string | undefined;
  /** The request in the document's names; absent if it is refused. */
  readonly request?: Request;
  /** The answer to a request that is refused. */
  readonly refusal?: Response;
  /** Resolves with a refusal, if a body that is handed over as it arrives turns out to have words of another vocabulary. */
  readonly refused?: Promise<Response> | undefined;
  /** @returns a promise, unless all of the answer is there */
  readonly toWords: (answer: Response) => Response | Promise<Response>;
}

/** The vocabulary of a request and the parts of its address. */
interface Address extends Selected {
  readonly mount: string;
  readonly origin: string;
  readonly query: string | undefined;
}

type PathWithOperation = { readonly path: string; readonly operation: Operation | undefined };

/** More words of other vocabularies are not listed. */
const MOST_LISTED = 100;
const WITHOUT_BODY = [204, 205, 304];
const ADDRESS = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*|\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?(#.*)?$/is;
const SIGNATURE = /^(x-(hub-)?)?signature(-input|-256)?$/i;

export class RequestExchange {
  readonly #translator: Translator;
  readonly #request: Request;
  readonly #vocabulary: Vocabulary;
  readonly #address: Address;
  readonly #match: Match | undefined;
  readonly #operation: Operation | undefined;
  readonly #foreign: ForeignWord[] = [];
  readonly #in: Context;
  readonly #out: Context;
  #refused: Promise<Response> | undefined;
  /** The last path of an answer that was exchanged: the links of one answer share it. */
  #last: { readonly from: string; readonly to: PathWithOperation | undefined } | undefined;

  constructor(translator: Translator, request: Request, address: Address) {
    this.#translator = translator;
    this.#request = request;
    this.#address = address;
    const { vocabulary, path } = address;
    this.#vocabulary = vocabulary;
    this.#match = address.match ?? findRoute(vocabulary.root, readSegments(path), 'in');
    const operation = findOperation(this.#match, request.method);
    this.#operation = operation;
    const [first] = operation?.body.values() ?? [];
    const declared = operation && findContent(operation.body, request.headers.get('content-type') ?? '');
    const content = declared ?? first;
    const nodes = content && vocabulary.contents(content);
    const shared = { vocabulary, operation, body: nodes?.item ?? nodes?.body };
    const report = (foreign: ForeignWord): void => {
      if (this.#foreign.length < MOST_LISTED) this.#foreign.push(foreign);
    };
    this.#in = {
      ...shared,
      direction: 'in',
      report: translator.options.foreign === 'pass' ? undefined : report,
      exchangeAddress: (each) => this.#exchangeAddress(each, 'in'),
    };
    this.#out = { ...shared, direction: 'out', exchangeAddress: (each) => this.#exchangeAddress(each, 'out') };
  }

  begin(): Exchange | Promise<Exchange> {
    const match = this.#match;
    if (!match || !leadsBack(this.#vocabulary.root, match, 'out')) this.#judgePath();
    if (this.#foreign.length > 0) return this.#fail();
    if (this.#isSigned()) return this.#fail('signed-request');
    const { origin, query, path: sent } = this.#address;
    const path = match ? this.#writePath(match, 'in') : sent;
    const written = this.#exchangeQuery(query, 'in');
    const url = `${origin}${path}${written === undefined ? '' : `?${written}`}`;
    // A light request is made real by whoever asks for its body.
    const body = /^(GET|HEAD)$/.test(this.#request.method) ? null : this.#request.body;
    if (!body) return this.#handOver(url, null);
    return this.#exchangeRequestBody(url, body);
  }

  /** @param isUnpacked whether the body is in no coding any more */
  #handOver(url: string, body: Body | null, isUnpacked = false): Exchange {
    const vocabulary = this.#vocabulary;
    const changes = changeRequestHeaders(this.#request.headers, vocabulary.tag);
    if (changes) this.#exchangeHeaderParameters(changes);
    if (this.#foreign.length > 0) return this.#fail();
    if (!changes) return this.#fail('precondition-failed');
    if (isUnpacked) changes.set('content-encoding', null);
    const request = createCanonical({ original: this.#request, url, changes, body, vocabulary });
    const toWords = (answer: Response) => this.toWords(answer);
    return { tag: vocabulary.tag, template: this.#template, request, refused: this.#refused, toWords };
  }

  #fail(code?: ProblemCode): Exchange {
    const { words, tag } = this.#vocabulary;
    const refusal = code ? createProblem(words, code) : refuseForeign(words, this.#foreign);
    if (this.#translator.select === 'header') refusal.headers.set('vary', 'Accept-Language');
    return { tag, template: this.#template, refusal, toWords: (answer) => answer };
  }

  get #template(): string | undefined {
    return this.#match?.route.path.template;
  }

  #isSigned(): boolean {
    const headers =
      this.#operation?.parameters.filter((each) => each.in === 'header' && SIGNATURE.test(each.name)) ?? [];
    const names = [...(this.#translator.options.signatures ?? []), ...headers.map(({ name }) => name)];
    return names.some((name) => this.#request.headers.has(name));
  }

  /** A path that mixes words of several vocabularies leads nowhere; the right one is suggested. */
  #judgePath(): void {
    const { mount, prefix, path } = this.#address;
    const mixed = findRoute(this.#vocabulary.root, readSegments(path), 'in', true);
    if (!mixed) return;
    const segments = mixed.path.raw.map((raw, at) => {
      const foreign = mixed.terms[at]?.suggestion;
      return foreign === undefined ? raw : encodeURIComponent(foreign);
    });
    const [suggestion, word] = [`${mount}${prefix}/${segments.join('/')}`, mount + prefix + path];
    if (suggestion !== word) this.#in.report?.({ kind: 'path', place: path, word, suggestion });
  }

  #findRoute(path: string, direction: Direction): Match | undefined {
    return findRoute(this.#vocabulary.root, readSegments(path), direction);
  }

  #writePath(match: Match, direction: Direction, operation = findOperation(match, this.#request.method)): string {
    const context: Context = direction === 'in' ? this.#in : this.#out;
    const terms = operation && this.#vocabulary.parameters(operation, 'path').members.out;
    const exchange = (name: string, raw: string): string =>
      exchangeValue(context, raw, terms?.get(name)?.node, terms?.get(name)?.parameter, name);
    return writePath(match, exchange, operation?.names);
  }

  #exchangeQuery(query: string | undefined, direction: Direction, operation = this.#operation): string | undefined {
    if (!query || !operation) return query;
    const node = this.#vocabulary.parameters(operation, 'query');
    // A link of one list may lead to another with the parameters of the first.
    const own = this.#operation && this.#vocabulary.parameters(this.#operation, 'query');
    return exchangePairs(direction === 'in' ? this.#in : this.#out, node, query, '&', own);
  }

  /** Exchanges the values of headers that list some, and the names of cookies. */
  #exchangeHeaderParameters(changes: Map<string, string | null>): void {
    const operation = this.#operation;
    if (!operation) return;
    for (const { node, text, parameter } of this.#vocabulary.parameters(operation, 'header').members.out.values()) {
      const value = this.#request.headers.get(text);
      const parts = value?.split(/(\s*,\s*)/).map((part, at) => {
        return at % 2 === 0 ? decodeUri(exchangeValue(this.#in, part, node, parameter, text)) : part;
      });
      const written = parts?.join('') ?? value;
      if (written !== value) changes.set(text.toLowerCase(), written);
    }
    const cookies = this.#vocabulary.parameters(operation, 'cookie');
    const cookie = cookies.members.in.size > 0 ? this.#request.headers.get('cookie') : null;
    if (cookie !== null) changes.set('cookie', exchangePairs(this.#in, cookies, cookie, '; '));
  }

  async #exchangeRequestBody(url: string, body: ReadableStream<Uint8Array>): Promise<Exchange> {
    const { headers } = this.#request;
    const type = headers.get('content-type') ?? '';
    const content = this.#operation && findContent(this.#operation.body, type);
    const transform = content && createTransform(type, this.#vocabulary.contents(content), this.#in);
    if (!transform) return this.#handOver(url, body as ReadableStream<Bytes>);
    const coding = (headers.get('content-encoding') ?? 'identity').toLowerCase();
    const isPacked = /^(x-)?gzip$/.test(coding);
    if (!isPacked && coding !== 'identity') return this.#fail('unsupported-coding');
    const isJson = /[/+]json\b/i.test(type);
    const { promise, resolve } = Promise.withResolvers<Response>();
    const fail = (code?: ProblemCode): Exchange => {
      const failed = this.#fail(code);
      resolve(failed.refusal as Response);
      return failed;
    };
    try {
      const written = await exchangeBody(
        isPacked ? unpack(body, () => fail('malformed-body')) : body,
        true,
        // What is no JSON although it says so stays as it is.
        (whole) => (isJson && whole !== undefined && parseJson(whole) === undefined ? undefined : transform),
        () => {
          if (this.#foreign.length === 0) return;
          fail();
          throw new TypeError('the body has words of another vocabulary');
        },
      );
      if (written instanceof ReadableStream) this.#refused = promise;
      return this.#handOver(url, written, isPacked);
    } catch (fault) {
      if (isPacked && fault instanceof TypeError) return fail('malformed-body');
      throw fault;
    }
  }

  /** @returns an answer of the API in the vocabulary's words, at once if all of it is there */
  toWords(answer: Response): Response | Promise<Response> {
    const { status } = answer;
    if (status < 200) return answer;
    const cache = readCache(answer);
    const headers: SomeHeaders = cache?.headers ?? answer.headers;
    const { nodes, type, isError } = this.#describe(status, headers.get('content-type') ?? '');
    const coding = (headers.get('content-encoding') ?? 'identity').toLowerCase();
    // What is replaced in a problem depends on all of it.
    const transform = isError ? undefined : nodes && createTransform(type, nodes, this.#out);
    const isChanged = transform !== undefined || (isError && nodes !== undefined);
    if (isChanged && !/^(identity|gzip)$/.test(coding)) {
      return Promise.resolve(answer.body?.cancel()).then(() => createProblem(this.#vocabulary.words, 'bad-gateway'));
    }
    let isTranslated = isChanged && !isError;
    const create = (whole: string | undefined): Transform | undefined => {
      if (!isError) return transform;
      const { texts, areTranslated } = exchangeProblem(this.#out, whole);
      isTranslated = areTranslated;
      return createTransform(type, nodes ?? {}, { ...this.#out, texts });
    };
    const finish = (body: Body | null): Response => {
      if (cache) {
        this.#changeHeaders(cache.headers, isChanged, isTranslated);
        // A server that has made a light answer gets one back.
        const LightResponse = answer.constructor as typeof Response;
        return new LightResponse(body, { status, headers: Object.fromEntries(cache.headers) });
      }
      // Headers of what was fetched cannot be changed.
      const headers = new Headers(answer.headers);
      // A server that has all of an answer says its length.
      if (!(body instanceof ReadableStream)) headers.delete('transfer-encoding');
      const translated = new Response(body, { status, statusText: answer.statusText, headers });
      if (isChanged && coding === 'gzip') translated.headers.delete('content-encoding');
      this.#changeHeaders(translated.headers, isChanged, isTranslated);
      return translated;
    };
    if (this.#request.method === 'HEAD' || WITHOUT_BODY.includes(status)) return finish(null);
    if (cache) return finish(exchangeWhole(cache.text, create(cache.text)) ?? cache.text);
    const body = answer.body as ReadableStream<Bytes> | null;
    if (!body || !isChanged) return finish(body);
    const plain = coding === 'gzip' ? body.pipeThrough(new DecompressionStream('gzip')) : body;
    return exchangeBody(plain, isError, create).then(finish);
  }

  #describe(status: number, type: string) {
    const isJson = /[/+]json\b/i.test(type);
    const isError = isJson && (status >= 400 || type.startsWith('application/problem+json'));
    const content = this.#operation && findContent(findAnswer(this.#operation, status), type);
    const nodes: ContentNodes | undefined = content && this.#vocabulary.contents(content);
    const { method } = this.#request;
    const hasBody = method !== 'HEAD' && !WITHOUT_BODY.includes(status);
    if (!content && isJson && hasBody && !type.startsWith('application/problem+json')) {
      // An address that the document does not have may be any.
      this.#translator.count(`${method} ${this.#template ?? '*'} ${status} ${type}`);
    }
    return { nodes: nodes ?? (isError ? { body: undefined, item: undefined } : undefined), type, isError };
  }

  #changeHeaders(headers: SomeHeaders, isBodyChanged: boolean, isTranslated: boolean): void {
    const { tag } = this.#vocabulary;
    const cookies = this.#operation && this.#vocabulary.parameters(this.#operation, 'cookie');
    changeAnswerHeaders(headers, {
      mark: tag,
      isBodyChanged,
      language: this.#translator.options.language ?? headers.get('content-language') ?? undefined,
      exchangeAddress: (address) => this.#exchangeAddress(address, 'out'),
      restoreAddress: (address) => this.#exchangeAddress(address, 'in'),
      exchangeCookie: (name) => findTerm(this.#out, cookies, name)?.to ?? name,
    });
    if (isTranslated && headers.has('content-language')) headers.set('content-language', tag);
    if (this.#translator.select !== 'header') return;
    const vary = headers.get('vary');
    headers.set('vary', vary ? `${vary}, Accept-Language` : 'Accept-Language');
  }

  /** Exchanges an address of the API; one that leads elsewhere stays as it is. */
  #exchangeAddress(address: string, direction: Direction): string {
    const [, origin = '', path = '', query, fragment = ''] = ADDRESS.exec(address) ?? [];
    const writtenOrigin = this.#exchangeOrigin(origin, direction);
    if (writtenOrigin === undefined) return address;
    // What begins with another scheme is no address of the API.
    if ((path === '' && query === undefined) || /^[a-z][a-z0-9+.-]*:/i.test(path)) return address;
    // An address without a path leads to where it was found.
    const ownPath = { path: '', operation: findOperation(this.#match, 'GET') };
    const exchanged = path === '' ? ownPath : this.#exchangePath(path, direction);
    if (!exchanged) return address;
    const written = this.#exchangeQuery(query, direction, exchanged.operation);
    return `${writtenOrigin}${exchanged.path}${written === undefined ? '' : `?${written}`}${fragment}`;
  }

  /** @returns what the origin of an address becomes, which may be empty or lack its scheme; nothing if it is not that of the API */
  #exchangeOrigin(origin: string, direction: Direction): string | undefined {
    const { origin: own } = this.#address;
    const { api = own } = this.#translator.options;
    const to = direction === 'out' ? own : api;
    if (origin === '') return '';
    if (origin === own || origin === api) return to;
    const isOwn = [own, api].some((each) => each.replace(/^[a-z]+:/, '') === origin);
    return isOwn ? to.replace(/^[a-z]+:/, '') : undefined;
  }

  /** @returns what the path of an address of the API becomes, and the operation that is there */
  #exchangePath(path: string, direction: Direction): PathWithOperation | undefined {
    if (direction === 'out' && this.#last?.from === path) return this.#last.to;
    const { mount, prefix } = this.#address;
    const [before, after] = direction === 'in' ? [mount + prefix, mount] : [mount, mount + prefix];
    const absolute = path.startsWith('/') ? path : this.#resolve(path);
    const isMounted = before !== '' && absolute.startsWith(`${before}/`);
    const match = this.#findRoute(isMounted ? absolute.slice(before.length) : absolute, direction);
    const operation = findOperation(match, 'GET');
    const written = match && this.#writePath(match, direction, operation);
    const leadsThere = match && leadsBack(this.#vocabulary.root, match, direction === 'in' ? 'out' : 'in');
    const start = isMounted || !path.startsWith('/') ? after : direction === 'out' ? prefix : '';
    const exchanged = leadsThere ? { path: start + written, operation } : undefined;
    if (direction === 'out') this.#last = { from: path, to: exchanged };
    return exchanged;
  }

  /** @returns a relative path as an absolute one, which it was in the document's names; an empty one if it leads elsewhere */
  #resolve(path: string): string {
    const base = this.#match ? this.#writePath(this.#match, 'in') : this.#address.path;
    const url = URL.parse(path, `http://localhost${base}`);
    return url?.host === 'localhost' ? url.pathname : '';
  }
}

/** @returns the operation of a method; that of GET for HEAD, and for OPTIONS without one */
function findOperation(match: Match | undefined, method: string): Operation | undefined {
  const operations = match?.route.operations;
  return operations?.get(method) ?? (method === 'HEAD' || method === 'OPTIONS' ? operations?.get('GET') : undefined);
}

/** @param onFault called if a body is not in the coding that it says */
function unpack(body: ReadableStream<Uint8Array>, onFault: () => void): ReadableStream<Uint8Array> {
  const { readable, writable } = new DecompressionStream('gzip');
  // If the reader leaves before the end, the fault is not one of the coding.
  (body as ReadableStream<Bytes>).pipeTo(writable).catch((fault) => fault instanceof TypeError && onFault());
  return readable;
}
