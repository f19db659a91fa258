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
  /** The term that came behind it the last time: objects of a list have their members in one order. */
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
interface Branch {
  readonly schema: Json;
  readonly alternative?: Alternative | undefined;
  /** The names under which a table may speak of what is in it, outermost first: `Boat`, or its place. */
  readonly scopes: readonly string[];
}

/** What a branch has under a name. */
interface Part extends Branch {
  readonly name: string;
}

/** A name of a scope, which has no word yet. */
interface Entry {
  readonly name: string;
  readonly place: string;
  readonly node?: Node | undefined;
  readonly parameter?: Parameter;
  readonly conversion?: Conversion | undefined;
  /** Finds the words that the schemas have for it, which must agree; none for what has no words at all. */
  readonly findWords: (words: Words) => readonly (TableWord | undefined)[];
}

/** A document with more nodes has schemas that contain each other in too many ways. */
const MOST_NODES = 100_000;
/** Alternatives of a place in which one schema is read: unions that contain each other have more than any time suffices for. */
const MOST_ALTERNATIVES = 100;
/** Characters of the longest name that is compared with patterns: the time may grow with its square. */
const LONGEST_NAME = 256;
const SAFE =
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
  /** The members of nodes, without their words. */
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
      for (const location of LOCATIONS) this.findParameters(operation, location);
      for (const contents of [operation.body, ...operation.answers.values()]) {
        for (const content of contents.values()) this.findContents(content);
      }
    }
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
    const [entries, exploded]: [Entry[], Entry[]] = [[], []];
    for (const parameter of operation.parameters) {
      const { name, source, style, explode } = parameter;
      if (parameter.in !== location) continue;
      const place = this.#document.findPlace(source);
      const value = this.compileParameter(parameter);
      // The members of an object are parameters themselves. Names of headers are never translated.
      const findWords = (words: Words) => (location === 'header' ? [] : [words.findParameter(operation, name)]);
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
    const schemas = this.#all.map((words) => words.findSchemaNames(name)).find((scope) => scope !== undefined);
    const names = schemas ?? source['x-names'];
    if (names !== undefined) return this.compile([this.#document.derive(source, { 'x-names': names })]);
    return schema ? this.compile([schema]) : new Node(this.#document.findPlace(source));
  }

  /** @returns the node of a place that all these schemas describe */
  compile(schemas: readonly Json[]): Node {
    const node = this.#find(toBranches(schemas));
    for (let fill = this.#waiting.pop(); fill; fill = this.#waiting.pop()) fill();
    return node;
  }

  #find(all: readonly Branch[]): Node {
    const plain = all.map((described) => ({ ...described, schema: this.#skipReference(described.schema) }));
    // Alternatives of the same schemas are one, so that what contains itself has an end.
    const alternatives = groupAlternatives(plain).map((group) => {
      const ids = group.map(({ schema }) => findOrCreate(this.#ids, schema, () => this.#ids.size));
      return [[...new Set(ids)].sort().join('+'), group] as const;
    });
    const unique = new Map(alternatives);
    return findOrCreate(this.#byKey, [...unique.keys()].sort().join(), () => {
      const node = new Node(this.#document.findPlace(plain[0]?.schema));
      if (this.nodes.push(node) > MOST_NODES)
        throw new RangeError('the schemas of the document combine in too many ways');
      this.#waiting.push(() => this.#fill(node, [...unique.values()]));
      return node;
    });
  }

  /** A reference with a description beside it is the schema itself. */
  #skipReference(schema: Json): Json {
    const isPlain = Object.keys(schema).every((key) => /^(\$ref|description|summary)$/.test(key));
    return isPlain ? this.#document.resolve(schema) : schema;
  }

  /** Lists all schemas that describe one place: those given and what they are composed of. */
  #listBranches(alternatives: readonly (readonly Branch[])[]): readonly Branch[] {
    const branches = new Map<Json, Branch[]>();
    /** @param isPart whether the schema is a part of another one, which may be of a kind of its own */
    const add = ({ schema, alternative, scopes }: Branch, isPart: boolean): void => {
      const same = findOrCreate(branches, schema, () => []);
      if (same.length >= MOST_ALTERNATIVES || same.some((other) => isWithin(alternative, other.alternative))) return;
      const branch = { schema, alternative, scopes: [...scopes, scopeName(this.#document.findPlace(schema))] };
      same.push(branch);
      const target = this.#document.lookUp(schema);
      if (target) add({ ...branch, schema: target }, isPart);
      for (const part of readParts(schema.allOf, schema.dependentSchemas)) add({ ...branch, schema: part }, true);
      const kinds = isPart ? [] : this.#document.listKinds(schema);
      const conditions = [schema.if, schema.then, schema.else].filter(isObject);
      for (const other of [...kinds, ...readParts(schema.oneOf, schema.anyOf), ...conditions])
        add({ schema: other, alternative: { outer: alternative }, scopes: branch.scopes }, false);
    };
    for (const group of alternatives) {
      const alternative = { outer: undefined };
      for (const { schema } of group) add({ schema, alternative, scopes: [] }, false);
    }
    return [...branches.values()].flat();
  }

  #fill(node: Node, alternatives: readonly (readonly Branch[])[]): void {
    const branches = this.#listBranches(alternatives);
    for (const schema of new Set(branches.map((branch) => branch.schema))) {
      findOrCreate(this.bySchema, schema, () => []).push(node);
      this.#readText(node, schema);
    }
    const properties = [...groupParts(branches, (schema) => schema.properties).values()].flat();
    // A discriminator names a member that no schema may declare.
    const discriminators = branches.flatMap((branch) => this.#readDiscriminator(branch));
    const all = Map.groupBy([...properties, ...discriminators], ({ name }) => name);
    const members = Array.from(all, ([name, parts]): Entry => {
      const entry = createEntry('members', placeWithin(node.place, 'properties', name), groupAlternatives(parts));
      return { ...entry, node: this.#find(parts), conversion: this.#findConversion(name, parts) };
    });
    this.#entries.set(node, members);
    if (members.length > 0) node.members = this.readTerms(members);
    const isDiscriminator = branches.some(({ schema }) => 'discriminates' in schema);
    const values = findTexts(branches, isDiscriminator).map((parts) =>
      createEntry('values', node.place, isDiscriminator ? [parts] : groupOutermost(parts)),
    );
    if (values.length > 0) node.values = this.readTerms(values);
    const rest = listParts(branches, 'additionalProperties', 'unevaluatedProperties');
    if (rest.length > 0) node.rest = this.#find(rest);
    const items = listParts(branches, 'items', 'unevaluatedItems', 'contains');
    if (items.length > 0) node.items = this.#find(items);
    const tuple = groupParts(branches, ({ prefixItems, items }) => prefixItems ?? (Array.isArray(items) ? items : []));
    node.prefix = Array.from(tuple.values(), (parts) => this.#find(parts));
    for (const [pattern, parts] of groupParts(branches, ({ patternProperties }) => patternProperties)) {
      const expression = readPattern(pattern);
      if (expression) node.patterns.push([expression, this.#find(parts)]);
      else this.#document.notice(placeWithin(node.place, 'patternProperties'), `"${pattern}" ${SAFE}`);
    }
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
      node.scope = this.#find(toBranches(schemas.filter(isObject)));
    } else if (/^(uri|iri)(-reference)?$/.test(format)) {
      node.holds ??= format.endsWith('reference') ? 'reference' : 'address';
    } else if (format === 'json-pointer') node.holds ??= 'pointer';
  }

  /** @returns the member that says which alternative there is, with all values that it may have */
  #readDiscriminator(branch: Branch): readonly Part[] {
    const { discriminator, oneOf, anyOf } = branch.schema;
    const name = valueAt(discriminator, 'propertyName');
    if (typeof name !== 'string') return [];
    const schema = findOrCreate(this.#discriminators, branch.schema, () => {
      const mapping = valueAt(discriminator, 'mapping');
      const references = readParts(oneOf, anyOf).flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []));
      const kinds = this.#document.listKinds(branch.schema).map((kind) => this.#document.findPlace(kind));
      const values = isObject(mapping) ? Object.keys(mapping) : [...references, ...kinds].map(scopeName);
      return this.#document.derive(branch.schema, { enum: values, discriminates: true });
    });
    return [{ ...branch, schema, name }];
  }

  /** @returns the converter of a member, which is refused if it does not lead back */
  #findConversion(name: string, parts: readonly Part[]): Conversion | undefined {
    const scopes = parts.flatMap((part) => part.scopes);
    const conversion = this.words.findConversion(scopes, name);
    const loss =
      conversion &&
      findLoss(
        conversion,
        this.#listBranches([parts]).map(({ schema }) => schema),
      );
    if (loss !== undefined) this.#refuse(placeWithin('/convert', scopes[0] ?? '*', name), loss);
    return conversion;
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
      if (candidates.length > 0 && !candidates[0] && name !== '') this.missing.add(name);
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
  const json = to === text ? undefined : JSON.stringify(to).slice(1, -1);
  return { text, to, json, suggestion, node, parameter, convert, next: undefined };
}

function toBranches(schemas: readonly Json[]): readonly Branch[] {
  return schemas.map((schema) => ({ schema, scopes: [] }));
}

function isWithin(inner: Alternative | undefined, outer: Alternative | undefined): boolean {
  return inner === outer || (inner !== undefined && isWithin(inner.outer, outer));
}

/** @returns for each alternative that has no others within it its schemas, and those of what stands around it */
function groupAlternatives<T extends Branch>(described: readonly T[]): readonly (readonly T[])[] {
  const all = new Set(described.map(({ alternative }) => alternative));
  const outers = new Set<Alternative | undefined>();
  for (const inner of all) for (let at = inner; at; at = at.outer) outers.add(at.outer);
  const innermost = [...all].filter((alternative) => !outers.has(alternative));
  return innermost.map((inner) => described.filter(({ alternative }) => isWithin(inner, alternative)));
}

/** @returns the schemas of each alternative that is within no other one */
function groupOutermost<T extends Branch>(branches: readonly T[]): readonly (readonly T[])[] {
  const findOuter = (alternative: Alternative | undefined): Alternative | undefined =>
    alternative?.outer ? findOuter(alternative.outer) : alternative;
  return [...Map.groupBy(branches, ({ alternative }) => findOuter(alternative)).values()];
}

/** @returns what branches have in the values of some keywords */
function listParts(branches: readonly Branch[], ...keywords: readonly string[]): readonly Branch[] {
  return branches.flatMap((branch) => {
    const schemas = keywords.map((keyword) => branch.schema[keyword]).filter(isObject);
    return schemas.map((schema) => ({ ...branch, schema }));
  });
}

/** @returns what branches have in objects or arrays, by its name there */
function groupParts(
  branches: readonly Branch[],
  read: (schema: Json) => unknown,
): ReadonlyMap<string, readonly Part[]> {
  const parts = branches.flatMap((branch) =>
    readEntries(read(branch.schema)).map(([name, schema]): Part => ({ ...branch, schema, name })),
  );
  return Map.groupBy(parts, ({ name }) => name);
}

/** @param alternatives must agree on the word; what one schema says holds for all of its alternative */
function createEntry(section: 'members' | 'values', place: string, alternatives: readonly (readonly Part[])[]): Entry {
  const name = alternatives[0]?.[0]?.name ?? '';
  const findWords = (words: Words) =>
    alternatives.flatMap((parts) => {
      const own = parts.flatMap(({ scopes }) => words.findScoped(section, scopes, name) ?? []);
      return own.length > 0 ? own : [undefined];
    });
  return { name, place, findWords };
}

/** @returns the texts that a schema lists; nothing if it allows others */
function listTexts({ const: constant, enum: list = constant === undefined ? constant : [constant] }: Json) {
  return Array.isArray(list) ? list.filter((value) => typeof value === 'string') : undefined;
}

function allowsText(schema: Json): boolean {
  const { type, properties, items, nullable } = schema;
  // Nothing but `nullable` is how `null` is written before 3.1.
  const isNull = nullable === true && Object.keys(schema).length === 1;
  return !isNull && [type ?? (properties || items ? 'object' : 'string')].flat().includes('string');
}

/**
 * @param areAll whether all texts are, because there is a discriminator
 * @returns the texts of a place that may be exchanged, each with the schemas that list it
 */
function findTexts(branches: readonly Branch[], areAll: boolean): readonly (readonly Part[])[] {
  const parts = branches.flatMap((branch) =>
    (listTexts(branch.schema) ?? []).map((name): Part => ({ ...branch, name })),
  );
  const texts = Map.groupBy(parts, ({ name }) => name);
  if (areAll || texts.size === 0) return [...texts.values()];
  const alternatives = groupOutermost(branches).map((outermost) =>
    groupAlternatives(outermost).filter((group) => group.every(({ schema }) => allowsText(schema))),
  );
  if (!alternatives.flat().every((group) => group.some(({ schema }) => listTexts(schema)))) return [];
  const lists = alternatives
    .filter((groups) => groups.length > 0)
    .map((groups) => groups.flat().flatMap(({ schema }) => listTexts(schema) ?? []));
  const count = (text: string): number => lists.filter((list) => list.includes(text)).length;
  // If no text is of two alternatives, a text says which one there is.
  const areDistinct = [...texts.keys()].every((text) => count(text) === 1);
  return [...texts].flatMap(([text, parts]) => (areDistinct || count(text) === lists.length ? [parts] : []));
}

/** @returns why a unit cannot be converted back to what it was; nothing if it can */
function findLoss({ toWords, toCanonical }: Conversion, schemas: readonly Json[]): string | undefined {
  const find = (keyword: string) => schemas.map((schema) => schema[keyword]).find((value) => typeof value === 'number');
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
