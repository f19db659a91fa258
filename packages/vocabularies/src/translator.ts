/** Translates requests into the names of a document, and their answers into words. */
import { readCatalogueTable } from './catalogue-table.ts';
import { type Content, Document, type Fault, isObject, VocabularyError } from './document.ts';
import { type Exchange, RequestExchange } from './exchange.ts';
import { preferredTag } from './headers.ts';
import { checkPaths, type Match, PathTree, pathPattern, type Route, readRoutes, readSegments } from './paths.ts';
import { type ContentShapes, Shapes } from './shapes.ts';
import { checkTable, type Table, Words } from './table.ts';
import { findActive, Vocabulary } from './vocabulary.ts';

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
  /** Whether words of another vocabulary are answered 400, as by default, or handed over. */
  readonly foreign?: 'refuse' | 'pass';
  /** Headers that sign a request, so that it is refused where it would have to be changed. */
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
  readonly match?: Match;
}

export class Translator {
  readonly document: Document;
  readonly shapes: Shapes;
  readonly routes: readonly Route[];
  readonly vocabularies: ReadonlyMap<string, Vocabulary>;
  /** How often the document did not describe an answer, by place. */
  readonly undescribed = new Map<string, number>();
  readonly select: Select;
  readonly options: Options;
  readonly #canonical: PathTree;
  /** Shapes of contents, and of those of problems. */
  readonly #contents = [new WeakMap<Content, ContentShapes>(), new WeakMap<Content, ContentShapes>()] as const;
  readonly #trees = new Map<Vocabulary, PathTree>();
  /** Paths with words of any vocabulary, mixed. */
  readonly #mixed: PathTree;
  /** Segments that only vocabularies have. */
  readonly #foreignSegments = new Map<string, Vocabulary>();

  /** @throws VocabularyError that lists all faults of the document and the tables */
  constructor(options: Options) {
    this.options = options;
    this.select = options.select ?? 'path';
    this.document = new Document(options.document);
    this.shapes = new Shapes(this.document);
    this.routes = readRoutes(this.document);
    const read = Object.entries(options.tables).map(([tag, content]) => {
      const own = isObject(content) && 'fields' in content ? readCatalogueTable(content, this.document) : content;
      return { words: new Words(tag, own as Table), faults: checkTable(tag, own) };
    });
    const faults = [...this.document.faults, ...read.flatMap((each) => each.faults)];
    if (faults.length > 0) throw new VocabularyError(faults);
    const words = read.map((each) => each.words);
    this.#readShapes();
    const active = findActive(this.shapes.all, words);
    this.vocabularies = new Map(words.map((each) => [each.tag, new Vocabulary(each, words, this.shapes, active)]));
    this.#canonical = new PathTree(this.routes, [undefined]);
    this.#mixed = new PathTree(this.routes, [undefined, ...words]);
    const names = new Set(this.routes.flatMap(({ segments }) => segments.map(({ text }) => text)));
    for (const vocabulary of this.vocabularies.values()) {
      this.#trees.set(vocabulary, new PathTree(this.routes, [vocabulary.words]));
      for (const { segments } of this.routes) {
        for (const { text } of segments) {
          const word = vocabulary.words.path(text)?.word;
          if (word !== undefined && !names.has(word)) this.#foreignSegments.set(word, vocabulary);
        }
      }
    }
    const all = [...this.document.faults, ...this.#check()];
    if (all.length > 0) throw new VocabularyError(all);
    this.#noticeMissing();
  }

  /** Makes every shape of the document, so that its faults are known at the start. */
  #readShapes(): void {
    for (const { parameters, body, answers } of this.document.operations) {
      for (const { schema } of parameters) if (schema) this.shapes.of([schema]);
      for (const content of body.values()) this.findShape(content, false);
      // A default answer may be a problem or not.
      for (const content of [...answers.values()].flatMap(({ contents }) => [...contents.values()]))
        for (const isError of [false, true]) this.findShape(content, isError);
    }
    this.shapes.of([], true);
  }

  /** @param isError whether it is in a problem, which holds names and sentences where no schema says so */
  findShape(content: Content, isError: boolean): ContentShapes {
    const known = this.#contents[isError ? 1 : 0].get(content);
    if (known) return known;
    const { schema, item } = content;
    const shapes = {
      body: schema || isError ? this.shapes.of(schema ? [schema] : [], isError) : undefined,
      item: item && this.shapes.of([item]),
    };
    this.#contents[isError ? 1 : 0].set(content, shapes);
    return shapes;
  }

