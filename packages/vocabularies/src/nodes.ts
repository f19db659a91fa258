/**
 * What stands at each place of a request or an answer, for one vocabulary: which word each name has there, and what is below it.
 * Several schemas may describe one place (`allOf`, `oneOf`, references): a node is the union of a set of schemas, made once for each set.
 */
import {
  type Content,
  type Document,
  type Fault,
  type Operation,
  type Parameter,
  placeWithin,
  readEntries,
  readParts,
} from './document.ts';
import { buildTree, type Route } from './paths.ts';
import type { Conversion, TableWord, Words } from './table.ts';
import { compose, findOrCreate, isObject, type Json, valueAt } from './words.ts';

/** From words to the names of the document, or from these to words. */
export type Direction = 'in' | 'out';

/** Where a parameter stands. */
export type Location = 'query' | 'path' | 'header' | 'cookie';
const LOCATIONS = ['query', 'path', 'header', 'cookie'] as const;

/** What is known of a text at a place: a name or a listed value. */
export interface Term {
  readonly text: string;
  /** What replaces it. */
  readonly to: string;
  /** `to` as it stands in JSON; absent if the text stays. */
  readonly written?: string | undefined;
  /** The right word, if the text is one of another vocabulary; it then stays. */
  readonly suggestion?: string | undefined;
  /** What its value is. */
  readonly node: Node | undefined;
  readonly parameter?: Parameter | undefined;
  /** Converts the number that is its value. */
  readonly convert?: ((value: number) => number) | undefined;
  /** What came behind it the last time: objects of a list have their members in one order. */
  next?: Term | undefined;
}

/** The names of one scope in each direction; in the first there are words of other vocabularies, too. */
export interface Terms {
  readonly in: ReadonlyMap<string, Term>;
  readonly out: ReadonlyMap<string, Term>;
}

const NONE: Terms = { in: new Map(), out: new Map() };

export class Node {
  /** Where one of its schemas stands. */
  readonly place: string;
  members = NONE;
  /** Texts that every schema lists. */
  values = NONE;
  readonly patterns: (readonly [RegExp, Node])[] = [];
  /** Segments of paths that have parameters and texts around them. */
  readonly templates: (readonly [readonly string[], Node])[] = [];
  /** The values of members that are not declared. */
  rest: Node | undefined;
  items: Node | undefined;
  prefix: readonly Node[] = [];
  /** What a text holds besides data; a reference may be an address without its beginning. */
  holds: 'names' | 'pointer' | 'address' | 'reference' | 'request' | undefined;
  /** The schemas whose members' names a text holds. */
  named: Node | undefined;
  /** The path that ends here, if it is a segment. */
  route: Route | undefined;
  /** The first member that was read the last time, in each direction. */
  readonly first: { in?: Term; out?: Term } = {};

  constructor(place: string) {
    this.place = place;
  }

  /** Whether a text that stands here may be exchanged, and not what is in an object or array. */
  get hasTexts(): boolean {
    return this.holds !== undefined || this.values !== NONE;
  }

  /** Whether nothing that stands here is ever exchanged, as in a key or a number. */
  get isPlain(): boolean {
    return !this.hasTexts && this.members === NONE && !this.items && this.prefix.length === 0;
  }

  /** @returns the node of a member that is not declared */
  findRest(name: string): Node | undefined {
    const pattern =
      name.length > LONGEST_NAME ? undefined : this.patterns.find(([expression]) => expression.test(name));
    return pattern?.[1] ?? this.rest;
  }
}

/** What a body is, and each item of a sequence. */
export interface ContentNodes {
  readonly body?: Node | undefined;
  readonly item?: Node | undefined;
}

/** One of several alternatives, such as those of `oneOf`, which may stand within another one. */
interface Alternative {
  readonly outer: Alternative | undefined;
}

/** One of the schemas of a place. Those of one alternative, and of those around it, hold at once. */
interface Described {
  readonly schema: Json;
  readonly alternative?: Alternative | undefined;
}

/** A schema with the names under which a table may speak of what is in it, outermost first: `Boat`, or its place. */
interface Branch extends Described {
  readonly scopes: readonly string[];
}

