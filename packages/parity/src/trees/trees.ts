/** Two trees of an API that a table of words relates, whoever translates. */
import { decodeUri, type Operation } from '../../../vocabularies/src/document.ts';
import { translateDocument } from '../../../vocabularies/src/translate-document.ts';
import { Translator } from '../../../vocabularies/src/translator.ts';
import type { Answer } from '../kit/canonical.ts';
import { type Difference, turn } from '../kit/compare.ts';
import { type Dictionary, type Fetch, readText } from '../kit/dictionary.ts';
import { type ApiRequest, writeRequest } from '../kit/translate.ts';
import { pairDictionaries, Relation } from '../kit/words.ts';
import { NotComparable } from '../texts.ts';
import { Comparer, readExactBody, relate } from './compare.ts';
import { omitNames, Reader } from './document.ts';
import { compareDictionaries, compareDocuments } from './documents.ts';
import { findItems, listKeys, Pool } from './values.ts';

/** A request in the words of the second tree. */
export interface Case extends ApiRequest {
  /** What it is about; findings and JUnit name it. */
  readonly kind: string;
  /** Its query has the words of the other tree, which are refused, or are ignored as what nobody knows is. */
  readonly isForeign?: true;
  /** Asked of the list itself, which does what there is beside it: `/api/cars` instead of `/api/groups/cars`. */
  readonly isOnList?: true;
  /** What is asked after it: the next page, or the same with the entity tag that came. */
  readonly follow?: 'next' | 'own tag';
}

/** A case, and the tags of the two trees that it is asked in. */
export interface Trial {
  readonly request: Case;
  readonly one: string;
  readonly other: string;
}

/** An answer as it came, which a translation needs whole. */
export interface Received extends Answer {
  readonly text: string;
}

/** A request to one tree, and its answer. */
export interface Exchange {
  readonly tag: string;
  readonly request: ApiRequest;
  readonly answer: Received;
}

/** Two answers that differ. */
export interface Mismatch {
  readonly exchanges: readonly [Exchange, Exchange];
  readonly differences: readonly Difference[];
}

/** What became of a case; `moved` if others have written meanwhile. */
export type Outcome =
  | { readonly kind: 'same'; readonly status: number; readonly rows: number }
  | { readonly kind: 'moved' }
  | ({ readonly kind: 'different' } & Mismatch);

export interface TreesOptions {
  /** The addresses below which the paths of the document are: of the tree with its names, and of that with the words. */
  readonly bases: readonly [string, string];
  /** The document of the first tree. */
  readonly document: unknown;
  /** A table of words: of the package `vocabularies`, or of a catalogue. */
  readonly table: unknown;
  /** What the trees are called; by default `A` and `B`. */
  readonly tags?: readonly [string, string];
  /** Tag of the table's language, if it has one. */
  readonly language?: string | undefined;
  /** The document of the second tree, if it has one of its own. */
  readonly otherDocument?: unknown;
  /** The dictionaries of both trees, if they publish them. */
  readonly dictionaries?: readonly [Dictionary, Dictionary];
  /** Members and parameters of the second tree whose values are not compared. */
  readonly skipped?: ReadonlySet<string>;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The most requests a second. */
  readonly rate?: number | undefined;
  readonly get?: Fetch;
}

/** An address at which nobody listens. */
const NOWHERE = 'http://parity.invalid';
const WITHOUT_BODY = [101, 204, 205, 304];
/** How many items of a list are known by their paths. */
const MOST_PATHS = 8;

export class Trees {
  readonly tags: readonly [string, string];
  /** Sent with each request; they may be secret. All names of headers are in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  /** The document in the words of the second tree. */
  readonly reader: Reader;
  readonly pool = new Pool();
  readonly words = new Relation();
  readonly isCatalogue: boolean;
  /** Media types of answers that were not compared. */
  readonly unread: ReadonlySet<string>;
  /** Those that the trees do not share. */
  readonly operations: readonly Operation[];
  readonly #options: TreesOptions;
  readonly #translator: Translator;
  readonly #comparer: Comparer;
  readonly #get: Fetch;

