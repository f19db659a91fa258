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
import { asObject, compose, findOrCreate, isObject, type Json, valueAt } from './words.ts';

/** From words to the names of the document, or from these to words. */
export type Direction = 'in' | 'out';

export const LOCATIONS = ['query', 'path', 'header', 'cookie'] as const;
/** Where a parameter stands. */
export type Location = (typeof LOCATIONS)[number];

/** The meaning of a text at a place, as a name or a listed value. */
export interface Term {
  readonly text: string;
  /** What replaces it. */
  readonly to: string;
  /** `to` as it stands in JSON; absent if the text stays. */
  readonly json?: string | undefined;
  /** The right word, if the text is one of another vocabulary; it then stays. */
  readonly suggestion?: string | undefined;
  /** What its value is. */
  readonly node: Node | undefined;
  readonly parameter?: Parameter | undefined;
  /** Converts the number that is its value. */
  readonly convert?: ((value: number) => number) | undefined;
  /** The member that came behind it the last time, if its value stays: objects of a list have their members in one order. */
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
  scope: Node | undefined;
  /** The path that ends here, if it is a segment. */
  route: Route | undefined;
  /** Its members, without their words. */
  entries: readonly Entry[] = [];
  /** The first member that was read the last time, in each direction, if its value stays. */
  readonly first: Partial<Record<Direction, Term | undefined>> = {};

  constructor(place: string) {
    this.place = place;
  }

  /** Whether a text that stands here may be exchanged, and not what is in an object or array. */
  get hasTexts(): boolean {
    return this.holds !== undefined || this.values !== NONE;
  }

  /** Whether nothing that stands here is ever exchanged, as in a key or a number. */
  get isPlain(): boolean {
    const hasParts = this.items || this.prefix.length > 0 || this.rest || this.patterns.length > 0;
    return !this.hasTexts && this.members === NONE && !hasParts;
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

/** A schema of a place, and the names under which a table may speak of what is in it, outermost first: `Boat`, or its place. */
interface Branch {
  readonly schema: Json;
  readonly scopes: readonly string[];
}

/** What holds at once at a place: the schemas of one of several alternatives, such as those of `oneOf`, and of all around it. */
type Alternative = readonly Branch[];

/** A name of a scope, which has no word yet. */
interface Entry {
  readonly name: string;
  readonly place: string;
  readonly node?: Node | undefined;
  readonly parameter?: Parameter;
  readonly conversion?: Conversion | undefined;
  /** Where a table can say one word for all schemas of the place. */
  readonly shared?: string | undefined;
  /** Finds the words that the schemas have for it, which must agree; none for what has no words at all. */
  readonly findWords: (words: Words) => readonly (TableWord | undefined)[];
}

/** A document with more nodes has schemas that contain each other in too many ways. */
const MOST_NODES = 100_000;
/** Times that one schema is read for a place: unions that contain each other have too many alternatives to read all. */
const MOST_ALTERNATIVES = 100;
/** Characters of the longest name that is compared with patterns: the time may grow with its square. */
const LONGEST_NAME = 256;
/** What is wrong with a pattern, and what to do. */
const SLOW_PATTERN =
  'may take too long, so that members that match it stay as they are; use at most two of *, +, ?, {n,m} and (a|b), or one without ^, and none within another';
/** The most values of a unit that are tried at the start. */
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
  /** The cookies of all operations, because a browser sends to one what another one has set. */
  readonly cookies = new Node('#/paths');
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
  readonly #contents = new Map<Content, ContentNodes>();
  readonly #parameters = new Map<Operation, Map<Location, Node>>();
  readonly #unfilled: [Node, readonly Alternative[]][] = [];

  /** @param isMutual whether a name of the document that is sent instead of a word becomes the word, as the word becomes the name */
  constructor(words: Words, all: readonly Words[], document: Document, routes: readonly Route[], isMutual = false) {
    this.tag = words.tag;
    this.words = words;
    this.#all = all;
    this.#document = document;
    this.#isMutual = isMutual;
    this.root = buildTree(this, routes, 0);
    const operations = routes.flatMap((route) => [...route.operations.values()]);
    for (const operation of operations) {
      for (const location of LOCATIONS) this.findParameters(operation, location);
      for (const contents of [operation.body, ...operation.answers.values()]) {
        for (const content of contents.values()) this.findContents(content);
      }
    }
    const cookies = operations.map((operation) => this.findParameters(operation, 'cookie').members);
    this.cookies.members = {
      in: new Map(cookies.flatMap((terms) => [...terms.in])),
      out: new Map(cookies.flatMap((terms) => [...terms.out])),
    };
  }

  hasSchema(name: string): boolean {
    return valueAt(this.#document.content, 'components', 'schemas', name) !== undefined;
  }

  findContents(content: Content): ContentNodes {
    return findOrCreate(this.#contents, content, () => ({
      body: content.body && this.compile([content.body]),
      item: content.item && this.compile([content.item]),
    }));
  }

