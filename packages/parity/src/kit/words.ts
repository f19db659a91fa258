/** The words of two languages of a catalogue, as the package `vocabularies` exchanges them. */
import { Document, decodeUri } from '../../../vocabularies/src/document.ts';
import { Node, type Term, Vocabulary } from '../../../vocabularies/src/nodes.ts';
import { readRoutes } from '../../../vocabularies/src/paths.ts';
import { scanWhole } from '../../../vocabularies/src/scan.ts';
import { Words as TableWords } from '../../../vocabularies/src/table.ts';
import { type Context, exchangePairs, exchangePointer } from '../../../vocabularies/src/texts.ts';
import { compose, findOrCreate, isObject } from '../../../vocabularies/src/words.ts';
import { type Dictionary, type Field, listViews, type Words } from './dictionary.ts';

function readWords(entries: Readonly<Record<string, { readonly word: string }>>): Words {
  return Object.fromEntries(Object.entries(entries).map(([name, { word }]) => [name, word]));
}

/** @returns the words of a language by their names, for each kind of place: a collection's items, its query, a field that has choices */
function readScopes(dictionary: Dictionary): ReadonlyMap<string, Words> {
  const { collections, members, parameters, report, values } = dictionary;
  const scopes = new Map([
    ['* paths', { ...readWords(collections), ...listViews(dictionary) }],
    ['* values', values],
  ]);
  for (const [collection, { fields }] of Object.entries(collections)) {
    const nested = Object.entries(collections).filter(([, { parent }]) => parent === collection);
    const ranges = Object.entries(fields).flatMap(([name, { range = {} }]) =>
      Object.entries(range).map(([end, word]) => [`${name}_${end}`, word]),
    );
    const own = readWords(fields);
    scopes.set(collection, { ...readWords(Object.fromEntries(nested)), ...members, ...own });
    scopes.set(`${collection} query`, { ...own, ...Object.fromEntries(ranges), ...readWords(parameters) });
    scopes.set(`${collection} report`, report);
    for (const [name, { choices }] of Object.entries(fields)) if (choices) scopes.set(`${collection}.${name}`, choices);
  }
  return scopes;
}

/** @returns every word that a request or an item may have, but for what is chosen from a list */
export function listWords(dictionary: Dictionary): readonly string[] {
  const scopes = [...readScopes(dictionary)].filter(([scope]) => !/\.| report$/.test(scope));
  return scopes.flatMap(([, words]) => Object.values(words));
}

/** @returns the words of two languages by pairs, of the names that both have */
function pairEntries(one: Words = {}, other: Words = {}) {
  return Object.entries(one).flatMap(([name, word]) => {
    const theirs = other[name];
    return theirs === undefined ? [] : [[word, theirs] as const];
  });
}

/** @returns the words of two languages by pairs, of whichever kind */
export function pairDictionaries(one: Dictionary, other: Dictionary): readonly (readonly [string, string])[] {
  const others = readScopes(other);
  return [...readScopes(one)].flatMap(([scope, words]) => pairEntries(words, others.get(scope)));
}

/** What stands between the words of a text. */
const PARTS = /([^\p{L}\p{N}_-]+)/u;

/** Knows which names of one language and words of the other are translations of each other, wherever they stand. */
export class Relation {
  readonly #words = new Map<string, Set<string>>();
  readonly #names = new Map<string, Set<string>>();

  /** Members of the second tree, and parameters, whose values cannot be translated, because a word is another one's name. */
  readonly skipped = new Set<string>();

