/** The words of two languages of a catalogue, as the package `vocabularies` exchanges them. */
import { Document, decodeUri, type Operation } from '../../../vocabularies/src/document.ts';
import { Node, type Term, Vocabulary } from '../../../vocabularies/src/nodes.ts';
import { readRoutes } from '../../../vocabularies/src/paths.ts';
import { scanWhole } from '../../../vocabularies/src/scan.ts';
import { Words as TableWords } from '../../../vocabularies/src/table.ts';
import { type Context, exchangePairs, exchangeParameter, exchangePointer } from '../../../vocabularies/src/texts.ts';
import { compose, isObject, type Json } from '../../../vocabularies/src/words.ts';
import { type Dictionary, type Field, listViews, type Words } from './dictionary.ts';

const readWords = <T extends { readonly word: string }>(entries: Readonly<Record<string, T>>): Words =>
  Object.fromEntries(Object.entries(entries).map(([name, { word }]) => [name, word]));

const nestedWords = ({ collections }: Dictionary, parent: string): Words =>
  readWords(Object.fromEntries(Object.entries(collections).filter(([, each]) => each.parent === parent)));

const fieldWords = ({ collections }: Dictionary, collection: string): Words =>
  readWords(collections[collection]?.fields ?? {});

function rangeWords({ collections }: Dictionary, collection: string): Words {
  const fields = Object.entries(collections[collection]?.fields ?? {});
  return Object.fromEntries(
    fields.flatMap(([name, { range = {} }]) => Object.entries(range).map(([end, word]) => [`${name}_${end}`, word])),
  );
}

const queryWords = (dictionary: Dictionary, collection: string): Words => ({
  ...fieldWords(dictionary, collection),
  ...rangeWords(dictionary, collection),
  ...readWords(dictionary.parameters),
});

const memberWords = (dictionary: Dictionary, collection: string): Words => ({
  ...nestedWords(dictionary, collection),
  ...dictionary.members,
  ...fieldWords(dictionary, collection),
});

const pathWords = (dictionary: Dictionary): Words => ({
  ...readWords(dictionary.collections),
  ...listViews(dictionary),
});

/** Every word that a request or an item may have. */
export const everyWord = (dictionary: Dictionary): readonly string[] =>
  [
    pathWords(dictionary),
    ...Object.keys(dictionary.collections).map((each) => queryWords(dictionary, each)),
    dictionary.members,
    dictionary.values,
  ].flatMap((words) => Object.values(words));

/** Words that stand at one kind of place, by their names. */
interface Scope {
  readonly name: string;
  readonly words: (dictionary: Dictionary) => Words;
  /** The schema of a name's value; absent if the words are values themselves. */
  readonly describe?: (name: string) => Json;
}

const refer = (scope: string): Json => ({ $ref: `#/components/schemas/${scope}` });

/** @returns the scopes of a collection's items, of what an import reports of them, and of their values */
function listScopes({ collections }: Dictionary, collection: string): readonly Scope[] {
  const fields = collections[collection]?.fields ?? {};
  const describeMember = (name: string): Json => {
    const { refersTo, choices } = fields[name] ?? {};
    const included = collections[name]?.parent === collection ? name : refersTo;
    if (included !== undefined) return refer(included);
    return choices ? refer(`${collection} ${name}`) : {};
  };
  const report = `${collection} report`;
  const describeReport = (name: string): Json => {
    if (name === 'action') return refer('values');
    return refer(name === 'before' || name === 'after' ? collection : report);
  };
  return [
    { name: collection, words: (each) => memberWords(each, collection), describe: describeMember },
    { name: report, words: (each) => each.report, describe: describeReport },
    ...Object.keys(fields).map((name) => ({
      name: `${collection} ${name}`,
      words: (each: Dictionary) => each.collections[collection]?.fields[name]?.choices ?? {},
    })),
  ];
}

function describeScope({ words, describe, name: scope }: Scope, dictionary: Dictionary): Json {
  const all = Object.entries(words(dictionary));
  if (!describe) return { enum: all.map(([, word]) => word) };
  const properties = Object.fromEntries(all.map(([name, word]) => [word, describe(name)]));
  return { type: 'object', properties, items: refer(scope) };
}

function describeParameter({ parameters, collections }: Dictionary, collection: string, name: string): Json {
  const kind = parameters[name]?.kind;
  if (kind === 'field' || kind === 'collection') return { 'x-names': collection };
  const scope = kind === 'value' ? 'values' : `${collection} ${name}`;
  const hasWords = kind === 'value' || collections[collection]?.fields[name]?.choices;
  return hasWords ? { schema: { type: 'array', items: refer(scope) } } : {};
}

