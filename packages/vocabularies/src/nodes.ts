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
  type Placed,
  placeWithin,
  readMember,
  readMembers,
  readObjects,
} from './document.ts';
import { buildTree, type Route } from './paths.ts';
import type { Conversion, TableWord, Words } from './table.ts';
import { asObject, compose, isObject, type Json } from './words.ts';

/** From words to the names of the document, or from these to words. */
export type Direction = 'in' | 'out';

/** Where a parameter stands. */
export type Location = 'query' | 'path' | 'header' | 'cookie';

/** What is known of a text at a place: a name or a listed value. */
export interface Term {
  readonly text: string;
  /** What replaces it. */
  readonly to: string;
  /** `to` as it stands in JSON; absent if the text stays. */
  readonly written?: string | undefined;
  /** The right word, if the text is one of another vocabulary; it then stays. */
  readonly suggestion?: string;
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
  readonly prefix: Node[] = [];
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
    return this.patterns.find(([expression]) => expression.test(name))?.[1] ?? this.rest;
  }
}

/** What a body is, and each item of a sequence. */
export interface ContentNodes {
  readonly body?: Node | undefined;
  readonly item?: Node | undefined;
}

/** One of the schemas of a place. All of one group hold at once, as in `allOf`; of several groups one does, as in `oneOf`. */
interface Described extends Placed {
  readonly group?: string | undefined;
}

/** A schema with the names under which a table may speak of it, outermost first: `Boat`, or its place. */
interface Branch extends Described {
  readonly scopes: readonly string[];
  /** Whether it is a part of another one, which may be of a kind of its own. */
  readonly isPart?: boolean;
}

type Members = readonly (readonly [name: string, Placed])[];

/** The texts that a schema lists, with the scopes of each list; `any` if it allows others. */
type Choices = ReadonlyMap<string, readonly (readonly string[])[]> | 'any';

/** A name of a scope before it has a word. */
interface Entry {
  readonly name: string;
  readonly place: string;
  readonly node?: Node | undefined;
  readonly parameter?: Parameter;
  readonly conversion?: Conversion | undefined;
  readonly find: (words: Words) => readonly (TableWord | undefined)[];
}