  pair(name: string, word: string): void {
    findOrCreate(this.#words, name, () => new Set()).add(word);
    findOrCreate(this.#names, word, () => new Set()).add(name);
  }

  /** @returns whether a text is another one in words: itself, or each of its parts in words, with or without a sign */
  isTranslation(name: string, word: string): boolean {
    const parts = decodeUri(name).split(PARTS);
    const others = decodeUri(word).split(PARTS);
    const areParts = parts.length === others.length && parts.every((part, at) => this.#isPart(part, others[at] ?? ''));
    return areParts || this.#isPart(name, word);
  }

  /** @returns the word of a name, or what is no name as it is */
  toWord(name: string): string {
    const [word = name] = this.#words.get(name) ?? [];
    return word;
  }

  #isPart(name: string, word: string): boolean {
    if (name === word || this.#words.get(name)?.has(word) === true) return true;
    return name.startsWith('-') && word.startsWith('-') && this.#isPart(name.slice(1), word.slice(1));
  }

  /** @returns whether only the words have it, and no name is spelt like it */
  isWordOnly(word: string): boolean {
    return this.#names.has(word) && !this.#words.has(word);
  }

  /** @returns whether only the names have it, and no word is spelt like it */
  isNameOnly(name: string): boolean {
    return this.#words.has(name) && !this.#names.has(name);
  }
}

/** @returns the words of two languages, which are each other's translations */
export function relateDictionaries(one: Dictionary, other: Dictionary): Relation {
  const words = new Relation();
  for (const [own, theirs] of pairDictionaries(one, other)) {
    words.pair(own, theirs);
    words.pair(theirs, own);
  }
  return words;
}

/** How a list with commas is sent. */
const LIST = {
  name: '',
  in: 'query',
  style: 'form',
  explode: false,
  mediaType: undefined,
  schema: undefined,
  source: {},
};

/** The words of two languages, as a table from the first to the second one has them for each kind of place. */
export class Pair {
  readonly from: Dictionary;
  readonly to: Dictionary;
  readonly #vocabulary: Vocabulary;
  readonly #nodes: ReadonlyMap<string, Node>;

  constructor(from: Dictionary, to: Dictionary) {
    this.from = from;
    this.to = to;
    const [own, theirs] = [readScopes(to), readScopes(from)];
    const operations = Object.entries(to.collections).flatMap(([operationId, { paths }]) =>
      Object.values(paths).map((path) => [path, { get: { operationId } }] as const),
    );
    const document = new Document({ openapi: '3.1.0', paths: Object.fromEntries(operations) });
    const paths = Object.fromEntries(pairEntries(own.get('* paths'), theirs.get('* paths')));
    const words = new TableWords(from.tag, { paths });
    this.#vocabulary = new Vocabulary(words, [words], document, readRoutes(document), true);
    this.#nodes = new Map(Array.from(own.keys(), (scope) => [scope, new Node(scope)]));
    for (const [scope, node] of this.#nodes) {
      // If two names share a word, the last one wins.
      const names = new Map(Object.entries(own.get(scope) ?? {}).map(([name, word]) => [word, name]));
      const entries = Array.from(names, ([word, name]) => {
        const other = theirs.get(scope)?.[name];
        const findWords = () => [other === undefined ? undefined : { word: other, pointer: scope }];
        return { name: word, place: scope, parameter: LIST, findWords, node: this.#findValue(scope, name) };
      });
      const terms = this.#vocabulary.readTerms(entries);
      if (/^\* values$|\./.test(scope)) node.values = terms;
      else {
        node.members = terms;
        node.items = node;
      }
    }
  }

  /** @returns what the value of a name is at a kind of place */
  #findValue(scope: string, name: string): Node | undefined {
    const { collections, parameters } = this.to;
    const [collection = '', part] = scope.split(' ');
    const choices = `${collection}.${name}`;
    if (part === 'report') {
      const isItem = name === 'before' || name === 'after';
      return this.#node(name === 'action' ? '* values' : isItem ? collection : scope);
    }
    if (part !== 'query') {
      const isNested = collections[name]?.parent === collection;
      return this.#nodes.get(isNested ? name : (collections[collection]?.fields[name]?.refersTo ?? choices));
    }
    const node = new Node(scope);
    const { kind } = parameters[name] ?? {};
    const holdsNames = kind === 'field' || kind === 'collection';
    if (holdsNames) node.holds = 'names';
    if (holdsNames) node.scope = this.#node(collection);
    else node.items = this.#nodes.get(kind === 'value' ? '* values' : choices);
    return node;
  }

  /** @returns what stands at a kind of place */
  #node(scope: string): Node {
    return this.#nodes.get(scope) ?? new Node(scope);
  }

  #context(collection: string): Context {
    return { vocabulary: this.#vocabulary, direction: 'in', body: this.#node(collection) };
  }

  /** @returns a path with as many of its segments in the other language as lead somewhere, and the collection that it leads to */
  path(path: string) {
    let node: Node | undefined = this.#vocabulary.root;
    let collection: string | undefined;
    const segments = path.split('/').slice(1);
    const written = segments.map((segment) => {
      const term: Term | undefined = node?.members.in.get(compose(decodeUri(segment)));
      node = term ? term.node : node?.rest;
      collection = node?.route?.operations.get('GET')?.id ?? collection;
      return term?.json === undefined ? segment : encodeURIComponent(term.to);
    });
    return { path: `/${written.join('/')}`, collection };
  }

  /** @param query without its question mark */
  query(collection: string, query: string): string {
    return exchangePairs(this.#context(collection), this.#node(`${collection} query`), query);
  }

  parameter(collection: string, name: string): string {
    return this.#node(`${collection} query`).members.in.get(compose(name))?.to ?? name;
  }

  pointer(collection: string, pointer: string): string {
    return exchangePointer(this.#context(collection), pointer);
  }

  /** @returns whether a body is the report of an import */
  isReport(body: unknown): boolean {
    return isObject(body) && (this.from.report.created ?? '') in body;
  }

  /** @param content items, an item, or the report of an import, which only answers have */
  items(collection: string, content: unknown, isReport = false): unknown {
    const node = this.#node(isReport ? `${collection} report` : collection);
    return JSON.parse(scanWhole(node, this.#context(collection), JSON.stringify(content)) ?? 'null');
  }

  member(collection: string, word: string): string {
    return this.#node(collection).members.in.get(compose(word))?.to ?? word;
  }

  /** @returns a field by its word in either language */
  field(collection: string, word: string): Field | undefined {
    const fields = [this.from, this.to].flatMap(({ collections }) =>
      Object.values(collections[collection]?.fields ?? {}),
    );
    return fields.find((field) => field.word === compose(word));
  }

  /** @returns the value of a field in the other language, if its values have words */
  choice(collection: string, field: string, value: string): string {
    const node = this.#node(collection).members.in.get(compose(field))?.node;
    return node?.values.in.get(compose(value))?.to ?? value;
  }

  /** @returns what a word may be in some collections, of whichever kind, the likeliest; the word itself if it is none */
  any(word: string, within: readonly string[] = Object.keys(this.to.collections)): string {
    const text = compose(word);
    const nodes = [...this.#nodes].filter(([scope]) => ['*', ...within].includes(scope.split(/[ .]/)[0] ?? ''));
    const terms = nodes.flatMap(([, { members, values }]) => members.in.get(text) ?? values.in.get(text) ?? []);
    return terms.find(({ to }) => to !== text)?.to ?? word;
  }
}

/** Keeps what a function makes for a key, so that it is made once. */
export function oncePer<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const values = new WeakMap<K, V>();
  return (key) => {
    const value = values.get(key) ?? make(key);
    values.set(key, value);
    return value;
  };
}

const pairsFrom = oncePer((from: Dictionary) => oncePer((to: Dictionary) => new Pair(from, to)));

/** @returns the words of two languages, made once for each two dictionaries */
export function pairWords(from: Dictionary, to: Dictionary): Pair {
  return pairsFrom(from)(to);
}
