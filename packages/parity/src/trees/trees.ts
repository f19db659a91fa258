/** Two trees of an API that a table of words relates, whoever translates. */

import { translateDocument } from '../../../vocabularies/src/translate-document.ts';
import { Translator } from '../../../vocabularies/src/translator.ts';
import { isObject } from '../../../vocabularies/src/words.ts';
import type { Answer } from '../kit/canonical.ts';
import { type Dictionary, type Fetch, readText } from '../kit/dictionary.ts';
import type { Difference } from '../kit/same.ts';
import type { Request as Asked } from '../kit/translate.ts';
import type { Random } from '../random.ts';
import {
  type Case,
  createPoliteFetch,
  type Exchange,
  type Mismatch,
  NotComparable,
  type Subject,
  type Trial,
} from '../subject.ts';
import { CaseMaker } from './cases.ts';
import { Comparer, parseExactly } from './compare.ts';
import { type Operation, Reader } from './document.ts';
import { compareDictionaries, compareDocuments } from './documents.ts';
import { findItems, listKeys, Pool } from './values.ts';
import { TableWords } from './words.ts';
import { Writer } from './writes.ts';

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
  readonly language?: string;
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

const isJson = (type: string): boolean => /^application\/(?:[\w.-]+\+)?json\b/i.test(type);

/** @returns an address of a list, instead of that of what there is beside it */
const withoutView = (url: string): string => url.replace(/^(\/[^/?]*)\/[^/?]*(?=\/)/, '$1');

/** @returns a path whose parameters have no names */
const withoutNames = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}');

/** @returns the body of an answer: a JSON value if it says that it is one, else its text */
function readBody(text: string, type: string): unknown {
  try {
    return isJson(type) && text !== '' ? parseExactly(text) : text;
  } catch {
    return text;
  }
}

/** @returns the words of two dictionaries, of whichever kind */
export function pairDictionaries(
  dictionaries: readonly [unknown, unknown] | undefined,
): readonly (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  const pair = (one: unknown, other: unknown, depth: number): void => {
    if (!isObject(one) || !isObject(other) || depth > 6) return;
    for (const [name, own] of Object.entries(one)) {
      const word = other[name];
      if (typeof own !== 'string' || typeof word !== 'string') pair(own, word, depth + 1);
      else if (
        !/^(?:tag|name|direction|kind|parent|refersTo|label|description|schema|unit|title)$/.test(name) &&
        !/[/.]/.test(own + word)
      )
        pairs.push([own, word]);
    }
  };
  if (dictionaries) pair(dictionaries[0], dictionaries[1], 0);
  return pairs;
}

export class Trees implements Subject {
  readonly tags: readonly [string, string];
  readonly parameters: readonly string[];
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly reader: Reader;
  readonly pool = new Pool();
  readonly #options: TreesOptions;
  readonly #translator: Translator;
  readonly #comparer: Comparer;
  readonly #words: TableWords;
  readonly #get: Fetch;
  /** Answers as they came, which a translation needs whole. */
  readonly #texts = new WeakMap<Answer, string>();
  readonly #writer: Writer;
  readonly #isCatalogue: boolean;
  /** Those that the trees do not share. */
  readonly #operations: readonly Operation[];