/** More nodes than any document needs: its schemas contain each other in too many ways. */
const MOST_NODES = 100_000;
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
  readonly #byKey = new Map<string, Node>();
  readonly #ids = new Map<Json, number>();
  readonly #discriminators = new Map<Json, Members>();
  readonly #contents = new Map<Content, ContentNodes>();
  readonly #parameters = { query: new Map(), path: new Map(), header: new Map(), cookie: new Map() } as Record<
    Location,
    Map<Operation, Node>
  >;
  readonly #waiting: (() => void)[] = [];
  readonly #isMutual: boolean;

  /** @param isMutual whether a name of the document that is sent instead of a word becomes the word, as the word becomes the name */
  constructor(words: Words, all: readonly Words[], document: Document, routes: readonly Route[], isMutual = false) {
    this.tag = words.tag;
    this.#isMutual = isMutual;
    this.words = words;
    this.#all = all;
    this.#document = document;
    this.root = buildTree(this, routes, 0);
    for (const operation of routes.flatMap((route) => [...route.operations.values()])) {
      for (const location of ['query', 'path', 'header', 'cookie'] as const) this.parameters(operation, location);
      for (const contents of [operation.body, ...operation.answers.values()]) {
        for (const content of contents.values()) this.contents(content);
      }
    }
  }

  contents(content: Content): ContentNodes {
    const { body, item } = content;
    const nodes = this.#contents.get(content) ?? {
      body: body && this.compile([body]),
      item: item && this.compile([item]),
    };
    this.#contents.set(content, nodes);
    return nodes;
  }

  /** @returns the parameters of an operation in its `query`, `path`, `header` or `cookie` as members of an object */
  parameters(operation: Operation, location: Location): Node {
    const known = this.#parameters[location].get(operation);
    if (known) return known;
    const node = new Node(operation.place);
    this.#parameters[location].set(operation, node);
    const entries: Entry[] = [];
    const exploded: Terms[] = [];
    for (const parameter of operation.parameters.filter((each) => each.in === location)) {
      const { name, place, style, explode } = parameter;
      const value = this.compileParameter(parameter);
      // The members of an object are parameters themselves. Names of headers are never translated.
      const find = (words: Words) => (location === 'header' ? [] : [words.parameter(operation, name)]);
      if (style === 'form' && explode && value.members !== NONE) exploded.push(value.members);
      else if (location !== 'header' || !value.isPlain) entries.push({ name, place, node: value, parameter, find });
    }
    const all = [...exploded, this.readTerms(entries)];
    node.members = {
      in: new Map(all.flatMap((terms) => [...terms.in])),
      out: new Map(all.flatMap((terms) => [...terms.out])),
    };
    return node;
  }

  /** @returns the node of a parameter's value: that of names, if the document or a table says that it holds some */
  compileParameter({ name, schema, place, value }: Parameter): Node {
    const names = this.#all.map((words) => words.names(name)).find((each) => each !== undefined) ?? schema['x-names'];
    if (names !== undefined)
      return this.compile([{ schema: { 'x-names': names }, place: placeWithin(place, 'schema') }]);
    return value ? this.compile([value]) : new Node(place);
  }

  /** @returns the node of a place that all these schemas describe */
  compile(placed: readonly Placed[]): Node {
    const node = this.#find(placed);
    for (let fill = this.#waiting.pop(); fill; fill = this.#waiting.pop()) fill();
    return node;
  }

  #find(all: readonly Described[]): Node {
    const groups = [...new Set(all.map(({ group }) => group))];
    const placed = all.map((each): Described => {
      // A reference with a description beside it is the schema itself.
      const isPlain = Object.keys(each.schema).every((key) => /^(\$ref|description|summary)$/.test(key));
      return { ...(isPlain ? this.#document.resolve(each) : each), group: String(groups.indexOf(each.group)) };
    });
    const ids = placed.map(({ schema, group }) => {
      const id = this.#ids.get(schema) ?? this.#ids.set(schema, this.#ids.size).size - 1;
      return `${id}.${group}`;
    });
    const key = [...new Set(ids)].sort().join();
    const known = this.#byKey.get(key);
    if (known) return known;
    const node = new Node(placed[0]?.place ?? '');
    this.#byKey.set(key, node);
    if (this.nodes.push(node) > MOST_NODES)
      throw new RangeError('the schemas of the document combine in too many ways');
    this.#waiting.push(() => this.#fill(node, placed));
    return node;
  }

  /** Lists all schemas that describe one place: those given and what they are composed of. */
  #listBranches(placed: readonly Described[]): readonly Branch[] {
    const branches = new Map<Json, Branch>();
    const open = placed.map((each): Branch => ({ ...each, scopes: [scopeName(each.place)] }));
    for (let branch = open.shift(); branch; branch = open.shift()) {
      const at = branch;
      if (branches.has(at.schema)) continue;
      branches.set(at.schema, at);
      const kinds = at.isPart ? [] : this.#document.listKinds(at);
      const others = [...kinds, ...readObjects(at, 'oneOf', 'anyOf'), ...readMember(at, 'if', 'then', 'else')];
      const parts = readObjects(at, 'allOf', 'dependentSchemas');
      const below: readonly Omit<Branch, 'scopes'>[] = [
        ...this.#document.lookUp(at).map((each) => ({ ...each, group: at.group, isPart: at.isPart ?? false })),
        ...parts.map((each) => ({ ...each, group: at.group, isPart: true })),
        ...others.map((each, index) => ({ ...each, group: `${at.group ?? ''} ${at.place} ${index}` })),
      ];
      open.unshift(...below.map((each) => ({ ...each, scopes: [...at.scopes, scopeName(each.place)] })));
    }
    return [...branches.values()];
  }

  #fill(node: Node, placed: readonly Described[]): void {
    const branches = this.#listBranches(placed);
    const declared = new Map<string, { readonly scopes: (readonly string[])[]; readonly values: Described[] }>();
    const prefix: Described[][] = [];
    const read = (...names: readonly string[]): readonly Described[] =>
      branches.flatMap((branch) => readMember(branch, ...names).map((each) => ({ ...each, group: branch.group })));
    const [rest, items] = [
      read('additionalProperties', 'unevaluatedProperties'),
      read('items', 'unevaluatedItems', 'contains'),
    ];
    for (const branch of branches) {
      this.bySchema.set(branch.schema, [...(this.bySchema.get(branch.schema) ?? []), node]);
      for (const [name, value] of readMembers(branch, 'properties')) {
        const member = declared.get(name) ?? { scopes: [], values: [] };
        declared.set(name, member);
        member.scopes.push(branch.scopes);
        member.values.push({ ...value, group: branch.group });
      }
      for (const keyword of ['prefixItems', 'items'].filter((each) => Array.isArray(branch.schema[each]))) {
        for (const [at, value] of readMembers(branch, keyword))
          prefix[Number(at)] = [...(prefix[Number(at)] ?? []), { ...value, group: branch.group }];
      }
      for (const [pattern, value] of readMembers(branch, 'patternProperties')) {
        const expression = readPattern(pattern);
        if (expression) node.patterns.push([expression, this.#find([value])]);
      }
      this.#readText(node, branch.schema);
    }
    for (const branch of branches)
      for (const [name, values] of this.#readDiscriminators(branch)) declared.get(name)?.values.push(values);
    const entries = [...declared].map(([name, { scopes, values }]): Entry => {
      const groups = values.map(({ group }) => group);
      const conversion = this.words.conversion(scopes.flat(), name);
      const loss = conversion && this.#findLoss(conversion, values);
      if (loss !== undefined) this.#refuse(placeWithin('/convert', scopes[0]?.[0] ?? '*', name), loss);
      const find = (words: Words) => {
        const terms = scopes.map((each) => words.scoped('members', each, name));
        // What one part of a schema says holds for the others, too.
        return terms.map((each, at) => each ?? terms.find((other, part) => other && groups[part] === groups[at]));
      };
      return { name, place: placeWithin(node.place, 'properties', name), node: this.#find(values), conversion, find };
    });
    if (entries.length > 0) node.members = this.readTerms(entries);
    if (rest.length > 0) node.rest = this.#find(rest);
    if (items.length > 0) node.items = this.#find(items);
    node.prefix.push(...prefix.map((each) => this.#find(each)));
    this.#readValues(node, placed);
  }

  /** Reads what a text holds besides data. */
  #readText(node: Node, schema: Json): void {
    const names = readNames(schema);
    if (names[0] === 'request') node.holds = 'request';
    else if (names.length > 0) {
      const components = { schema: asObject(this.#document.content.components), place: '#/components' };
      const schemas = readMembers(components, 'schemas').filter(([name]) => names.includes(name));
      node.holds = 'names';
      node.named = this.#find(schemas.map(([, each]) => each));
    } else if (/^(uri|iri)(-reference)?$/.test(String(schema.format))) {
      node.holds ??= String(schema.format).endsWith('reference') ? 'reference' : 'address';
    } else if (schema.format === 'json-pointer') node.holds ??= 'pointer';
  }

  /** @returns the members that say which alternative is there, each with all values that it may have */
  #readDiscriminators(branch: Branch): Members {
    const known = this.#discriminators.get(branch.schema);
    if (known) return known;
    const { propertyName, mapping } = asObject(branch.schema.discriminator);
    const references = readObjects(branch, 'oneOf', 'anyOf').flatMap((each) => each.schema.$ref ?? []);
    const kinds = this.#document.listKinds(branch).map(({ place }) => place);
    const names = isObject(mapping)
      ? Object.keys(mapping)
      : [...references, ...kinds].map((each) => scopeName(String(each)));
    const lists = typeof propertyName === 'string' ? [[propertyName, names] as const] : this.#readTags(branch);
    const members = lists.map(([name, values]) => {
      return [name, { schema: { enum: values, discriminates: true }, place: branch.place }] as const;
    });
    this.#discriminators.set(branch.schema, members);
    return members;
  }

  /** @returns the members that each alternative has with values that no other lists, as in a union of zod */
  #readTags(branch: Branch): readonly (readonly [name: string, values: readonly string[]])[] {
    const alternatives = readObjects(branch, 'oneOf', 'anyOf').filter(({ schema }) => schema.type !== 'null');
    const lists = alternatives.map((alternative) => {
      const parts = this.#listBranches([alternative]).filter(({ group }) => group === undefined);
      const members = parts.flatMap((part) => readMembers(part, 'properties'));
      const choices = members.map(([name, value]) => [name, this.#readChoices({ ...value, scopes: [] }, [])] as const);
      return new Map(
        choices.flatMap(([name, each]) => (each instanceof Map ? [[name, [...each.keys()]] as const] : [])),
      );
    });
    const names =
      lists.length > 1 ? [...(lists[0]?.keys() ?? [])].filter((name) => lists.every((each) => each.has(name))) : [];
    const tags = names.map((name) => [name, lists.flatMap((each) => each.get(name) ?? [])] as const);
    return tags.filter(([, values]) => new Set(values).size === values.length);
  }

  #readValues(node: Node, placed: readonly Described[]): void {
    const isDiscriminated = placed.some(({ schema }) => 'discriminates' in schema);
    const lists = [...Map.groupBy(placed, ({ group }) => group).values()].flatMap((group) => {
      return (
        joinChoices(group.map((each) => this.#readChoices({ ...each, scopes: [scopeName(each.place)] }, []))) ?? []
      );
    });
    const entries = [...mergeChoices(lists)].flatMap(([name, scopes]): readonly Entry[] => {
      const isListed = lists.every((list) => list !== 'any' && list.has(name));
      const findAll = (words: Words) => scopes.map((each) => words.scoped('values', each, name));
      // Each alternative may say the word of its own value, and each part that of all.
      const findSaid = (words: Words) => findAll(words).filter((each) => each !== undefined);
      const isStrict = isListed && lists.length > 1;
      const find = (words: Words) => (isStrict || findSaid(words).length === 0 ? findAll(words) : findSaid(words));
      return isDiscriminated || isListed ? [{ name, place: node.place, find }] : [];
    });
    if (entries.length > 0) node.values = this.readTerms(entries);
  }

  /** @returns the texts that a schema lists; nothing if it allows no text */
  #readChoices(branch: Branch, seen: readonly Json[]): Choices | undefined {
    const { schema, scopes } = branch;
    const types = [schema.type ?? ('properties' in schema || 'items' in schema ? 'object' : 'string')].flat();
    if (seen.includes(schema) || !types.includes('string')) return undefined;
    const own = 'const' in schema ? [schema.const] : schema.enum;
    if (Array.isArray(own))
      return new Map(own.flatMap((value) => (typeof value === 'string' ? [[value, [scopes]]] : [])));
    const read = (part: Placed) =>
      this.#readChoices({ ...part, scopes: [...scopes, scopeName(part.place)] }, [...seen, schema]);
    const all = [...readObjects(branch, 'allOf'), ...this.#document.lookUp(branch)].map(read);
    const either = readObjects(branch, 'oneOf', 'anyOf').map(read);
    const lists = either.filter((each) => each !== undefined);
    if (either.length > 0 && lists.length === 0) return undefined;
    return joinChoices([...all, ...(lists.includes('any') ? [] : lists)]);
  }

  /** @returns why a unit cannot be converted back to what it was; nothing if it can */
  #findLoss({ toWords, toCanonical }: Conversion, placed: readonly Placed[]): string | undefined {
    const schemas = this.#listBranches(placed).map(({ schema }) => schema);
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
    for (const { name, place, node, parameter, conversion, find } of entries) {
      const candidates = find(this.words);
      const { word, pointer } = candidates[0] ?? { word: name, pointer: place };
      if (candidates.length > 0 && !candidates[0]) this.missing.add(name);
      const fault = this.#findFault(name, place, candidates, terms.in.get(word), pointers.get(word), names.get(word));
      if (fault !== undefined) this.#refuse(pointer, fault);
      pointers.set(word, pointer);
      const shared = { node, parameter };
      terms.in.set(word, {
        text: word,
        to: name,
        written: write(word, name),
        convert: conversion?.toCanonical,
        ...shared,
      });
      const term = { text: name, to: word, written: write(name, word), convert: conversion?.toWords, ...shared };
      terms.out.set(name, term);
      this.terms.push(term);
    }
    for (const { name, node, parameter, find } of entries) {
      const others = this.#all.flatMap((words) => find(words).flatMap((each) => each?.word ?? []));
      const suggestion = terms.out.get(name)?.to ?? name;
      const foreign = this.#isMutual ? { to: suggestion, written: write(name, suggestion) } : { suggestion };
      for (const text of [compose(name), ...others])
        if (!terms.in.has(text)) terms.in.set(text, { text, to: text, node, parameter, ...foreign });
    }
    return terms;
  }

  /** @returns what is wrong with the word of a name: it has no inverse, or is not the same in all that describes one place */
  #findFault(
    name: string,
    place: string,
    candidates: readonly (TableWord | undefined)[],
    same: Term | undefined,
    earlier: string | undefined,
    other: Entry | undefined,
  ): string | undefined {
    const word = candidates[0]?.word ?? name;
    const at = candidates.findIndex((each) => (each?.word ?? name) !== word);
    if (at !== -1) {
      const another = candidates[at] ?? { word: name, pointer: place };
      return `"${name}" is "${word}" here and "${another.word}" at ${another.pointer}, in one place (${place}); give it one word by that place`;
    }
    if (word === name) return undefined;
    if (same)
      return `"${word}" is the word of "${name}" and of "${same.to}" (${earlier}); choose another one for either`;
    if (!other || other.name === name) return undefined;
    return `"${word}", the word of "${name}", is another name of the document (${other.place}); choose another one`;
  }

  #refuse(pointer: string, message: string): void {
    if (this.faults.some((fault) => fault.pointer === pointer && fault.message === message)) return;
    this.faults.push({ file: this.tag, pointer, message });
  }
}

/** @returns what replaces a text as it stands in JSON; nothing if it stays */
function write(text: string, to: string): string | undefined {
  return to === text ? undefined : JSON.stringify(to).slice(1, -1);
}

/** @returns the texts that all of several schemas allow; nothing if one of them allows no text */
function joinChoices(lists: readonly (Choices | undefined)[]): Choices | undefined {
  const closed = lists.filter((each) => each !== 'any');
  if (closed.includes(undefined)) return undefined;
  return closed.length > 0 ? mergeChoices(closed) : 'any';
}

function mergeChoices(lists: readonly (Choices | undefined)[]): Exclude<Choices, 'any'> {
  const merged = new Map<string, readonly (readonly string[])[]>();
  for (const list of lists) {
    for (const [value, scopes] of list instanceof Map ? list : [])
      merged.set(value, [...(merged.get(value) ?? []), ...scopes]);
  }
  return merged;
}

/** @returns a pattern of JSON Schema, or nothing if this engine does not take it: then no member matches */
function readPattern(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}
