/** Translates requests into the names of a document, and their answers into words. */
import { readCatalogueTable } from './catalogue-table.ts';
import { Document, type Fault, VocabularyError, writeFault } from './document.ts';
import { ADDRESS, type Exchange, RequestExchange } from './exchange.ts';
import { preferredTag } from './headers.ts';
import { Vocabulary } from './nodes.ts';
import { countLiterals, findRoute, type Match, type Route, readRoutes, readSegments, writeTemplate } from './paths.ts';
import { checkTable, Words } from './table.ts';
import { asObject, isObject } from './words.ts';

export type Select = 'path' | 'prefix' | 'host' | 'header' | ((request: Request) => string | undefined);

export interface Options {
  /** The parsed content of an OpenAPI document. */
  readonly document: unknown;
  /** A table for each vocabulary, by its tag: of this package's form, or that of a catalogue. */
  readonly tables: Readonly<Record<string, unknown>>;
  /** What says which vocabulary a request is in; by default the words of its path. */
  readonly select?: Select;
  /** Tag of the language of the document's own names. */
  readonly language?: string;
  /** Origin of the API, if it is not that of the requests: in answers it becomes theirs. */
  readonly api?: string;
  /** Whether words of another vocabulary are answered 400, as by default, or handed over. */
  readonly foreign?: 'refuse' | 'pass';
  /** Headers that sign a request, besides those that its operation declares: it is refused where it would have to be changed. */
  readonly signatures?: readonly string[];
  /** Told once of each name without a word, and of each answer that the document does not describe. */
  readonly onNotice?: (notice: string) => void;
}

/** The vocabulary of a request. */
export interface Selected {
  readonly vocabulary: Vocabulary;
  /** The path without what selected the vocabulary. */
  readonly path: string;
  /** What goes before the paths of answers. */
  readonly prefix: string;
  readonly match?: Match | undefined;
}

export class Translator {
  readonly document: Document;
  readonly routes: readonly Route[];
  readonly vocabularies: ReadonlyMap<string, Vocabulary>;
  /** How often the document did not describe an answer, by place. */
  readonly undescribed = new Map<string, number>();
  readonly select: Select;
  readonly options: Options;
  /** Segments that only vocabularies have. */
  readonly #foreignSegments = new Map<string, Vocabulary>();

  /** @throws VocabularyError that lists all faults of the document and the tables */
  constructor(options: Options) {
    this.options = options;
    this.select = options.select ?? 'path';
    this.document = new Document(options.document);
    this.routes = readRoutes(this.document);
    const tables = Object.entries(options.tables).map(([tag, content]) => {
      const isCatalogue = isObject(content) && 'fields' in content;
      return { tag, table: isCatalogue ? readCatalogueTable(content, this.document) : content };
    });
    const malformed = tables.flatMap(({ tag, table }) => checkTable(tag, table, this.document));
    const words = tables.map(({ tag, table }) => new Words(tag, asObject(table)));
    this.vocabularies = new Map(words.map((own) => [own.tag, new Vocabulary(own, words, this.document, this.routes)]));
    const names = new Set(this.routes.flatMap(({ segments }) => segments.map(({ text }) => text)));
    for (const vocabulary of this.vocabularies.values()) {
      for (const name of names) {
        const word = vocabulary.words.findPath(name)?.word;
        if (word !== undefined && !names.has(word)) this.#foreignSegments.set(word, vocabulary);
      }
    }
    const all = [...this.document.faults, ...malformed, ...this.#check()];
    if (all.length > 0) throw new VocabularyError(all);
    for (const notice of this.document.notices) this.#notice(writeFault(notice));
    for (const vocabulary of this.vocabularies.values()) this.#noticeMissing(vocabulary);
  }

  *#check(): Iterable<Fault> {
    for (const { faults } of this.vocabularies.values()) yield* faults;
    if (this.select !== 'path') return;
    const templates = new Map(this.routes.map((route) => [writeTemplate(route, undefined), { route, tag: '' }]));
    for (const { words, tag } of this.vocabularies.values()) {
      for (const route of this.routes) {
        const template = writeTemplate(route, words);
        const other = templates.get(template) ?? { route, tag };
        templates.set(template, other);
        if (other.tag === tag || (other.route === route && other.tag === '')) continue;
        const message = `${template} is ${route.template} here and ${other.route.template} in "${other.tag || 'the document'}"; choose other words, or another way to select a vocabulary`;
        yield { file: tag, pointer: '/paths', message };
      }
    }
  }