/** The texts that a schema lists, with the scopes of each list; `any` if it allows others. */
type Choices = ReadonlyMap<string, readonly (readonly string[])[]> | 'any';

/** A name of a scope before it has a word. */
interface Entry {
  readonly name: string;
  readonly place: string;
  readonly node?: Node | undefined;
  readonly parameter?: Parameter;
  readonly conversion?: Conversion | undefined;
  /** Finds the word that each of the schemas has for it; none if it never has one. */
  readonly findWords: (words: Words) => readonly (TableWord | undefined)[];
}

/** More nodes than any document needs: its schemas contain each other in too many ways. */
const MOST_NODES = 100_000;
/** Characters of the longest name that is compared with patterns: the time may grow with its square. */
const LONGEST_NAME = 256;
const SAFE =
  'may take too long, so that members that match it stay as they are; use at most two of *, +, ?, {n,m} and (a|b), or one without ^, and none within another';
/** Values of a unit that are tried at the start. */
const MOST_VALUES = 1_000_000;

/** @returns the name of a schema of `components`, or its place */
export function scopeName(place: string): string {
  return /^#\/(?:components\/schemas|definitions|\$defs)\/([^/]+)$/.exec(place)?.[1]?.replaceAll('~1', '/') ?? place;
}

/** Reads `x-names`: `Car`, `members of Car`, `#/components/schemas/Car`, or a list of these. @returns names of schemas */
export function readNames(schema: Json): readonly string[] {
  return [schema['x-names'] ?? []]
    .flat()
    .map((name) => String(name).replace(/^members of |^#\/components\/schemas\//, ''));
}

/** The words of one table for all that a document describes. */
export class Vocabulary {
  readonly tag: string;
  readonly words: Words;
  readonly nodes: Node[] = [];
  /** Every name and listed value, wherever it stands. */
  readonly terms: Term[] = [];
  /** The nodes of all places that a schema describes, alone or with others. */
  readonly bySchema = new Map<Json, Node[]>();
  /** The segments of paths. */
  readonly root: Node;
  readonly faults: Fault[] = [];
  /** Names that have no word at some place. */
  readonly missing = new Set<string>();
  /** The words of every vocabulary; the names of the document are another one. */
  readonly #all: readonly Words[];
  readonly #document: Document;
  readonly #isMutual: boolean;
  readonly #byKey = new Map<string, Node>();
  readonly #ids = new Map<Json, number>();
  readonly #discriminators = new Map<Json, Json>();
  /** The members of each node before they have words. */
  readonly #entries = new Map<Node, readonly Entry[]>();
  readonly #contents = new Map<Content, ContentNodes>();
  readonly #parameters = new Map<Operation, Map<Location, Node>>();
  readonly #waiting: (() => void)[] = [];

  /** @param isMutual whether a name of the document that is sent instead of a word becomes the word, as the word becomes the name */
  constructor(words: Words, all: readonly Words[], document: Document, routes: readonly Route[], isMutual = false) {
    this.tag = words.tag;
    this.words = words;
    this.#all = all;
    this.#document = document;
    this.#isMutual = isMutual;
    this.root = buildTree(this, routes, 0);
    for (const operation of routes.flatMap((route) => [...route.operations.values()])) {
      for (const location of LOCATIONS) this.parameters(operation, location);
      for (const contents of [operation.body, ...operation.answers.values()]) {
        for (const content of contents.values()) this.contents(content);
      }
    }
  }

  contents(content: Content): ContentNodes {
    return findOrCreate(this.#contents, content, () => ({
      body: content.body && this.compile([content.body]),
      item: content.item && this.compile([content.item]),
    }));
  }

  /** @returns the parameters of an operation in its query, path, headers or cookies as members of an object */
  parameters(operation: Operation, location: Location): Node {
    const nodes = findOrCreate(this.#parameters, operation, () => new Map<Location, Node>());
    return findOrCreate(nodes, location, () => this.#compileParameters(operation, location));
  }

  #compileParameters(operation: Operation, location: Location): Node {
    const node = new Node(this.#document.findPlace(operation.source));
    const [entries, exploded]: [Entry[], Entry[]] = [[], []];
    for (const parameter of operation.parameters.filter((each) => each.in === location)) {
      const { name, source, style, explode } = parameter;
      const place = this.#document.findPlace(source);
      const value = this.compileParameter(parameter);
      // The members of an object are parameters themselves. Names of headers are never translated.
      const findWords = (words: Words) => (location === 'header' ? [] : [words.parameter(operation, name)]);
      if (style === 'form' && explode && value.members !== NONE) exploded.push(...(this.#entries.get(value) ?? []));
      else if (location !== 'header' || !value.isPlain) {
        entries.push({ name, place, node: value, parameter, findWords });
      }
    }
    // A parameter goes before a member that is spelt like it.
    const unique = new Map([...exploded, ...entries].map((entry) => [entry.name, entry]));
    node.members = this.readTerms([...unique.values()]);
    return node;
  }

  /** @returns the node of a parameter's value: that of names, if the document or a table says that it holds some */
  compileParameter({ name, source, schema }: Parameter): Node {
    const names = this.#all.map((words) => words.names(name)).find((each) => each !== undefined) ?? source['x-names'];
    if (names !== undefined) return this.compile([this.#document.derive(source, { 'x-names': names })]);
    return schema ? this.compile([schema]) : new Node(this.#document.findPlace(source));
  }

  /** @returns the node of a place that all these schemas describe */
  compile(schemas: readonly Json[]): Node {
    const node = this.#find(schemas.map((schema) => ({ schema })));
    for (let fill = this.#waiting.pop(); fill; fill = this.#waiting.pop()) fill();
    return node;
  }

  #find(all: readonly Described[]): Node {
    const described = all.map((each): Described => {
      // A reference with a description beside it is the schema itself.
      const isPlain = Object.keys(each.schema).every((key) => /^(\$ref|description|summary)$/.test(key));
      return isPlain ? { ...each, schema: this.#document.resolve(each.schema) } : each;
    });
    const alternatives = [...new Set(all.map(({ alternative }) => alternative))];
    const ids = described.map(({ schema, alternative }) => {
      const id = findOrCreate(this.#ids, schema, () => this.#ids.size);
      return `${id}.${alternatives.indexOf(alternative)}`;
    });
    return findOrCreate(this.#byKey, [...new Set(ids)].sort().join(), () => {
      const node = new Node(this.#document.findPlace(described[0]?.schema));
      if (this.nodes.push(node) > MOST_NODES)
        throw new RangeError('the schemas of the document combine in too many ways');
      this.#waiting.push(() => this.#fill(node, described));
      return node;
    });
  }

  #scope(schema: Json): string {
    return scopeName(this.#document.findPlace(schema));
  }

  /** Lists all schemas that describe one place: those given and what they are composed of. */
  #listBranches(described: readonly Described[]): readonly Branch[] {
    const branches = new Map<Json, Branch>();
    /** @param isPart whether the schema is a part of another one, which may be of a kind of its own */
    const add = (
      schema: Json,
      alternative: Alternative | undefined,
      outer: readonly string[],
      isPart: boolean,
    ): void => {
      if (branches.has(schema)) return;
      const scopes = [...outer, this.#scope(schema)];
      branches.set(schema, { schema, alternative, scopes });
      const target = this.#document.lookUp(schema);
      if (target) add(target, alternative, scopes, isPart);
      for (const part of readParts(schema.allOf, schema.dependentSchemas)) add(part, alternative, scopes, true);
      const kinds = isPart ? [] : this.#document.listKinds(schema);
      const conditions = [schema.if, schema.then, schema.else].filter(isObject);
      for (const other of [...kinds, ...readParts(schema.oneOf, schema.anyOf), ...conditions])
        add(other, { outer: alternative }, scopes, false);
    };
    for (const { schema, alternative } of described) add(schema, alternative, [], false);
    return [...branches.values()];
  }

  #fill(node: Node, described: readonly Described[]): void {
    const branches = this.#listBranches(described);
    const declared = new Map<string, Branch[]>();
    const tuple = new Map<string, Described[]>();
    const list = (...keywords: readonly string[]): readonly Described[] =>
      branches.flatMap(({ schema, alternative }) =>
        keywords.flatMap((keyword) => {
          const part = schema[keyword];
          return isObject(part) ? [{ schema: part, alternative }] : [];
        }),
      );
    const [rest, items] = [
      list('additionalProperties', 'unevaluatedProperties'),
      list('items', 'unevaluatedItems', 'contains'),
    ];
    for (const { schema, alternative, scopes } of branches) {
      findOrCreate(this.bySchema, schema, () => []).push(node);
      for (const [name, part] of readEntries(schema.properties))
        findOrCreate(declared, name, () => []).push({ schema: part, alternative, scopes });
      for (const [at, part] of [schema.prefixItems, schema.items].filter(Array.isArray).flatMap(readEntries))
        findOrCreate(tuple, at, () => []).push({ schema: part, alternative });
      for (const [pattern, part] of readEntries(schema.patternProperties)) {
        const expression = readPattern(pattern);
        if (expression) node.patterns.push([expression, this.#find([{ schema: part }])]);
        else
          this.#document.notice(
            placeWithin(this.#document.findPlace(schema), 'patternProperties'),
            `"${pattern}" ${SAFE}`,
          );
      }
      this.#readText(node, schema);
    }
    const discriminators = branches.flatMap(({ schema }) => this.#readDiscriminator(schema));
    const entries = Array.from(declared, ([name, parts]): Entry => {
      const conversion = this.words.conversion(
        parts.flatMap(({ scopes }) => scopes),
        name,
      );
      const loss = conversion && this.#findLoss(conversion, parts);
      if (loss !== undefined) this.#refuse(placeWithin('/convert', parts[0]?.scopes[0] ?? '*', name), loss);
      const findWords = (words: Words) => {
        const own = parts.map(({ scopes, alternative }) => ({
          alternative,
          word: words.scoped('members', scopes, name),
        }));
        // What one part of a schema says holds for the others, too, and for alternatives within it.
        return own.map(({ alternative, word }) => {
          return word ?? own.find((other) => other.word && isWithin(alternative, other.alternative))?.word;
        });
      };
      const values = [...distribute(parts), ...discriminators.filter((each) => each.name === name)];
      return {
        name,
        place: placeWithin(node.place, 'properties', name),
        node: this.#find(values),
        conversion,
        findWords,
      };
    });
    if (entries.length > 0) node.members = this.readTerms(entries);
    this.#entries.set(node, entries);
    if (rest.length > 0) node.rest = this.#find(rest);
    if (items.length > 0) node.items = this.#find(items);
    node.prefix = Array.from(tuple.values(), (parts) => this.#find(parts));
    this.#readValues(node, described);
  }

  /** Reads what a text holds besides data. */
  #readText(node: Node, schema: Json): void {
    const names = readNames(schema);
    const format = String(schema.format);
    if (names[0] === 'request') node.holds = 'request';
    else if (names.length > 0) {
      const schemas = readEntries(valueAt(this.#document.content, 'components', 'schemas'));
      node.holds = 'names';
      node.named = this.#find(schemas.flatMap(([name, part]) => (names.includes(name) ? [{ schema: part }] : [])));
    } else if (/^(uri|iri)(-reference)?$/.test(format)) {
      node.holds ??= format.endsWith('reference') ? 'reference' : 'address';
    } else if (format === 'json-pointer') node.holds ??= 'pointer';
  }

  /** @returns the member that says which alternative there is, with all values that it may have */
  #readDiscriminator(schema: Json): readonly (Described & { readonly name: string })[] {
    const { discriminator, oneOf, anyOf } = schema;
    const name = valueAt(discriminator, 'propertyName');
    if (typeof name !== 'string') return [];
    const list = findOrCreate(this.#discriminators, schema, () => {
      const mapping = valueAt(discriminator, 'mapping');
      const references = readParts(oneOf, anyOf).flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []));
      const kinds = this.#document.listKinds(schema).map((kind) => this.#document.findPlace(kind));
      const values = isObject(mapping) ? Object.keys(mapping) : [...references, ...kinds].map(scopeName);
      return this.#document.derive(schema, { enum: values, discriminates: true });
    });
    return [{ name, schema: list }];
  }

  /** Reads which of the texts that schemas list may be exchanged. */
  #readValues(node: Node, described: readonly Described[]): void {
    const alternatives = [...Map.groupBy(described, ({ alternative }) => alternative).values()];
    const lists = alternatives.flatMap(
      (parts) => joinChoices(parts.map(({ schema }) => this.#readChoices(schema))) ?? [],
    );
    const choices = mergeChoices(lists);
    // Values that one alternative only has say which one there is.
    const areDistinct =
      lists.every((list) => list !== 'any') && lists.reduce((sum, { size }) => sum + size, 0) === choices.size;
    const isDiscriminated = areDistinct || described.some(({ schema }) => 'discriminates' in schema);
    const entries = [...choices].flatMap(([name, scopes]): readonly Entry[] => {
      const isListed = lists.every((list) => list !== 'any' && list.has(name));
      const findWords = (words: Words) => {
        const all = scopes.map((each) => words.scoped('values', each, name));
        const own = all.filter((word) => word !== undefined);
        // An alternative may say the word of its own value, and a part that of all, but alternatives with one value must agree.
        return (isListed && lists.length > 1) || own.length === 0 ? all : own;
      };
      return isDiscriminated || isListed ? [{ name, place: node.place, findWords }] : [];
    });
    if (entries.length > 0) node.values = this.readTerms(entries);
  }

  /** @returns the texts that a schema lists; nothing if it allows no text */
  #readChoices(schema: Json, outer: readonly string[] = [], seen: readonly Json[] = []): Choices | undefined {
    const types = [schema.type ?? ('properties' in schema || 'items' in schema ? 'object' : 'string')].flat();
    if (seen.includes(schema) || !types.includes('string')) return undefined;
    const scopes = [...outer, this.#scope(schema)];
    const list = 'const' in schema ? [schema.const] : schema.enum;
    if (Array.isArray(list)) {
      return new Map(list.filter((value) => typeof value === 'string').map((value) => [value, [scopes]]));
    }
    const read = (part: Json) => this.#readChoices(part, scopes, [...seen, schema]);
    const parts = [...readParts(schema.allOf), this.#document.lookUp(schema)].filter(isObject).map(read);
    const all = readParts(schema.oneOf, schema.anyOf).map(read);
    const alternatives = all.filter((each) => each !== undefined);
    if (all.length > 0 && alternatives.length === 0) return undefined;
    return joinChoices([...parts, ...(alternatives.includes('any') ? [] : alternatives)]);
  }

  /** @returns why a unit cannot be converted back to what it was; nothing if it can */
  #findLoss({ toWords, toCanonical }: Conversion, described: readonly Described[]): string | undefined {
    const schemas = this.#listBranches(described).map(({ schema }) => schema);
    const find = (keyword: string) => schemas.map((schema) => schema[keyword]).find((each) => typeof each === 'number');
    const [least, greatest] = [Number(find('minimum')), Number(find('maximum'))];
    const step = Number(find('multipleOf') ?? (schemas.some(({ type }) => type === 'integer') ? 1 : undefined));
    if (!((greatest - least) / step <= MOST_VALUES)) {
      return 'the schema must say "minimum", "maximum" and "multipleOf" (or be of integers), so that every value can be tried';
    }
    for (let value = least; value <= greatest; value += step) {
      const [there, back] = [toWords(value), toCanonical(toWords(value))];
      if (back !== value) return `${value} becomes ${there} and then ${back}; choose functions that lead back`;
    }
    return undefined;
  }

  /** Reads the words of one scope, whatever it is of, and reports every word that has no inverse. */
  readTerms(entries: readonly Entry[]): Terms {
    const terms = { in: new Map<string, Term>(), out: new Map<string, Term>() };
    const pointers = new Map<string, string>();
    const names = new Map(entries.map((entry) => [compose(entry.name), entry]));
    for (const entry of entries) {
      const { name, place, conversion } = entry;
      const itself = { word: name, pointer: place };
      const candidates = entry.findWords(this.words);
      if (candidates.length > 0 && !candidates[0]) this.missing.add(name);
      const [{ word, pointer } = itself, ...others] = candidates.map((candidate) => candidate ?? itself);
      const different = others.find((other) => other.word !== word);
      const [owner, namesake] = [terms.in.get(word), names.get(word)];
      if (different) {
        this.#refuse(
          pointer,
          `"${name}" is "${word}" here and "${different.word}" at ${different.pointer}, in one place (${place}); give it one word by that place`,
        );
      } else if (word !== name && owner) {
        const both = `"${name}" and of "${owner.to}" (${pointers.get(word)})`;
        this.#refuse(pointer, `"${word}" is the word of ${both}; choose another one for either`);
      } else if (word !== name && namesake && namesake.name !== name) {
        const other = `another name of the document (${namesake.place})`;
        this.#refuse(pointer, `"${word}", the word of "${name}", is ${other}; choose another one`);
      }
      pointers.set(word, pointer);
      terms.in.set(word, createTerm(word, name, entry, { convert: conversion?.toCanonical }));
      const term = createTerm(name, word, entry, { convert: conversion?.toWords });
      terms.out.set(name, term);
      this.terms.push(term);
    }
    for (const entry of entries) {
      const right = terms.out.get(entry.name)?.to ?? entry.name;
      const others = this.#all.flatMap((words) => entry.findWords(words).flatMap((word) => word?.word ?? []));
      for (const text of [compose(entry.name), ...others]) {
        if (terms.in.has(text)) continue;
        const foreign = createTerm(text, text, entry, { suggestion: right });
        terms.in.set(text, this.#isMutual ? createTerm(text, right, entry) : foreign);
      }
    }
    return terms;
  }

  #refuse(pointer: string, message: string): void {
    if (this.faults.some((fault) => fault.pointer === pointer && fault.message === message)) return;
    this.faults.push({ file: this.tag, pointer, message });
  }
}

function createTerm(
  text: string,
  to: string,
  { node, parameter }: Entry,
  { convert, suggestion }: Pick<Term, 'convert' | 'suggestion'> = {},
): Term {
  const written = to === text ? undefined : JSON.stringify(to).slice(1, -1);
  return { text, to, written, suggestion, node, parameter, convert, next: undefined };
}

function isWithin(inner: Alternative | undefined, outer: Alternative | undefined): boolean {
  return inner === outer || (inner !== undefined && isWithin(inner.outer, outer));
}

/** @returns schemas of innermost alternatives only: what stands around alternatives is a part of each */
function distribute(described: readonly Described[]): readonly Described[] {
  const all = [...new Set(described.map(({ alternative }) => alternative))];
  const innermost = all.filter((outer) => !all.some((inner) => inner !== outer && isWithin(inner, outer)));
  return described.flatMap(({ schema, alternative: outer }) =>
    innermost.filter((inner) => isWithin(inner, outer)).map((alternative) => ({ schema, alternative })),
  );
}

/** @returns the texts that all of several schemas allow; nothing if one of them allows no text */
function joinChoices(lists: readonly (Choices | undefined)[]): Choices | undefined {
  const closed = lists.filter((list) => list !== 'any');
  if (closed.includes(undefined)) return undefined;
  return closed.length > 0 ? mergeChoices(closed) : 'any';
}

function mergeChoices(lists: readonly (Choices | undefined)[]): Exclude<Choices, 'any'> {
  const entries = lists.flatMap((list) => (list instanceof Map ? [...list] : []));
  const groups = Map.groupBy(entries, ([value]) => value);
  return new Map(Array.from(groups, ([value, group]) => [value, group.flatMap(([, scopes]) => scopes)]));
}

/** @returns a pattern of JSON Schema; nothing if this engine does not take it, or if a name might make it take too long */
function readPattern(pattern: string): RegExp | undefined {
  const units = pattern
    .replaceAll(/\\(?:[pPu]\{[^}]*\}|.)|\[(?:\\.|[^\]\\])*\]/gs, 'x')
    .replaceAll(/(?<!\))\{\d+\}/g, '');
  // A choice between texts takes no longer than a repetition, which it becomes here.
  const repetitions = units.replaceAll(/\((?:\?:)?[^()*+?{]*\)(?![*+?{])/g, '*');
  const count = repetitions.match(/[*+?{]/g)?.length ?? 0;
  if (/[()|]/.test(repetitions) || count > (pattern.startsWith('^') ? 2 : 1)) return undefined;
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}