  *#check(): Iterable<Fault> {
    const patterns = new Map<string, { readonly route: Route; readonly tag: string }>();
    for (const route of this.routes) patterns.set(pathPattern(route, undefined), { route, tag: '' });
    for (const vocabulary of this.vocabularies.values()) {
      const { words, tag } = vocabulary;
      yield* checkPaths(this.routes, words);
      for (const operation of this.document.operations) {
        for (const location of ['query', 'path', 'header', 'cookie']) vocabulary.parameters(operation, location);
      }
      for (const shape of this.shapes.all) {
        vocabulary.members(shape);
        vocabulary.choices(shape);
      }
      yield* vocabulary.faults;
      for (const route of this.select === 'path' ? this.routes : []) {
        const pattern = pathPattern(route, words);
        const other = patterns.get(pattern);
        if (other && other.tag !== tag && (other.route !== route || other.tag !== '')) {
          const message = `${pattern} is ${route.path.template} here and ${other.route.path.template} in "${other.tag || 'the document'}"; choose other words, or another way to select a vocabulary`;
          yield { file: tag, pointer: '/paths', message };
        } else patterns.set(pattern, { route, tag: other?.tag ?? tag });
      }
    }
  }

  #notice(text: string): void {
    this.options.onNotice?.(text);
  }

  #noticeMissing(): void {
    for (const { words, tag, missing } of this.vocabularies.values()) {
      const unused = words.unused();
      if (unused.length > 0) this.#notice(`${tag}: the document has no name for ${unused.join(', ')}`);
      const isReachable = this.routes.some((route) => pathPattern(route, words) !== pathPattern(route, undefined));
      if (this.select === 'path' && !isReachable) {
        this.#notice(
          `${tag}: no path has a word, so that no request is in this vocabulary; select it by something else`,
        );
      }
      if (missing.size > 0) this.#notice(`${tag}: there is no word for ${[...missing].join(', ')}`);
    }
  }

  /** @returns the vocabulary of a request; nothing if it is in the document's own names */
  #selectVocabulary(request: Request, path: string): Selected | undefined {
    const { select } = this;
    const choose = (tag: string | undefined): Selected | undefined => {
      const vocabulary = this.vocabularies.get(tag ?? '');
      return vocabulary && { vocabulary, path, prefix: '' };
    };
    if (select === 'path') return this.#selectByPath(path);
    if (select === 'host') return choose(new URL(request.url).hostname.split('.')[0]);
    if (select !== 'header' && select !== 'prefix') return choose(select(request));
    if (select === 'header') {
      return choose(
        preferredTag(request.headers.get('accept-language'), [
          this.options.language ?? '',
          ...this.vocabularies.keys(),
        ]),
      );
    }
    const [, first = ''] = path.split('/', 2);
    const vocabulary = this.vocabularies.get(first);
    return vocabulary && { vocabulary, path: path.slice(first.length + 1) || '/', prefix: `/${first}` };
  }

  #selectByPath(path: string): Selected | undefined {
    const segments = readSegments(path);
    const foreign = segments.texts.find((text) => this.#foreignSegments.has(text));
    if (foreign === undefined) return undefined;
    let best: Selected | undefined;
    let literals = this.#canonical.match(segments)?.literals ?? -1;
    for (const [vocabulary, tree] of this.#trees) {
      const match = tree.match(segments);
      if (!match || match.literals <= literals) continue;
      literals = match.literals;
      best = { vocabulary, path, prefix: '', match };
    }
    // What no tree has may be a mixture of words.
    const isMixed = literals < 0 && this.#mixed.match(segments) !== undefined;
    const vocabulary = isMixed ? this.#foreignSegments.get(foreign) : undefined;
    return vocabulary ? { vocabulary, path, prefix: '' } : best;
  }

  /**
   * @param mount the path at which the API is mounted and which its document does not have
   * @returns the exchange of a request in a vocabulary; nothing if it is in the document's own names
   */
  toCanonical(request: Request, mount = ''): Promise<Exchange> | undefined {
    const { url } = request;
    const start = url.indexOf('/', url.indexOf('//') + 2);
    const [, path = '/', query] = /^([^?#]*)(?:\?([^#]*))?/.exec(start === -1 ? '/' : url.slice(start)) ?? [];
    const selected = this.#selectVocabulary(request, path.slice(mount.length) || '/');
    if (!selected) return undefined;
    const origin = start === -1 ? url : url.slice(0, start);
    return new RequestExchange(this, request, { ...selected, mount, origin, query }).begin();
  }

  /** @returns what leads an address of one vocabulary to the same in another; `undefined` is the document's own */
  findRoute(path: string, vocabulary: Vocabulary | undefined): Match | undefined {
    return (vocabulary ? this.#trees.get(vocabulary) : this.#canonical)?.match(readSegments(path));
  }

  findMixedRoute(path: string): Match | undefined {
    return this.#mixed.match(readSegments(path));
  }

  count(place: string): void {
    const count = (this.undescribed.get(place) ?? 0) + 1;
    this.undescribed.set(place, count);
    if (count === 1) this.#notice(`the document does not describe ${place}, which is answered as it is`);
  }
}
