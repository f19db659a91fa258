/** The words of two languages of a catalogue, as the package `vocabularies` exchanges them. */
import { Document, decodeUri } from '../../../vocabularies/src/document.ts';
import { Node, type Term, Vocabulary } from '../../../vocabularies/src/nodes.ts';
import { readRoutes } from '../../../vocabularies/src/paths.ts';
import { scanWhole } from '../../../vocabularies/src/scan.ts';
import { Words as TableWords } from '../../../vocabularies/src/table.ts';
import { type Context, exchangePairs, exchangeParameter, exchangePointer } from '../../../vocabularies/src/texts.ts';
import { compose, findOrCreate, isObject, type Json } from '../../../vocabularies/src/words.ts';
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

/** @returns the words of two languages by pairs, of the names that both have, for each kind of place */
function pairScopes(one: Dictionary, other: Dictionary) {
  const others = readScopes(other);
  return Array.from(readScopes(one), ([scope, words]) => {
    const theirs = others.get(scope) ?? {};
    const shared = Object.entries(words).filter(([name]) => Object.hasOwn(theirs, name));
    return [scope, shared.map(([name, word]) => [word, theirs[name] ?? ''] as const)] as const;
  });
}

/** @returns the words of two languages by pairs, of whichever kind */
export function pairDictionaries(one: Dictionary, other: Dictionary): readonly (readonly [string, string])[] {
  return pairScopes(one, other).flatMap(([, pairs]) => pairs);
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

function refer(scope: string): Json {
  return { $ref: `#/components/schemas/${scope}` };
}

/** @returns the schema of what has a name at a kind of place */
function describeValue({ collections, parameters }: Dictionary, scope: string, name: string): Json {
  const [collection = '', part] = scope.split(' ');
  const { refersTo, choices } = collections[collection]?.fields[name] ?? {};
  if (part === 'report') {
    if (name === 'action') return refer('* values');
    return refer(name === 'before' || name === 'after' ? collection : scope);
  }
  if (part === 'query') {
    const kind = parameters[name]?.kind;
    if (kind === 'field' || kind === 'collection') return { 'x-names': collection };
    const values = kind === 'value' ? '* values' : choices && `${collection}.${name}`;
    return values === undefined ? {} : { type: 'array', items: refer(values) };
  }
  const included = collections[name]?.parent === collection ? name : refersTo;
  if (included !== undefined) return refer(included);
  return choices ? refer(`${collection}.${name}`) : {};
}

/** @returns a catalogue in the words of a language, as OpenAPI describes it */
function describe(dictionary: Dictionary, scopes: ReadonlyMap<string, Words>): Json {
  const { collections } = dictionary;
  const schemas = Array.from(scopes, ([scope, words]) => {
    const isList = /^\* values$|\./.test(scope);
    const properties = Object.entries(words).map(([name, word]) => [word, describeValue(dictionary, scope, name)]);
    const schema = { type: 'object', properties: Object.fromEntries(properties), items: refer(scope) };
    return [scope, isList ? { enum: Object.values(words) } : schema] as const;
  });
  const paths = Object.entries(collections).flatMap(([collection, { paths: templates }]) => {
    const scope = `${collection} query`;
    const parameters = Object.entries(scopes.get(scope) ?? {}).map(([name, word]) => {
      return { name: word, in: 'query', explode: false, schema: describeValue(dictionary, scope, name) };
    });
    return Object.values(templates).map((path) => [path, { get: { operationId: collection, parameters } }] as const);
  });
  return {
    openapi: '3.1.0',
    paths: Object.fromEntries(paths),
    components: { schemas: Object.fromEntries(schemas) },
  };
}

/** The words of two languages: of a catalogue in the words of the second, to which the first has a table. */
export class Pair {
  readonly from: Dictionary;
  readonly to: Dictionary;
  readonly #document: Document;
  readonly #vocabulary: Vocabulary;

  constructor(from: Dictionary, to: Dictionary) {
    this.from = from;
    this.to = to;
    const tables = pairScopes(to, from).map(([scope, words]) => [scope, Object.fromEntries(words)] as const);
    const table = Object.fromEntries(tables);
    const queries = tables.map(([scope, words]) => [scope.replace(/ query$/, ''), words] as const);
    const words = new TableWords(from.tag, {
      paths: table['* paths'] ?? {},
      parameters: Object.fromEntries(queries),
      members: table,
      values: table,
    });
    this.#document = new Document(describe(to, readScopes(to)));
    this.#vocabulary = new Vocabulary(words, [words], this.#document, readRoutes(this.#document), true);
  }

  /** @returns what stands at a kind of place */
  #node(scope: string): Node {
    return this.#vocabulary.compile([refer(scope)]);
  }

  #context(collection: string): Context {
    const operation = this.#document.operations.find(({ id }) => id === collection);
    return { vocabulary: this.#vocabulary, direction: 'in', operation, body: this.#node(collection) };
  }

  #query(collection: string): Node {
    const { operation } = this.#context(collection);
    return operation ? this.#vocabulary.findParameters(operation, 'query') : new Node('');
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
    return exchangePairs(this.#context(collection), this.#query(collection), query);
  }

  parameter(collection: string, name: string): string {
    return exchangeParameter(this.#context(collection), name);
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
    const scopes = [...readScopes(this.to).keys()].filter((scope) =>
      ['*', ...within].includes(scope.split(/[ .]/)[0] ?? ''),
    );
    const nodes = scopes.map((scope) => this.#node(scope));
    const terms = nodes.flatMap(({ members, values }) => members.in.get(text) ?? values.in.get(text) ?? []);
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
