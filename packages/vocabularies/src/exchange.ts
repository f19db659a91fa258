/** One request in a vocabulary and its answer. */
import { type Body, type Bytes, createTransform, exchangeBody, exchangeWhole, type Transform } from './bodies.ts';
import { createCanonical, readLightAnswer } from './canonical-request.ts';
import { type Content, findAnswer, findContent, type Operation } from './document.ts';
import {
  type AnswerChanges,
  changeAnswerHeaders,
  changeRequestHeaders,
  type HeaderList,
  type RequestChange,
} from './headers.ts';
import type { Direction, Vocabulary } from './nodes.ts';
import { findRoute, leadsBack, type Match, readSegments, writePath } from './paths.ts';
import { createProblem, exchangeProblem, type ProblemCode, refuseForeign } from './problems.ts';
import { parseJson } from './scan.ts';
import {
  type Context,
  exchangeCookies,
  exchangePairs,
  exchangePlainValue,
  exchangeValue,
  type ForeignWord,
  readPatch,
} from './texts.ts';
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
  /** @returns an answer of the API in the vocabulary's words, at once if all of it is there */
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
const PATCH = /^application\/json-patch\+json\b/i;
const WITHOUT_BODY = [204, 205, 304];
/** The parameters of a query at the end of a URI template (RFC 6570). */
const EXPRESSION = /\{[?&][^{}]*\}$/;
/** Origin, path, query and fragment of an address, each of which may be absent. */
export const ADDRESS = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*|\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?(#.*)?$/is;

export class RequestExchange implements Exchange {
  readonly tag: string;
  readonly template: string | undefined;
  request?: Request;
  refusal?: Response;
  refused?: Promise<Response>;
  readonly #translator: Translator;
  readonly #original: Request;
  readonly #vocabulary: Vocabulary;
  readonly #address: Address;
  readonly #match: Match | undefined;
  readonly #operation: Operation | undefined;
  /** What the body of the request is. */
  readonly #content: Content | undefined;
  readonly #foreign: ForeignWord[] = [];
  readonly #in: Context;
  readonly #out: Context;
  /** The last path of an answer that was exchanged: the links of one answer share it. */
  #last: { readonly from: string; readonly to: PathWithOperation | undefined } | undefined;

  constructor(translator: Translator, original: Request, address: Address) {
    const { vocabulary, path, match = findRoute(vocabulary.root, readSegments(path), 'in') } = address;
    const operation = findOperation(match, original.method);
    this.tag = vocabulary.tag;
    this.template = match?.route.template;
    this.#translator = translator;
    this.#original = original;
    this.#vocabulary = vocabulary;
    this.#address = address;
    this.#match = match;
    this.#operation = operation;
    const type = original.headers.get('content-type') ?? '';
    if (operation && operation.body.size > 0) this.#content = findContent(operation.body, type);
    const patched = PATCH.test(type) ? findPatched(match) : undefined;
    const content = patched ?? this.#content ?? operation?.body.values().next().value;
    const nodes = content && vocabulary.findContents(content);
    const shared = { vocabulary, operation, body: nodes?.item ?? nodes?.body };
    const report = (foreign: ForeignWord): void => {
      if (this.#foreign.length < MOST_LISTED) this.#foreign.push(foreign);
    };
    this.#in = {
      ...shared,
      direction: 'in',
      report: translator.options.foreign === 'pass' ? undefined : report,
      // The API knows nothing of where it is mounted.
      exchangeAddress: (text) => this.#exchangeAddress(text, 'in', ''),
    };
    this.#out = { ...shared, direction: 'out', exchangeAddress: (text) => this.#exchangeAddress(text, 'out') };
  }

  begin(): this | Promise<this> {
    const match = this.#match;
    if (!match || !leadsBack(this.#vocabulary.root, match, 'out')) this.#judgePath();
    if (this.#foreign.length > 0) return this.#refuse();
    const { headers, method } = this.#original;
    const isSent = (name: string): boolean => headers.has(name);
    if (this.#translator.options.signatures?.some(isSent) || this.#operation?.signatures.some(isSent))
      return this.#refuse('signed-request');
    const { origin, query, path } = this.#address;
    const url = origin + (match ? this.#writePath(match, 'in') : path) + this.#exchangeQuery(query, 'in');
    // A light request is made real by whoever asks for its body.
    const body = method === 'GET' || method === 'HEAD' ? null : this.#original.body;
    return body ? this.#exchangeRequestBody(url, body) : this.#handOver(url, null);
  }

  /** @param isUnpacked whether the body is in no coding any more */
  #handOver(url: string, body: Body | null, isUnpacked = false): this {
    const { headers } = this.#original;
    const isPart = headers.has('range') && !this.#mayChangeAnswer();
    const others = this.#exchangeHeaderParameters();
    if (isUnpacked) others.push(['content-encoding', null]);
    const changes = changeRequestHeaders(headers, this.tag, isPart, others);
    if (this.#foreign.length > 0) return this.#refuse();
    // A write that depends on a tag which no answer in this vocabulary ever had must fail.
    if (changes.get('if-match') === null) return this.#refuse('precondition-failed');
    this.request = createCanonical({ original: this.#original, url, changes, body, context: this.#out });
    return this;
  }

  /** @returns whether an answer of the operation may hold anything that is exchanged */
  #mayChangeAnswer(): boolean {
    const operation = this.#operation;
    const contents = [200, 206].flatMap((status) => [...((operation && findAnswer(operation, status)) ?? [])]);
    return contents.some(([type, content]) => {
      const nodes = this.#vocabulary.findContents(content);
      return type.includes('*') || createTransform(type, nodes, this.#out) !== undefined;
    });
  }

  /** @param code what the request is refused for; absent for words of other vocabularies */
  #refuse(code?: ProblemCode): this {
    const { words } = this.#vocabulary;
    this.refusal = code ? createProblem(words, code) : refuseForeign(words, this.#foreign);
    if (this.#translator.select === 'header') this.refusal.headers.set('vary', 'Accept-Language');
    return this;
  }

  /** A path that mixes words of several vocabularies leads nowhere; the right one is suggested. */
  #judgePath(): void {
    const { mount, prefix, path } = this.#address;
    const match = findRoute(this.#vocabulary.root, readSegments(path), 'in', true);
    if (!match) return;
    const segments = match.path.raw.map((raw, at) => {
      const foreign = match.terms[at]?.suggestion;
      return foreign === undefined ? raw : encodeURIComponent(foreign);
    });
    const [suggestion, word] = [`${mount}${prefix}/${segments.join('/')}`, mount + prefix + path];
    if (suggestion !== word) this.#in.report?.({ kind: 'path', place: path, word, suggestion });
  }

  #writePath(match: Match, direction: Direction, operation = findOperation(match, this.#original.method)): string {
    const context = direction === 'in' ? this.#in : this.#out;
    const terms = operation && this.#vocabulary.findParameters(operation, 'path').members.out;
    return writePath(match, (index, raw) => {
      const term = terms?.get(operation?.pathNames[index] ?? '');
      return term ? exchangeValue(context, raw, term.node, term.parameter, term.text) : raw;
    });
  }

  /** @returns a query with its question mark; an empty text without one */
  #exchangeQuery(query: string | undefined, direction: Direction, operation = this.#operation): string {
    if (!query || !operation) return query === undefined ? '' : `?${query}`;
    const node = this.#vocabulary.findParameters(operation, 'query');
    // A link of one list may lead to another with the parameters of the first.
    const own = this.#operation && this.#vocabulary.findParameters(this.#operation, 'query');
    return `?${exchangePairs(direction === 'in' ? this.#in : this.#out, node, query, own)}`;
  }

  /** Exchanges the values of headers that list some, and the names of cookies. */
  #exchangeHeaderParameters(): RequestChange[] {
    const changes: RequestChange[] = [];
    const { headers } = this.#original;
    const operation = this.#operation;
    const described = operation && this.#vocabulary.findParameters(operation, 'header').members.out;
    for (const term of described?.values() ?? []) {
      const value = headers.get(term.text);
      const newValue = value?.replaceAll(/[^\s,]+(?:\s+[^\s,]+)*/g, (part) =>
        exchangePlainValue(this.#in, part, term, term.text),
      );
      if (newValue !== undefined && newValue !== value) changes.push([term.text.toLowerCase(), newValue]);
    }
    const { cookies } = this.#vocabulary;
    const cookie = cookies.members.in.size > 0 ? headers.get('cookie') : null;
    if (cookie !== null) changes.push(['cookie', exchangeCookies(this.#in, cookies, cookie) || null]);
    return changes;
  }

  async #exchangeRequestBody(url: string, body: ReadableStream<Uint8Array>): Promise<this> {
    const { headers } = this.#original;
    const type = headers.get('content-type') ?? '';
    const create = (context: Context): Transform | undefined =>
      this.#content && createTransform(type, this.#vocabulary.findContents(this.#content), context);
    const transform = create(this.#in);
    if (!transform) return this.#handOver(url, body as ReadableStream<Bytes>);
    const coding = (headers.get('content-encoding') ?? 'identity').toLowerCase();
    const isPacked = /^(x-)?gzip$/.test(coding);
    if (!isPacked && coding !== 'identity') return this.#refuse('unsupported-coding');
    const isJson = /[/+]json\b/i.test(type);
    const { promise, resolve } = Promise.withResolvers<Response>();
    const fail = (code?: ProblemCode): void => resolve(this.#refuse(code).refusal as Response);
    try {
      const canonical = await exchangeBody(
        isPacked ? unpack(body, () => fail('malformed-body')) : body,
        true,
        (whole) => {
          const value = isJson && whole !== undefined ? parseJson(whole) : undefined;
          if (PATCH.test(type)) return create({ ...this.#in, ...readPatch(this.#in, value) });
          // What is no JSON although it says so stays as it is.
          return isJson && whole !== undefined && value === undefined ? undefined : transform;
        },
        () => {
          if (this.#foreign.length === 0) return;
          fail();
          throw new TypeError('the body has words of another vocabulary');
        },
      );
      if (canonical instanceof ReadableStream) this.refused = promise;
      return this.#handOver(url, canonical, isPacked);
    } catch (fault) {
      if (isPacked && fault instanceof TypeError) return this.#refuse('malformed-body');
      throw fault;
    }
  }

  readonly toWords = (answer: Response): Response | Promise<Response> => {
    const { status } = answer;
    if (status < 200) return answer;
    const light = readLightAnswer(answer);
    const headers = light?.headers ?? [...answer.headers];
    const type = findHeader(headers, 'content-type') ?? '';
    const coding = (findHeader(headers, 'content-encoding') ?? 'identity').toLowerCase();
    const isJson = /[/+]json\b/i.test(type);
    const isProblem = type.startsWith('application/problem+json');
    const isError = isJson && (status >= 400 || isProblem);
    const content = this.#operation && findContent(findAnswer(this.#operation, status), type);
    const hasBody = this.#original.method !== 'HEAD' && !WITHOUT_BODY.includes(status);
    // An address that the document does not have may be any.
    if (isJson && !content && !isProblem && hasBody)
      this.#translator.count(`${this.#original.method} ${this.template ?? '*'} ${status} ${type}`);
    const nodes = content ? this.#vocabulary.findContents(content) : {};
    // What is replaced in a problem depends on all of it.
    const transform = isError ? undefined : createTransform(type, nodes, this.#out);
    const isChanged = isError || transform !== undefined;
    if (isChanged && !/^(identity|gzip)$/.test(coding)) {
      return Promise.resolve(answer.body?.cancel()).then(() => createProblem(this.#vocabulary.words, 'bad-gateway'));
    }
    let isTranslated = isChanged;
    const create = (whole: string | undefined): Transform | undefined => {
      if (!isError) return transform;
      const { areTranslated, ...replacements } = exchangeProblem(this.#out, whole);
      isTranslated = areTranslated;
      return createTransform(type, nodes, { ...this.#out, ...replacements });
    };
    const finish = (body: Body | null, language: boolean | undefined): Response => {
      const newHeaders = this.#changeHeaders(headers, {
        isBodyChanged: isChanged,
        isStream: body instanceof ReadableStream,
        isTranslated: language,
      });
      if (!light) return new Response(body, { status, statusText: answer.statusText, headers: newHeaders });
      // A server that has made a light answer gets one back.
      const LightResponse = answer.constructor as typeof Response;
      return new LightResponse(body, { status, headers: light.isList ? newHeaders : Object.fromEntries(newHeaders) });
    };
    if (!hasBody) return finish(null, isError || status === 304 ? undefined : isChanged);
    if (light) {
      const translation = exchangeWhole(light.text, create(light.text));
      return finish(translation ?? light.text, translation !== undefined && isTranslated);
    }
    const body = answer.body as ReadableStream<Bytes> | null;
    if (!body || !isChanged) return finish(body, false);
    const plain = coding === 'gzip' ? body.pipeThrough(new DecompressionStream('gzip')) : body;
    // Bytes are handed back as they came if they are not what they are said to be.
    return exchangeBody(plain, isError, create).then((translation) =>
      finish(translation, isTranslated && !(translation instanceof Uint8Array)),
    );
  };

  #changeHeaders(
    headers: HeaderList,
    body: Pick<AnswerChanges, 'isBodyChanged' | 'isStream' | 'isTranslated'>,
  ): HeaderList {
    const { options, select } = this.#translator;
    const newHeaders = changeAnswerHeaders(headers, {
      ...body,
      mark: this.tag,
      language: options.language ?? findHeader(headers, 'content-language'),
      exchangeAddress: (address, direction) => this.#exchangeAddress(address, direction),
      exchangeCookie: (pair) => exchangeCookies(this.#out, this.#vocabulary.cookies, pair),
    });
    return select === 'header' ? addVary(newHeaders) : newHeaders;
  }

  /**
   * Exchanges an address of the API; one that leads elsewhere stays as it is.
   *
   * @param mount what goes before the path
   */
  #exchangeAddress(address: string, direction: Direction, mount = this.#address.mount): string {
    const [expression = ''] = EXPRESSION.exec(address) ?? [];
    const whole = address.slice(0, address.length - expression.length);
    const [, origin = '', path = '', query, fragment = ''] = ADDRESS.exec(whole) ?? [];
    const newOrigin = this.#exchangeOrigin(origin, direction);
    // What begins with another scheme is no address of the API.
    if (newOrigin === undefined || (path === '' && query === undefined) || /^[a-z][a-z0-9+.-]*:/i.test(path))
      return address;
    // An address without a path leads to where it was found.
    const own = { path: '', operation: findOperation(this.#match, 'GET') };
    const target = path === '' ? own : this.#exchangePath(path, direction, mount);
    if (!target) return address;
    const exchange = (text: string | undefined): string => this.#exchangeQuery(text, direction, target.operation);
    const names = expression.replaceAll(/[^{?&,*:}]+/g, (name) => exchange(name).slice(1));
    return newOrigin + target.path + exchange(query) + fragment + names;
  }

  /** @returns what the origin of an address becomes, which may be empty or lack its scheme; nothing if it is not that of the API */
  #exchangeOrigin(origin: string, direction: Direction): string | undefined {
    if (origin === '') return '';
    const { origin: own } = this.#address;
    const { api = own } = this.#translator.options;
    const to = direction === 'out' ? own : api;
    if (origin === own || origin === api) return to;
    const isOwn = [own, api].some((full) => full.replace(/^[a-z]+:/, '') === origin);
    return isOwn ? to.replace(/^[a-z]+:/, '') : undefined;
  }

  /** @returns what the path of an address of the API becomes, and the operation that is there */
  #exchangePath(path: string, direction: Direction, mount: string): PathWithOperation | undefined {
    if (direction === 'out' && this.#last?.from === path) return this.#last.to;
    const { mount: own, prefix } = this.#address;
    const { root } = this.#vocabulary;
    const [before, start] = direction === 'in' ? [own + prefix, mount] : [own, mount + prefix];
    const absolute = path.startsWith('/') ? path : this.#resolve(path);
    const isMounted = before !== '' && absolute.startsWith(`${before}/`);
    const match = findRoute(root, readSegments(isMounted ? absolute.slice(before.length) : absolute), direction);
    const operation = findTarget(match);
    const to =
      match && leadsBack(root, match, direction === 'in' ? 'out' : 'in')
        ? { path: start + this.#writePath(match, direction, operation), operation }
        : undefined;
    if (direction === 'out') this.#last = { from: path, to };
    return to;
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

/** @returns what a JSON Patch changes: what the path answers */
function findPatched(match: Match | undefined): Content | undefined {
  const operations = ['GET', 'PATCH'].flatMap((method) => findOperation(match, method) ?? []);
  const contents = operations.map((operation) => findContent(findAnswer(operation, 200), 'application/json'));
  return contents.find((content) => content !== undefined);
}

/** @returns the operation to which an address leads: that of GET, or the only one */
function findTarget(match: Match | undefined): Operation | undefined {
  const [only, other] = match?.route.operations.values() ?? [];
  return findOperation(match, 'GET') ?? (other ? undefined : only);
}

function findHeader(headers: HeaderList, name: string): string | undefined {
  return headers.find((header) => header[0] === name)?.[1];
}

function addVary(headers: HeaderList): HeaderList {
  const vary = findHeader(headers, 'vary');
  const others = headers.filter(([name]) => name !== 'vary');
  return [...others, ['vary', vary ? `${vary}, Accept-Language` : 'Accept-Language']];
}

/** @param onFault called if a body is not in the coding that it says */
function unpack(body: ReadableStream<Uint8Array>, onFault: () => void): ReadableStream<Uint8Array> {
  const { readable, writable } = new DecompressionStream('gzip');
  // If the reader leaves before the end, the fault is not one of the coding.
  (body as ReadableStream<Bytes>).pipeTo(writable).catch((fault) => fault instanceof TypeError && onFault());
  return readable;
}