  private constructor(options: TreesOptions) {
    const { document, table, bases, language = '', tags = ['A', 'B'] } = options;
    this.tags = tags;
    this.headers = options.headers;
    this.#options = options;
    // Links to the same in the table's language lead back.
    const tag = language || 'words';
    this.#translator = new Translator({
      document,
      tables: { [tag]: table },
      select: () => tag,
      foreign: 'pass',
      api: new URL(bases[0]).origin,
    });
    this.reader = new Reader(translateDocument(document, table));
    this.parameters = this.reader.operations().flatMap(({ parameters }) => parameters.map(({ name }) => name));
    const names = new Map(new Reader(document).operations().map(({ id, template }) => [id, withoutNames(template)]));
    // What both trees share has one answer.
    const isShared = ({ id, template }: Operation): boolean =>
      bases[0] === bases[1] && names.get(id) === withoutNames(template);
    this.#operations = this.reader.operations().filter((each) => !isShared(each));
    this.#words = new TableWords(table);
    this.#pairParameters(document);
    this.#words.addNames(document);
    for (const word of options.skipped ?? []) this.#words.skipped.add(word);
    for (const [name, word] of pairDictionaries(options.dictionaries)) this.#words.pair(name, word);
    this.#isCatalogue = JSON.stringify(document).includes('"x-collection"');
    this.#comparer = new Comparer(this.#words, { bases, language, isCatalogue: this.#isCatalogue });
    this.#get = createPoliteFetch(options.get ?? fetch, options.rate);
    this.#writer = new Writer(this);
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

  /** Words that a table composes, such as those of ranges. */
  #pairParameters(document: unknown): void {
    const all = this.reader.operations();
    for (const [at, { parameters }] of new Reader(document).operations().entries()) {
      for (const [index, { name }] of parameters.entries()) {
        const word = all[at]?.parameters[index]?.name;
        if (word !== undefined) this.#words.pair(name, word);
      }
    }
  }

  /** @returns whether the values of a member, or of a parameter, are not compared */
  isSkipped(word: string): boolean {
    return this.#words.skipped.has(word);
  }

  addressOf(tag: string, url: string): string {
    return this.#options.bases[tag === this.tags[0] ? 0 : 1].replace(/\/$/, '') + url;
  }

  async #translate({ method = 'GET', url, headers = {}, body }: Asked) {
    const content = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const type = content === undefined ? {} : { 'Content-Type': 'application/json' };
    // A tag is each tree's own.
    const unconditional = Object.fromEntries(Object.entries(headers).filter(([name]) => !/^if-/i.test(name)));
    const sent = { method, headers: { ...type, ...unconditional }, ...(content !== undefined && { body: content }) };
    const exchange = await this.#translator.toCanonical(new Request(NOWHERE + url, sent));
    if (!exchange) throw new TypeError(`no vocabulary for ${url}`);
    return exchange;
  }

  async say({ asked, one, other }: Trial, tag: string): Promise<Asked> {
    const { kind, follow, isForeign, isOnList, ...request } = asked;
    if (isOnList) {
      const { isOnList: _, ...beside } = asked;
      const said = await this.say({ asked: beside, one, other }, tag);
      return { ...said, url: withoutView(said.url) };
    }
    // Names of the other tree are as good as names that nobody knows.
    if (isForeign) return this.#sayForeign(request, tag);
    if (tag === this.tags[1]) return request;
    const { request: translated } = await this.#translate(request);
    if (!translated) return request;
    const { pathname, search } = new URL(translated.url);
    // `URL` would resolve what it decodes as dots; a path that no template has stays as it is.
    const url = translated.url.startsWith(NOWHERE) ? translated.url.slice(NOWHERE.length) : pathname + search;
    const body = request.body === undefined ? undefined : await translated.text();
    const headers = Object.entries(request.headers ?? {}).map(
      ([name, value]) => [name, translated.headers.get(name) ?? value] as const,
    );
    return {
      ...request,
      url,
      ...(request.headers && { headers: Object.fromEntries(headers) }),
      ...(body !== undefined && { body }),
    };
  }

  async #sayForeign(request: Asked, tag: string): Promise<Asked> {
    const [first, second] = this.tags;
    const trial = { asked: { ...request, kind: '' }, one: first, other: second };
    const [path = '', query = ''] = (await this.say(trial, first)).url.split('?');
    const foreign = query
      .split('&')
      .filter((pair) => this.#words.isNameOnly(decodeURIComponent(pair.split('=')[0] ?? '')));
    const pairs = tag === second ? foreign : foreign.map((_, at) => `zzzzzz_${at}=1`);
    const own = tag === second ? request.url.split('?')[0] : path;
    return { ...request, url: pairs.length > 0 ? `${own}?${pairs.join('&')}` : (own ?? '') };
  }

  async send({ method = 'GET', url, headers: own = {}, body }: Asked, tag: string): Promise<Answer> {
    const content = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const type = content === undefined ? {} : { 'Content-Type': 'application/json' };
    const headers = new Map<string, readonly [string, string]>();
    for (const [name, value] of Object.entries({ ...this.headers, ...type, ...own }))
      headers.set(name.toLowerCase(), [name, value]);
    // A link may lead to another host, to which no key is sent.
    const local = this.#findLocal(url, tag);
    const response = await this.#get(this.addressOf(tag, local), {
      method,
      headers: Object.fromEntries([...headers.values()].filter(([, value]) => value !== '')),
      redirect: 'manual',
      ...(content !== undefined && { body: content }),
    });
    // A stream of events has no end.
    const isEndless = /^text\/event-stream/.test(response.headers.get('content-type') ?? '');
    if (isEndless) await response.body?.cancel();
    const text = isEndless ? '' : await readText(response, url);
    const answered = Object.fromEntries(response.headers);
    const answer = {
      url,
      status: response.status,
      headers: answered,
      body: readBody(text, answered['content-type'] ?? ''),
    };
    this.#texts.set(answer, text);
    return answer;
  }

  #findLocal(url: string, tag: string): string {
    const base = this.#options.bases[tag === this.tags[0] ? 0 : 1].replace(/\/$/, '');
    const { origin, pathname } = new URL(base);
    const local = url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
    if (!local.startsWith('/') || local.startsWith('//')) throw new NotComparable(`${url} is no address of ${origin}`);
    return pathname !== '/' && local.startsWith(`${pathname}/`) ? local.slice(pathname.length) : local;
  }

  steady({ status, headers, body }: Answer): unknown {
    const names = Object.keys(headers).filter(
      (name) =>
        !/^(?:date|age|x-request-id|server-timing|x-response-time|.*ratelimit.*|set-cookie|via|retry-after)$/.test(
          name,
        ),
    );
    const isError = status >= 400 && isObject(body);
    const own = isError
      ? Object.fromEntries(Object.entries(body).filter(([name]) => !/^(?:request_?id|timestamp)$/i.test(name)))
      : body;
    return {
      status,
      headers: Object.fromEntries(names.map((name) => [name, headers[name]])),
      body: JSON.stringify(own),
    };
  }

  async compare(one: Exchange, other: Exchange, { isForeign, isOnList, url }: Case): Promise<readonly Difference[]> {
    const { status } = one.tag === this.tags[1] ? one.answer : other.answer;
    return isForeign && status >= 400 && status < 500
      ? []
      : this.compareItems(one, other, false, isOnList ? url : undefined);
  }

  /** @param isWrite whether each answer is about an item of its own @param url by which the answer is understood, if not its own */
  async compareItems(one: Exchange, other: Exchange, isWrite: boolean, url?: string): Promise<readonly Difference[]> {
    const isTurned = one.tag === this.tags[1];
    const [first, second] = isTurned ? [other, one] : [one, other];
    const translated = await this.translateAnswer(
      first.answer,
      url === undefined ? second.request : { ...second.request, url },
    );
    const all = this.#comparer.compare({ original: first.answer, translated, actual: second.answer }, isWrite);
    return isTurned ? all.map(({ at, one: left, other: right }) => ({ at, one: right, other: left })) : all;
  }

  /** @param request in words @returns an answer of the first tree in words */
  async translateAnswer(answer: Answer, request: Asked): Promise<Answer> {
    const text =
      this.#texts.get(answer) ?? (typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
    const isEmpty = WITHOUT_BODY.includes(answer.status) || request.method === 'HEAD';
    const { toWords } = await this.#translate(request);
    const written = await toWords(
      new Response(isEmpty ? null : text, { status: answer.status, headers: answer.headers }),
    );
    const headers = Object.fromEntries(written.headers);
    return { ...answer, headers, body: readBody(await readText(written, answer.url), headers['content-type'] ?? '') };
  }

  /** @returns an answer whose text is changed, and which can be translated as it is then */
  mask(answer: Answer, change: (text: string) => string): Answer {
    const text = change(this.#texts.get(answer) ?? '');
    const headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, change(value)]));
    const masked = { ...answer, headers, body: readBody(text, headers['content-type'] ?? '') };
    this.#texts.set(masked, text);
    return masked;
  }

  describePlace({ at }: Difference, { answer }: Exchange): string {
    const parts = at.split('/').filter((part) => !/^\d+$/.test(part));
    if (parts[0] !== 'body' || answer.status >= 400) return parts.join('/');
    return ['body', ...parts.slice(1).slice(-1)].join('/');
  }

  explain({ differences }: Mismatch): readonly Difference[] {
    return differences;
  }

  makeCases(random: Random): Iterable<Case> {
    return new CaseMaker(
      {
        reader: this.reader,
        pool: this.pool,
        toWord: (name) => this.#words.toWord(name),
        isCatalogue: this.#isCatalogue,
        isSkipped: (name) => this.#words.skipped.has(name),
      },
      this.#operations,
      random,
    ).make();
  }

  writes(_one: string, _other: string, run: string) {
    return this.#writer.write(run);
  }

  clean(): Promise<number> {
    return this.#writer.clean();
  }

  compareDocuments(): readonly Difference[] {
    const { document, otherDocument, dictionaries, language = '' } = this.#options;
    if (otherDocument === undefined) return [];
    const inDictionaries = dictionaries ? compareDictionaries(...dictionaries) : [];
    const inDocuments = compareDocuments(this.reader.document, otherDocument, {
      original: document,
      language,
      words: this.#words,
    });
    return [...inDictionaries, ...inDocuments];
  }

  /** Asks the first tree for what a path in words leads to. @returns the answer in words */
  async readInWords(url: string): Promise<Answer> {
    const request = await this.say(
      { asked: { kind: 'explore', url }, one: this.tags[0], other: this.tags[1] },
      this.tags[0],
    );
    return this.translateAnswer(await this.send(request, this.tags[0]), { url });
  }

  /** Finds paths of each template: the lists first, then their items by what may be their keys. */
  async #explore(): Promise<void> {
    const operations = this.#operations;
    const templates = operations
      .map(({ template }) => template)
      .toSorted((one, other) => one.split('/').length - other.split('/').length);
    const refusals: number[] = [];
    for (const template of new Set(templates)) {
      const isRead = operations.some((each) => each.template === template && each.method === 'GET');
      const paths = await this.#findPaths(template);
      this.pool.paths.set(template, paths);
      for (const path of isRead ? paths.slice(0, 3) : []) {
        const { status, body } = await this.readInWords(path);
        if (status === 401 || status === 403) refusals.push(status);
        if (status === 200) this.pool.add(body);
      }
    }
    if (this.pool.values.size === 0 && refusals.length > 0)
      throw new NotComparable(`the first tree answers with ${refusals[0]}: give a --key that may read, or a --header`);
  }

  async #findPaths(template: string): Promise<string[]> {
    const at = template.lastIndexOf('/');
    const [before, last] = [template.slice(0, at), template.slice(at + 1)];
    const [, parameter] = /^\{([^}]*)\}$/.exec(last) ?? [];
    if (parameter === undefined) {
      if (!template.includes('{')) return [template];
      const parents = this.pool.paths.get(before) ?? (await this.#findPaths(before));
      return parents.map((path) => `${path}/${last}`).filter((path) => !path.includes('{'));
    }
    const lists = before === '' ? [] : (this.pool.paths.get(before) ?? (await this.#findPaths(before)));
    const found: string[] = [];
    for (const list of lists.slice(0, 4)) {
      const { status, body } = await this.readInWords(list);
      const items = (status === 200 && findItems(body)) || [];
      const key = await this.#findKey(list, items[0], parameter);
      const keys = items.flatMap((item) => (key === undefined ? [] : (listKeys(item, parameter)[key] ?? [])));
      found.push(...keys.slice(0, MOST_PATHS).map((each) => `${list}/${encodeURIComponent(each)}`));
    }
    return found.slice(0, MOST_PATHS * 2);
  }

  /** @returns which of the possible keys of an item leads to it */
  async #findKey(list: string, item: unknown, parameter: string): Promise<number | undefined> {
    const keys = listKeys(item, parameter).slice(0, 6);
    for (const [at, key] of keys.entries()) {
      const { status } = await this.readInWords(`${list}/${encodeURIComponent(key)}`);
      if (status === 200) return at;
    }
    return undefined;
  }
}