  #notice(text: string): void {
    this.options.onNotice?.(text);
  }

  #noticeMissing({ words, tag, missing }: Vocabulary): void {
    const unused = words.listUnused();
    if (unused.length > 0) this.#notice(`${tag}: the document has no name for ${unused.join(', ')}`);
    const isReachable = this.routes.some((route) => writeTemplate(route, words) !== writeTemplate(route, undefined));
    if (this.select === 'path' && !isReachable) {
      this.#notice(`${tag}: no path has a word, so that no request is in this vocabulary; select it by something else`);
    }
    if (missing.size > 0) this.#notice(`${tag}: there is no word for ${[...missing].join(', ')}`);
  }

  /** @returns the vocabulary of a request; nothing if it is in the document's own names */
  #selectVocabulary(request: Request, path: string): Selected | undefined {
    const { select } = this;
    if (select === 'path') return this.#selectByPath(path);
    if (select === 'prefix') {
      const [, first = ''] = path.split('/', 2);
      const vocabulary = this.vocabularies.get(first);
      return vocabulary && { vocabulary, path: path.slice(first.length + 1) || '/', prefix: `/${first}` };
    }
    const vocabulary = this.vocabularies.get(this.#selectTag(request, select) ?? '');
    return vocabulary && { vocabulary, path, prefix: '' };
  }

  #selectTag(request: Request, select: Exclude<Select, 'path' | 'prefix'>): string | undefined {
    if (select === 'host') return new URL(request.url).hostname.split('.')[0];
    if (select !== 'header') return select(request);
    const tags = [this.options.language ?? '', ...this.vocabularies.keys()];
    return preferredTag(request.headers.get('accept-language'), tags);
  }

  #selectByPath(path: string): Selected | undefined {
    const segments = readSegments(path);
    const word = segments.texts.find((text) => this.#foreignSegments.has(text));
    const foreign = this.#foreignSegments.get(word ?? '');
    if (!foreign) return undefined;
    let best: Selected | undefined;
    let literals = countLiterals(findRoute(foreign.root, segments, 'out'));
    for (const vocabulary of this.vocabularies.values()) {
      const match = findRoute(vocabulary.root, segments, 'in');
      if (!match || countLiterals(match) <= literals) continue;
      literals = countLiterals(match);
      best = { vocabulary, path, prefix: '', match };
    }
    // What no vocabulary has may be a mixture of words.
    const isMixed = literals < 0 && findRoute(foreign.root, segments, 'in', true) !== undefined;
    return isMixed ? { vocabulary: foreign, path, prefix: '' } : best;
  }

  /**
   * @param mount the path at which the API is mounted and which its document does not have
   * @returns the exchange of a request in a vocabulary; nothing if it is in the document's own names
   */
  toCanonical(request: Request, mount = ''): Exchange | Promise<Exchange> | undefined {
    const [, origin = '', whole = '', query] = ADDRESS.exec(request.url) ?? [];
    const path = whole.slice(mount.length) || '/';
    const selection = this.#selectVocabulary(request, path);
    return selection && new RequestExchange(this, request, { ...selection, mount, origin, query }).begin();
  }

  count(place: string): void {
    const count = (this.undescribed.get(place) ?? 0) + 1;
    this.undescribed.set(place, count);
    if (count === 1) this.#notice(`the document does not describe ${place}, which is answered as it is`);
  }
}