  /** @returns the parameters of an operation in its query, path, headers or cookies as members of an object */
  findParameters(operation: Operation, location: Location): Node {
    const nodes = findOrCreate(this.#parameters, operation, () => new Map<Location, Node>());
    return findOrCreate(nodes, location, () => this.#compileParameters(operation, location));
  }

  #compileParameters(operation: Operation, location: Location): Node {
    const node = new Node(this.#document.findPlace(operation.source));
    const [entries, exploded, objects]: [Entry[], Entry[], Entry[]] = [[], [], []];
    for (const parameter of operation.parameters) {
      const { name, source, style, explode } = parameter;
      if (parameter.in !== location) continue;
      const place = this.#document.findPlace(source);
      const value = this.compileParameter(parameter);
      // The members of an object are parameters themselves. Names of headers are never translated.
      const findWords = (words: Words) => (location === 'header' ? [] : [words.findParameter(operation, name)]);
      const isExploded = style === 'form' && explode && value.entries.length > 0;
      const members = isExploded ? value.entries : [];
      exploded.push(
        ...members.map((entry) => ({ ...entry, node: this.#compileNames(entry.name, source) ?? entry.node })),
      );
      // Many write `filter[kind]`, although their documents do not say so.
      if (location !== 'header' || !value.isPlain)
        (isExploded ? objects : entries).push({ name, place, node: value, parameter, findWords });
    }
    // A parameter goes before a member that is spelt like it.
    const unique = new Map([...objects, ...exploded, ...entries].map((entry) => [entry.name, entry]));
    node.members = this.readTerms([...unique.values()]);
    return node;
  }

  /** @returns the node of a parameter's value: that of names, if the document or a table says that it holds some */
  compileParameter({ name, source, schema }: Parameter): Node {
    const names = this.#compileNames(name, source, source['x-names']);
    return names ?? (schema ? this.compile([schema]) : new Node(this.#document.findPlace(source)));
  }

  /** @param own the schema whose names the document says that a parameter holds, unless a table says another one */
  #compileNames(name: string, source: Json, own?: unknown): Node | undefined {
    const names = this.#all.map((words) => words.findSchemaNames(name)).find((scope) => scope !== undefined) ?? own;
    return names === undefined ? names : this.compile([this.#document.derive(source, { 'x-names': names })]);
  }

  /** @returns the node of a place that all these schemas describe */
  compile(schemas: readonly Json[]): Node {
    const node = this.#find([toBranches(schemas)]);
    for (let next = this.#unfilled.pop(); next; next = this.#unfilled.pop()) this.#fill(...next);
    return node;
  }

  #find(alternatives: readonly Alternative[]): Node {
    // Alternatives of the same schemas are one, so that what contains itself has an end.
    const unique = new Map<string, Alternative>();
    for (const branches of alternatives) {
      const schemas = new Set(branches.map(({ schema }) => this.#skipReference(schema)));
      const ids = Array.from(schemas, (schema) => findOrCreate(this.#ids, schema, () => this.#ids.size));
      unique.set(ids.sort().join('+'), toBranches([...schemas]));
    }
    return findOrCreate(this.#byKey, [...unique.keys()].sort().join(), () => {
      const all = [...unique.values()];
      const node = new Node(this.#document.findPlace(all[0]?.[0]?.schema));
      if (this.nodes.push(node) > MOST_NODES)
        throw new RangeError('the schemas of the document combine in too many ways');
      this.#unfilled.push([node, all]);
      return node;
    });
  }

  /** A reference with a description beside it is the schema itself. */
  #skipReference(schema: Json): Json {
    const isPlain = Object.keys(schema).every((key) => /^(\$ref|description|summary)$/.test(key));
    return isPlain ? this.#document.resolve(schema) : schema;
  }

  /** Finds all that holds at once with some schemas: what they are composed of, in each of the alternatives within them. */
  #expand(schemas: readonly Branch[], outer: Alternative, counts: Map<Json, number>): readonly Alternative[] {
    const branches = [...outer];
    const choices: Branch[] = [];
    /** Schemas to read. A part of another one does not bring its kinds along. */
    const queue: (Branch & { readonly isPart?: boolean })[] = [...schemas];
    for (const { schema, scopes, isPart = false } of queue) {
      const count = counts.get(schema) ?? 0;
      if (count >= MOST_ALTERNATIVES || branches.some((branch) => branch.schema === schema)) continue;
      counts.set(schema, count + 1);
      const within = [...scopes, scopeName(this.#document.findPlace(schema))];
      branches.push({ schema, scopes: within });
      const target = this.#document.lookUp(schema);
      if (target) queue.push({ schema: target, scopes: within, isPart });
      for (const part of [...readParts(schema.allOf, schema.dependentSchemas), ...this.#describeDiscriminator(schema)])
        queue.push({ schema: part, scopes: within, isPart: true });
      const kinds = isPart ? [] : this.#document.listKinds(schema);
      const conditions = [schema.if, schema.then, schema.else].filter(isObject);
      for (const choice of [...kinds, ...readParts(schema.oneOf, schema.anyOf), ...conditions])
        choices.push({ schema: choice, scopes: within });
    }
    const inner = choices.flatMap((choice) => this.#expand([choice], branches, counts));
    if (inner.length > 0) return inner;
    return branches.length > outer.length ? [branches] : [];
  }

  #fill(node: Node, given: readonly Alternative[]): void {
    const counts = new Map<Json, number>();
    const unions = given.map((branches) => this.#expand(branches, [], counts));
    const alternatives = unions.flat();
    for (const schema of new Set(alternatives.flat().map((branch) => branch.schema))) {
      findOrCreate(this.bySchema, schema, () => []).push(node);
      this.#readText(node, schema);
    }
    const members = groupParts(alternatives, ({ properties }) =>
      readEntries(this.#document.resolve(asObject(properties))),
    );
    node.entries = Array.from(members, ([name, parts]) => {
      const entry = createEntry('members', placeWithin(node.place, 'properties', name), name, parts);
      return { ...entry, node: this.#find(parts), conversion: this.#findConversion(name, parts.flat()) };
    });
    if (node.entries.length > 0) node.members = this.readTerms(node.entries);
    const values = Array.from(findTexts(unions), ([text, parts]) => createEntry('values', node.place, text, [parts]));
    if (values.length > 0) node.values = this.readTerms(values);
    const readRest = (schema: Json) => listSchemas(schema.additionalProperties, schema.unevaluatedProperties);
    const readItems = (schema: Json) => listSchemas(schema.items, schema.unevaluatedItems, schema.contains);
    const readTuple = ({ prefixItems, items }: Json) => readEntries(prefixItems ?? (Array.isArray(items) ? items : []));
    node.rest = this.#findParts(alternatives, readRest).get('');
    node.items = this.#findParts(alternatives, readItems).get('');
    node.prefix = [...this.#findParts(alternatives, readTuple).values()];
    for (const [pattern, member] of this.#findParts(alternatives, (schema) => readEntries(schema.patternProperties))) {
      const expression = readPattern(pattern);
      if (expression) node.patterns.push([expression, member]);
      else this.#document.notice(placeWithin(node.place, 'patternProperties'), `"${pattern}" ${SLOW_PATTERN}`);
    }
  }

  #findParts(alternatives: readonly Alternative[], read: (schema: Json) => Entries): ReadonlyMap<string, Node> {
    return new Map(Array.from(groupParts(alternatives, read), ([name, parts]) => [name, this.#find(parts)]));
  }

  /** Reads what a text holds besides data. */
  #readText(node: Node, schema: Json): void {
    const names = readNames(schema);
    const format = String(schema.format);
    if (names[0] === 'request') node.holds = 'request';
    else if (names.length > 0) {
      const schemas = names.map((name) => {
        const $ref = name.startsWith('#') ? name : `#/components/schemas/${name}`;
        return this.#document.lookUp(this.#document.derive(schema, { $ref }));
      });
      node.holds = 'names';
      node.scope = this.#find([toBranches(schemas.filter(isObject))]);
    } else if (/^(uri|iri)(-reference)?$|^uri-template$/.test(format)) {
      node.holds ??= format.includes('-') ? 'reference' : 'address';
    } else if (format === 'json-pointer') node.holds ??= 'pointer';
  }

  /** @returns a schema of the member that says which alternative there is, with all values that it may have */
  #describeDiscriminator(schema: Json): readonly Json[] {
    const { discriminator, oneOf, anyOf } = schema;
    const name = valueAt(discriminator, 'propertyName');
    if (typeof name !== 'string') return [];
    const described = findOrCreate(this.#discriminators, schema, () => {
      const mapping = valueAt(discriminator, 'mapping');
      const references = readParts(oneOf, anyOf).flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []));
      const kinds = this.#document.listKinds(schema).map((kind) => this.#document.findPlace(kind));
      const values = isObject(mapping) ? Object.keys(mapping) : [...references, ...kinds].map(scopeName);
      const member = this.#document.derive(schema, { enum: values, discriminates: true });
      return this.#document.derive(schema, { properties: { [name]: member } });
    });
    return [described];
  }

  /** @returns the converter of a member, which is refused if it does not lead back */
  #findConversion(name: string, parts: Alternative): Conversion | undefined {
    const scopes = parts.flatMap((part) => part.scopes);
    const conversion = this.words.findConversion(scopes, name);
    if (!conversion) return undefined;
    const loss = findLoss(conversion, this.#expand(parts, [], new Map()).flat());
    if (loss !== undefined) this.#refuse(placeWithin('/convert', scopes[0] ?? '*', name), loss);
    return conversion;
  }

  /** Reads the words of one scope, whatever it is of, and reports every word that has no inverse. */
  readTerms(entries: readonly Entry[]): Terms {
    const terms = { in: new Map<string, Term>(), out: new Map<string, Term>() };
    const pointers = new Map<string, string>();
    const names = new Map(entries.map((entry) => [compose(entry.name), entry]));
    for (const entry of entries) {
      const { name, place, conversion, shared } = entry;
      const candidates = entry.findWords(this.words);
      const [first, ...others] = candidates.filter((candidate) => candidate !== undefined);
      if (candidates.length > 0 && !first && name !== '') this.missing.add(name);
      const { word, pointer } = first ?? { word: name, pointer: place };
      const different = others.find((other) => other.word !== word);
      const [owner, namesake] = [terms.in.get(word), names.get(word)];
      if (different) {
        const both = `"${word}" here and "${different.word}" at ${different.pointer}, in one place (${place})`;
        const general = shared === undefined ? '' : `, or one at ${shared}, which goes before them`;
        this.#refuse(pointer, `"${name}" is ${both}; write one word at both${general}`);
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

/** @param to what replaces the text */
export function createTerm(
  text: string,
  to: string,
  { node, parameter }: Pick<Entry, 'node' | 'parameter'>,
  { convert, suggestion }: Pick<Term, 'convert' | 'suggestion'> = {},
): Term {
  const json = to === text ? undefined : JSON.stringify(to).slice(1, -1);
  return { text, to, json, suggestion, node, parameter, convert, next: undefined };
}

/** @returns the schemas of one alternative, of which a table has not spoken yet */
function toBranches(schemas: readonly Json[]): Alternative {
  return schemas.map((schema) => ({ schema, scopes: [] }));
}

type Entries = readonly (readonly [name: string, part: Json])[];

/** @returns schemas that need no names; `true` says nothing */
function listSchemas(...schemas: readonly unknown[]): Entries {
  return schemas.filter(isObject).map((schema) => ['', schema]);
}

/** @returns what schemas have within themselves, by its name, for each alternative that has some */
function groupParts(alternatives: readonly Alternative[], read: (schema: Json) => Entries) {
  const groups = new Map<string, Alternative[]>();
  for (const branches of alternatives) {
    const parts = branches.flatMap(({ schema, scopes }) =>
      read(schema).map(([name, part]) => ({ name, schema: part, scopes })),
    );
    for (const [name, group] of Map.groupBy(parts, (part) => part.name))
      findOrCreate(groups, name, () => []).push(group);
  }
  return groups;
}

/** @param alternatives must agree on the word; what one schema says holds for all of its alternative */
function createEntry(
  section: 'members' | 'values',
  place: string,
  name: string,
  alternatives: readonly Alternative[],
): Entry {
  // What stands around alternatives is in each of them.
  const all = [...new Set(alternatives.flat().map(({ scopes }) => scopes))];
  const [outermost = ''] = all[0] ?? [];
  const findWords = (words: Words): readonly (TableWord | undefined)[] => {
    const own = new Map(all.map((scopes) => [scopes, words.findScoped(section, scopes, name)]));
    const withWord = alternatives.filter((parts) => parts.some(({ scopes }) => own.get(scopes)));
    const covered = new Set(withWord.flat().map(({ scopes }) => scopes));
    const without = withWord.length > 0 ? all.find((scopes) => !covered.has(scopes)) : undefined;
    const nameItself = { word: name, pointer: placeWithin('', section, without?.at(-1) ?? '', name) };
    return [...[...own.values()].filter((word) => word !== undefined), without && nameItself];
  };
  const isShared = all.every(([scope]) => scope === outermost);
  return { name, place, findWords, shared: isShared ? placeWithin('', section, outermost, name) : undefined };
}

/** @returns the texts that a schema lists; nothing if it allows others */
export function listTexts({ const: constant, enum: list = constant === undefined ? constant : [constant] }: Json) {
  return Array.isArray(list) ? list.filter((value) => typeof value === 'string') : undefined;
}

function allowsText(schema: Json): boolean {
  const { type, properties, items, nullable } = schema;
  // Nothing but `nullable` is how `null` is written before 3.1.
  const isNull = nullable === true && Object.keys(schema).length === 1;
  return !isNull && [type ?? (properties || items ? 'object' : 'string')].flat().includes('string');
}

/**
 * @param unions the alternatives within each alternative of a place
 * @returns the texts of the place that may be exchanged, each with the schemas that list it
 */
function findTexts(unions: readonly (readonly Alternative[])[]): Iterable<readonly [string, readonly Branch[]]> {
  const branches = [...new Set(unions.flat(2))];
  const texts = Map.groupBy(
    branches.flatMap((branch) => (listTexts(branch.schema) ?? []).map((text) => ({ ...branch, text }))),
    ({ text }) => text,
  );
  if (texts.size === 0) return [];
  const closed = unions.map((union) => union.filter((all) => all.every(({ schema }) => allowsText(schema))));
  if (closed.flat().some((all) => all.every(({ schema }) => !listTexts(schema)))) return [];
  const lists = closed
    .filter(({ length }) => length > 0)
    .map((union) => new Set(union.flat().flatMap(({ schema }) => listTexts(schema) ?? [])));
  const count = (text: string): number => lists.filter((list) => list.has(text)).length;
  // A text says which alternative there is if it is of one only, or if a discriminator says so.
  const isTelling =
    branches.some(({ schema }) => 'discriminates' in schema) || [...texts.keys()].every((text) => count(text) === 1);
  return isTelling ? texts : [...texts].filter(([text]) => count(text) === lists.length);
}

/** @returns why a unit cannot be converted back to what it was; nothing if it can */
function findLoss({ toWords, toCanonical }: Conversion, branches: Alternative): string | undefined {
  const find = (keyword: string) =>
    branches.map(({ schema }) => schema[keyword]).find((value) => typeof value === 'number');
  const [least, greatest] = [Number(find('minimum')), Number(find('maximum'))];
  const step = Number(find('multipleOf') ?? (branches.some(({ schema }) => schema.type === 'integer') ? 1 : undefined));
  if (!((greatest - least) / step <= MOST_VALUES)) {
    return 'the schema must say "minimum", "maximum" and "multipleOf" (or be of integers), so that every value can be tried';
  }
  for (let value = least; value <= greatest; value += step) {
    const [there, back] = [toWords(value), toCanonical(toWords(value))];
    if (back !== value) return `${value} becomes ${there} and then ${back}; choose functions that lead back`;
  }
  return undefined;
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