/** @returns the paths that lead to a collection, of which the first says what a query may have */
function describePaths(dictionary: Dictionary, collection: string): Readonly<Record<string, Json>> {
  const words = Object.entries(queryWords(dictionary, collection));
  const parameters = words.map(([name, word]) => {
    return { name: word, in: 'query', explode: false, ...describeParameter(dictionary, collection, name) };
  });
  const { list, ...others } = dictionary.collections[collection]?.paths ?? { list: '' };
  const operation = { operationId: collection };
  const rest = Object.values(others).map((path) => [path, { get: operation }] as const);
  return { [list]: { get: { ...operation, parameters } }, ...Object.fromEntries(rest) };
}

/** @returns words of one language by those of another, of the names that both have */
const match = (one: Words, other: Words): Words =>
  Object.fromEntries(
    Object.entries(one).flatMap(([name, word]) => (Object.hasOwn(other, name) ? [[word, other[name] ?? '']] : [])),
  );

/** The words of two languages: of a catalogue in the words of the second, to which the first has a table. */
export class Pair {
  readonly from: Dictionary;
  readonly to: Dictionary;
  readonly #vocabulary: Vocabulary;
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #schemas: Readonly<Record<string, Json>>;

  constructor(from: Dictionary, to: Dictionary) {
    this.from = from;
    this.to = to;
    const collections = Object.keys(to.collections);
    const scopes: readonly Scope[] = [
      { name: 'values', words: (each) => each.values },
      { name: 'paths', words: pathWords, describe: () => ({}) },
      ...collections.flatMap((each) => listScopes(to, each)),
    ];
    const schemas = Object.fromEntries(scopes.map((scope) => [scope.name, describeScope(scope, to)]));
    const paths = Object.assign({}, ...collections.map((each) => describePaths(to, each)));
    const document = new Document({ openapi: '3.1.0', paths, components: { schemas } });
    const table = Object.fromEntries(scopes.map(({ name, words }) => [name, match(words(to), words(from))]));
    const words = new TableWords(from.tag, {
      paths: match(pathWords(to), pathWords(from)),
      parameters: Object.fromEntries(
        collections.map((each) => [each, match(queryWords(to, each), queryWords(from, each))]),
      ),
      members: table,
      values: table,
    });
    this.#vocabulary = new Vocabulary(words, [words], document, readRoutes(document), true);
    this.#schemas = schemas;
    this.#operations = new Map(document.operations.toReversed().map((each) => [each.id, each]));
  }

  /** @returns what stands at a kind of place */
  #node(scope: string): Node {
    const schema = this.#schemas[scope] ?? {};
    return this.#vocabulary.compile([{ schema, place: `#/components/schemas/${scope}` }]);
  }

  #query(collection: string): Node {
    const operation = this.#operations.get(collection);
    return operation ? this.#vocabulary.parameters(operation, 'query') : new Node('');
  }

  #context(collection: string): Context {
    const operation = this.#operations.get(collection);
    return { vocabulary: this.#vocabulary, direction: 'in', operation, body: this.#node(collection) };
  }

  /** @returns a path with as many of its segments in the other language as lead somewhere, and the collection that it leads to */
  path(path: string) {
    let node: Node | undefined = this.#vocabulary.root;
    let collection: string | undefined;
    const segments = path.split('/').slice(1);
    const written = segments.map((segment) => {
      const term: Term | undefined = node?.members.in.get(compose(decodeUri(segment)));
      node = term ? term.node : node?.rest;
      collection = node?.route?.path.operations.get('GET')?.id ?? collection;
      return term?.written === undefined ? segment : encodeURIComponent(term.to);
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

  /** @param content items, an item, or the report of an import */
  items(collection: string, content: unknown): unknown {
    const node = this.#node(this.isReport(content) ? `${collection} report` : collection);
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
    return fields.find((each) => each.word === compose(word));
  }

  /** @returns the value of a field in the other language, if its values have words */
  choice(collection: string, field: string, value: string): string {
    const node = this.#node(collection).members.in.get(compose(field))?.node;
    return node?.values.in.get(compose(value))?.to ?? value;
  }

  /** @returns what a word may be in some collections, of whichever kind, the likeliest; the word itself if it is none */
  any(word: string, within: readonly string[] = Object.keys(this.to.collections)): string {
    const text = compose(word);
    const own = within.flatMap((each) => [
      this.#query(each),
      this.#node(each),
      ...Object.keys(this.#schemas)
        .filter((scope) => scope.startsWith(`${each} `))
        .map((scope) => this.#node(scope)),
    ]);
    const nodes = [this.#node('paths'), this.#node('values'), ...own];
    const terms = nodes.flatMap(({ members, values }) => members.in.get(text) ?? values.in.get(text) ?? []);
    return terms.find(({ to }) => to !== text)?.to ?? word;
  }
}

const pairs = new WeakMap<Dictionary, WeakMap<Dictionary, Pair>>();

/** @returns the words of two languages, made once for each two dictionaries */
export function pairWords(from: Dictionary, to: Dictionary): Pair {
  const known = pairs.get(from) ?? new WeakMap<Dictionary, Pair>();
  pairs.set(from, known);
  const pair = known.get(to) ?? new Pair(from, to);
  known.set(to, pair);
  return pair;
}