  private constructor(options: TreesOptions) {
    const { document, table, bases, language = '', tags = ['A', 'B'], headers = {} } = options;
    this.tags = tags;
    this.headers = Object.fromEntries(new Headers(headers));
    this.#options = options;
    // Links to the same in the table's language lead back.
    const tag = language || 'words';
    const api = new URL(bases[0]).origin;
    this.#translator = new Translator({ document, tables: { [tag]: table }, select: () => tag, foreign: 'pass', api });
    this.reader = new Reader(translateDocument(document, table));
    // What both trees share has one answer.
    const { operations } = this.#translator.document;
    const templates = new Map(operations.map(({ id, template }) => [id, omitNames(template)]));
    this.operations = this.reader.operations.filter(
      ({ id, template }) => bases[0] !== bases[1] || templates.get(id) !== omitNames(template),
    );
    for (const { text, to } of this.#translator.vocabularies.get(tag)?.terms ?? []) this.words.pair(text, to);
    for (const word of options.skipped ?? []) this.words.skipped.add(word);
    for (const [name, word] of options.dictionaries ? pairDictionaries(...options.dictionaries) : [])
      this.words.pair(name, word);
    this.isCatalogue = JSON.stringify(document).includes('"x-collection"');
    this.#comparer = new Comparer(this.words, { ...options, language, isCatalogue: this.isCatalogue });
    this.unread = this.#comparer.unread;
    this.#get = createPoliteFetch(options.get ?? fetch, options.rate);
  }

  /**
   * Reads what both trees hold, so that requests can be made.
   *
   * @throws NotComparable if the first tree refuses to be read; VocabularyError if the table does not fit the document
   */
  static async open(options: TreesOptions): Promise<Trees> {
    const trees = new Trees(options);
    await trees.#explore();
    return trees;
  }

  /** @returns the address under which a tree is asked for a path and query */
  resolveAddress(tag: string, url: string): string {
    return this.#options.bases[tag === this.tags[0] ? 0 : 1].replace(/\/$/, '') + url;
  }

  async #translate({ method = 'GET', url, headers = {}, body }: ApiRequest) {
    // A tag is each tree's own.
    const unconditional = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('if-')));
    const init = { method, ...writeRequest({ headers: unconditional, body }) };
    const exchange = await this.#translator.toCanonical(new Request(NOWHERE + url, init));
    if (!exchange) throw new TypeError(`no vocabulary for ${url}`);
    return exchange;
  }

  /** @returns a case in the words of a tree */
  async translateRequest({ kind, follow, isForeign, isOnList, ...request }: Case, tag: string): Promise<ApiRequest> {
    if (isForeign) return this.#nameForeignParameters(request, tag);
    const translated = tag === this.tags[1] ? undefined : (await this.#translate(request)).request;
    // `URL` would resolve what it decodes as dots; a path that no template has stays as it is.
    const url = translated?.url.replace(NOWHERE, '') ?? request.url;
    const headers = Object.entries(request.headers ?? {}).map(([name, value]) => {
      return [name, translated?.headers.get(name) ?? value] as const;
    });
    return {
      ...request,
      url: isOnList ? url.replace(/^(\/[^/?]*)\/[^/?]*(?=\/)/, '$1') : url,
      ...(request.headers && { headers: Object.fromEntries(headers) }),
      ...(request.body !== undefined && translated && { body: await translated.text() }),
    };
  }

  /** Names of the other tree are as good as names that nobody knows. */
  async #nameForeignParameters(request: ApiRequest, tag: string): Promise<ApiRequest> {
    const translated = await this.translateRequest({ ...request, kind: '' }, this.tags[0]);
    const isSecond = tag === this.tags[1];
    const [[path], query = ''] = [(isSecond ? request : translated).url.split('?'), translated.url.split('?')[1]];
    const names = query.split('&').filter((pair) => this.words.isNameOnly(decodeUri(pair.split('=')[0] ?? '')));
    const pairs = names.map((pair, at) => (isSecond ? pair : `zzzzzz_${at}=1`));
    return { ...request, url: [path, ...(pairs.length > 0 ? [pairs.join('&')] : [])].join('?') };
  }

  async send({ method = 'GET', url, headers: own, body: content }: ApiRequest, tag: string): Promise<Received> {
    const { headers: all, ...body } = writeRequest({ headers: { ...this.headers, ...own }, body: content });
    const base = this.resolveAddress(tag, '');
    const { origin } = new URL(base);
    // A link may lead to another host, to which no key is sent.
    if (!url.startsWith(`${origin}/`) && !/^\/(?!\/)/.test(url)) throw new NotComparable('no-address', { url, origin });
    const response = await this.#get(base + relate(base, url), {
      method,
      headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')),
      redirect: 'manual',
      ...body,
    });
    const headers = Object.fromEntries(response.headers);
    // A stream of events has no end.
    const isEndless = /^text\/event-stream/.test(headers['content-type'] ?? '');
    if (isEndless) await response.body?.cancel();
    const text = isEndless ? '' : await readText(response, url);
    return { url, status: response.status, headers, body: readExactBody(text, headers['content-type']), text };
  }

  /**
   * @param isWrite whether each answer is about an item of its own
   * @returns where two answers differ, but for their words
   */
  async compare(one: Exchange, other: Exchange, request: Case, isWrite = false): Promise<readonly Difference[]> {
    if (one.tag === this.tags[1]) return (await this.compare(other, one, request, isWrite)).map(turn);
    const { status } = other.answer;
    if (request.isForeign && status >= 400 && status < 500) return [];
    // What a list does as there is beside it is understood as there.
    const url = request.isOnList ? request.url : other.request.url;
    const translated = await this.translateAnswer(one.answer, { ...other.request, url });
    return this.#comparer.compare({ original: one.answer, translated, actual: other.answer }, isWrite);
  }

  /** @param request in words @returns an answer of the first tree in words */
  async translateAnswer(answer: Received, request: ApiRequest): Promise<Answer> {
    const { status, headers: own, text } = answer;
    const isEmpty = text === '' || WITHOUT_BODY.includes(status) || request.method === 'HEAD';
    const { toWords } = await this.#translate(request);
    const written = await toWords(new Response(isEmpty ? null : text, { status, headers: own }));
    const headers = Object.fromEntries(written.headers);
    return { ...answer, headers, body: readExactBody(await readText(written, answer.url), headers['content-type']) };
  }

  /** @returns where the documents, and the dictionaries, of both trees differ */
  compareDocuments(): readonly Difference[] {
    const { otherDocument, dictionaries, language = '' } = this.#options;
    if (otherDocument === undefined) return [];
    const other = new Reader(otherDocument);
    return [
      ...(dictionaries ? compareDictionaries(...dictionaries, [this.reader, other], this.words) : []),
      ...compareDocuments(this.reader, other, language, this.words),
    ];
  }

  /** Asks the first tree for what a path in words leads to. @returns the answer in words */
  async readInWords(url: string): Promise<Answer> {
    const [first] = this.tags;
    return this.translateAnswer(await this.send(await this.translateRequest({ kind: 'explore', url }, first), first), {
      url,
    });
  }

  /** Finds paths of each template: the lists first, then their items by what may be their keys. */
  async #explore(): Promise<void> {
    const groups = [...Map.groupBy(this.operations, ({ template }) => template)];
    const count = ([template]: (typeof groups)[number]): number => template.split('/').length;
    const refusals: number[] = [];
    for (const [template, operations] of groups.toSorted((one, other) => count(one) - count(other))) {
      const paths = await this.#findPaths(template);
      this.pool.paths.set(template, paths);
      const isRead = operations.some(({ method }) => method === 'GET');
      for (const path of isRead ? paths.slice(0, 3) : []) {
        const { status, body } = await this.readInWords(path);
        if (status === 401 || status === 403) refusals.push(status);
        if (status === 200) this.pool.add(body);
      }
    }
    const [status] = refusals;
    if (this.pool.values.size === 0 && status !== undefined) throw new NotComparable('key', { status });
  }

  async #findPaths(template: string): Promise<readonly string[]> {
    if (!template.includes('{')) return [template];
    const [, before = '', last = '', parameter] = /^(.*)\/(\{([^}]*)\}|[^/]*)$/.exec(template) ?? [];
    const parents = before === '' ? [] : (this.pool.paths.get(before) ?? (await this.#findPaths(before)));
    if (parameter === undefined) return last.includes('{') ? [] : parents.map((path) => `${path}/${last}`);
    const paths: string[] = [];
    for (const list of parents.slice(0, 4)) {
      const { status, body } = await this.readInWords(list);
      const items = (status === 200 && findItems(body)) || [];
      const key = await this.#findKey(list, items[0], parameter);
      const keys = items.flatMap((item) => (key === undefined ? [] : (listKeys(item, parameter)[key] ?? [])));
      paths.push(...keys.slice(0, MOST_PATHS).map((key) => `${list}/${encodeURIComponent(key)}`));
    }
    return paths.slice(0, MOST_PATHS * 2);
  }

  /** @returns which of the possible keys of an item leads to it */
  async #findKey(list: string, item: unknown, parameter: string): Promise<number | undefined> {
    for (const [at, key] of listKeys(item, parameter).slice(0, 6).entries()) {
      if ((await this.readInWords(`${list}/${encodeURIComponent(key)}`)).status === 200) return at;
    }
    return undefined;
  }
}

/** Milliseconds after which an answer is not waited for any longer. */
const PATIENCE = 30_000;
/** Seconds that a service may ask to wait at a time. */
const LONGEST_WAIT = 60;

/** @returns what asks in turn, at most `rate` times a second, and waits for as long as a service asks (429) */
function createPoliteFetch(get: Fetch, rate: number | undefined): Fetch {
  let turn = 0;
  const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  return async (url, init) => {
    for (let tries = 0; ; tries++) {
      if (rate !== undefined) {
        turn = Math.max(turn + 1000 / rate, performance.now());
        await wait(turn - performance.now());
      }
      const response = await get(url, { ...init, signal: AbortSignal.timeout(PATIENCE) });
      if (response.status !== 429 || tries === 5) return response;
      const seconds = Number(response.headers.get('retry-after')) || 1;
      await wait(Math.min(Math.max(seconds, 0), LONGEST_WAIT) * 1000);
    }
  };
}
