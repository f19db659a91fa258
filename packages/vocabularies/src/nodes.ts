/**
 * What stands at each place of a request or an answer, for one vocabulary: which word each name has there, and what is below it.
 * Several schemas may describe one place (`allOf`, `oneOf`, references): a node is the union of a set of schemas, made once for each set.
 */
import {
  asArray,
  asObject,
  type Content,
  type Document,
  type Fault,
  isObject,
  type Json,
  type Operation,
  type Parameter,
  type Placed,
  placeWithin,
  readNames,
} from './document.ts';
import { buildTree, type Route } from './paths.ts';
import { type Conversion, normalize, type Word, type Words } from './table.ts';

/** From words to the names of the document, or from these to words. */
export type Direction = 'in' | 'out';

/** What a text holds besides data. */
export type Holding = 'names' | 'pointer' | 'address' | 'request';

/** What is known of a text at a place: a name or a listed value. */
export interface Term {
  readonly text: string;
  /** What replaces it. */
  readonly to: string;
  /** The right word, if the text is one of another vocabulary; it then stays. */
  readonly suggestion?: string;
  /** What its value is. */
  readonly node: Node | undefined;
  readonly parameter?: Parameter | undefined;
  /** `to` as it stands in JSON; absent if the text stays. */
  readonly written: string | undefined;
  /** Converts the number that is its value. */
  readonly convert: ((value: number) => number) | undefined;
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
  /** The values of members that are not declared. */
  rest: Node | undefined;
  items: Node | undefined;
  readonly prefix: Node[] = [];
  holds: Holding | undefined;
  /** The schemas whose members' names a text holds. */
  named: Node | undefined;
  /** The path that ends here, if it is a segment. */
  route: Route | undefined;
  /** Whether anything in it may be exchanged. */
  isActive = false;
  /** The first member that was read the last time, in each direction. */
  readonly first: { in: Term | undefined; out: Term | undefined } = { in: undefined, out: undefined };

  constructor(place: string) {
    this.place = place;
  }

  /** @returns the node of a member that is not declared */
  findRest(name: string): Node | undefined {
    return this.patterns.find(([expression]) => expression.test(name))?.[1] ?? this.rest;
  }

  hasActiveChild(): boolean {
    const { rest, items, prefix, patterns, members } = this;
    const others = [rest, items, ...prefix, ...patterns.map(([, node]) => node)];
    return others.some((node) => node?.isActive) || [...members.out.values()].some(({ node }) => node?.isActive);
  }

  hasOwnWords(): boolean {
    if (this.holds) return true;
    return [this.members, this.values].some((terms) =>
      [...terms.in.values()].some(
        (term) => term.written !== undefined || term.suggestion !== undefined || term.convert,
      ),
    );
  }
}

/** What a body is, and each item of a sequence. */
export interface ContentNodes {
  readonly body: Node | undefined;
  readonly item: Node | undefined;
}

/** The names under which a table may speak of a schema, outermost first: `Boat`, or its place. */
type Scopes = readonly string[];

/** A schema with the names under which a table may speak of it. */
interface Branch extends Placed {
  readonly scopes: Scopes;
}

/** The texts that a schema lists, with the scopes of each list; `any` if it allows others. */
type Choices = ReadonlyMap<string, readonly Scopes[]> | 'any';

/** A name of a scope before it has a word. */
export interface Entry {
  readonly name: string;
  readonly place: string;
  readonly node?: Node | undefined;
  readonly parameter?: Parameter;
  readonly conversion?: Conversion | undefined;
  readonly find: (words: Words) => readonly (Word | undefined)[];
}

/** More nodes than any document needs: its schemas contain each other in too many ways. */
const MOST_NODES = 100_000;
/** Values of a unit that are tried at the start. */
const MOST_VALUES = 1_000_000;

/** @returns the name of a schema of `components`, or its place */
export function scopeName(place: string): string {
  return /^#\/(?:components\/schemas|definitions|\$defs)\/([^/]+)$/.exec(place)?.[1]?.replaceAll('~1', '/') ?? place;
}

/** The words of one table for all that a document describes. */
export class Vocabulary {
  readonly tag: string;
  readonly words: Words;
  readonly nodes: Node[] = [];
  /** The segments of paths. */
  readonly root: Node;
  /** Names that have no word at some place. */
  readonly missing = new Set<string>();
  /** The words of every vocabulary; the names of the document are another one. */
  readonly #all: readonly Words[];
  readonly #document: Document;
  readonly #byKey = new Map<string, Node>();
  readonly #ids = new Map<Json, number>();
  readonly #discriminators = new Map<Json, Json>();
  readonly #contents = new Map<Content, ContentNodes>();
  readonly #parameters = new Map<Operation, Map<string, Node>>();
  readonly #faults = new Map<string, Fault>();
  readonly #waiting: (() => void)[] = [];
  #isReady = false;

  constructor(words: Words, all: readonly Words[], document: Document, routes: readonly Route[]) {
    this.tag = words.tag;
    this.words = words;
    this.#all = all;
    this.#document = document;
    this.root = buildTree(this, routes, 0);
    for (const operation of document.operations) {
      for (const location of ['query', 'path', 'header', 'cookie']) this.parameters(operation, location);
      for (const content of [operation.body, ...operation.answers.values()].flatMap((each) => [...each.values()])) {
        this.contents(content);
      }
    }
    this.#isReady = true;
    this.#activate();
  }

  /** What is wrong with the words of all scopes. */
  get faults(): readonly Fault[] {
    return [...this.#faults.values()];
  }

  contents(content: Content): ContentNodes {
    const { schema, item } = content;
    const known = this.#contents.get(content);
    if (known) return known;
    const nodes = { body: schema && this.compile([schema]), item: item && this.compile([item]) };
    this.#contents.set(content, nodes);
    return nodes;
  }

  /** @returns the parameters of an operation in its `query`, `path`, `header` or `cookie` as members of an object */
  parameters(operation: Operation, location: string): Node {
    const known = this.#parameters.get(operation)?.get(location);
    if (known) return known;
    const parameters = operation.parameters.filter((each) => each.in === location);
    const compiled = parameters.map((parameter) => ({ parameter, node: this.compileParameter(parameter) }));
    // The members of an object are parameters themselves.
    const exploded = compiled.filter(({ parameter, node: { members } }) => {
      return location === 'query' && parameter.style === 'form' && parameter.explode && members !== NONE;
    });
    const others = compiled.filter((each) => !exploded.includes(each));
    const terms = this.readTerms(
      others.map(({ parameter, node }) => {
        const { name, place } = parameter;
        // Names of headers are never translated.
        const find = (words: Words) => (location === 'header' ? [] : [words.parameter(operation, name)]);
        return { name, place, node, parameter, find };
      }),
    );
    const node = new Node(operation.place);
    node.members = {
      in: new Map([...exploded.flatMap((each) => [...each.node.members.in]), ...terms.in]),
      out: new Map([...exploded.flatMap((each) => [...each.node.members.out]), ...terms.out]),
    };
    this.#parameters.set(operation, (this.#parameters.get(operation) ?? new Map()).set(location, node));
    return node;
  }

  /** @returns the node of a parameter's value: that of names, if the document or a table says that it holds some */
  compileParameter({ name, schema, place, names }: Parameter): Node {
    const said = this.#all.map((words) => words.names(name)).find((each) => each !== undefined);
    const keyword = said ?? names;
    if (keyword.length === 0) return schema ? this.compile([schema]) : new Node(place);
    return this.compile([{ schema: { 'x-names': keyword }, place }]);
  }

  /** @returns the node of a place that all these schemas describe */
  compile(placed: readonly Placed[]): Node {
    const node = this.#find(placed);
    if (this.#waiting.length === 0) return node;
    for (let fill = this.#waiting.pop(); fill; fill = this.#waiting.pop()) fill();
    if (this.#isReady) this.#activate();
    return node;
  }

  #activate(): void {
    for (let isChanged = true; isChanged; ) {
      isChanged = false;
      for (let at = this.nodes.length - 1; at >= 0; at--) {
        const node = this.nodes[at] as Node;
        if (node.isActive || !(node.hasOwnWords() || node.hasActiveChild())) continue;
        node.isActive = isChanged = true;
      }
    }
  }

  #find(placed: readonly Placed[]): Node {
    const resolved = placed.flatMap(({ schema, place }) => {
      // A reference with a description beside it is the schema itself.
      const isPlain = '$ref' in schema && Object.keys(schema).every((key) => /^(\$ref|description|summary)$/.test(key));
      return isPlain ? (this.#document.resolve(schema, place) ?? []) : { schema, place };
    });
    const ids = resolved.map(({ schema }) => this.#ids.get(schema) ?? this.#ids.set(schema, this.#ids.size).size - 1);
    const key = [...new Set(ids)].sort((one, other) => one - other).join();
    const known = this.#byKey.get(key);
    if (known) return known;
    const node = new Node(resolved[0]?.place ?? '');
    this.#byKey.set(key, node);
    if (this.nodes.push(node) > MOST_NODES)
      throw new RangeError('the schemas of the document combine in too many ways');
    this.#waiting.push(() => this.#fill(node, resolved));
    return node;
  }

  /** Lists all schemas that describe one place: those given and what they are composed of. */
  #listBranches(placed: readonly Placed[]): readonly Branch[] {
    const branches = new Map<Json, Branch>();
    const open = placed.map((each): Branch => ({ ...each, scopes: [scopeName(each.place)] }));
    for (let branch = open.shift(); branch; branch = open.shift()) {
      const { schema, place, scopes } = branch;
      if (branches.has(schema)) continue;
      branches.set(schema, branch);
      const below: (readonly [unknown, string])[] = ['if', 'then', 'else'].map((name) => [
        schema[name],
        placeWithin(place, name),
      ]);
      for (const name of ['allOf', 'oneOf', 'anyOf']) {
        below.push(...asArray(schema[name]).map((each, at) => [each, placeWithin(place, name, at)] as const));
      }
      for (const [name, each] of Object.entries(asObject(schema.dependentSchemas))) {
        below.push([each, placeWithin(place, 'dependentSchemas', name)]);
      }
      const target = typeof schema.$ref === 'string' ? this.#document.lookUp(schema.$ref, place) : undefined;
      if (target) below.unshift([target.schema, target.place]);
      open.unshift(
        ...below.flatMap(([each, at]) => {
          return isObject(each) ? { schema: each, place: at, scopes: [...scopes, scopeName(at)] } : [];
        }),
      );
    }
    return [...branches.values()];
  }

  #fill(node: Node, placed: readonly Placed[]): void {
    const branches = this.#listBranches(placed);
    const declared = new Map<string, { readonly scopes: Scopes[]; readonly values: Placed[] }>();
    const [rest, items, prefix]: [Placed[], Placed[], Placed[][]] = [[], [], []];
    const add = (to: Placed[] | undefined, schema: unknown, place: string): void => {
      if (isObject(schema)) to?.push({ schema, place });
    };
    for (const { schema, place, scopes } of branches) {
      for (const [name, value] of Object.entries(asObject(schema.properties))) {
        const member = declared.get(name) ?? { scopes: [], values: [] };
        declared.set(name, member);
        member.scopes.push(scopes);
        add(member.values, value, placeWithin(place, 'properties', name));
      }
      for (const keyword of ['additionalProperties', 'unevaluatedProperties']) {
        add(rest, schema[keyword], placeWithin(place, keyword));
      }
      for (const keyword of ['items', 'unevaluatedItems', 'contains'])
        add(items, schema[keyword], placeWithin(place, keyword));
      for (const keyword of ['prefixItems', 'items']) {
        for (const [at, value] of asArray(schema[keyword]).entries()) {
          prefix[at] ??= [];
          add(prefix[at], value, placeWithin(place, keyword, at));
        }
      }
      for (const [pattern, value] of Object.entries(asObject(schema.patternProperties))) {
        const expression = readPattern(pattern);
        const at = placeWithin(place, 'patternProperties', pattern);
        if (expression && isObject(value)) node.patterns.push([expression, this.#find([{ schema: value, place: at }])]);
      }
      this.#readText(node, schema);
    }
    for (const { schema, place } of branches) {
      const discriminator = this.#readDiscriminator(schema);
      const name = String(asObject(schema.discriminator).propertyName);
      if (discriminator) add(declared.get(name)?.values, discriminator, place);
    }
    const entries = [...declared].map(([name, { scopes, values }]): Entry => {
      const conversion = this.words.conversion(scopes.flat(), name);
      const pointer = placeWithin('/convert', scopes[0]?.[0] ?? '*', name);
      const loss = conversion && this.#findLoss(conversion, values);
      if (loss !== undefined) this.#refuse(pointer, loss);
      return {
        name,
        place: placeWithin(node.place, 'properties', name),
        node: this.#find(values),
        conversion,
        find: (words) => scopes.map((each) => words.scoped('members', each, name)),
      };
    });
    if (entries.length > 0) node.members = this.readTerms(entries);
    if (rest.length > 0) node.rest = this.#find(rest);
    if (items.length > 0) node.items = this.#find(items);
    node.prefix.push(...prefix.map((each) => this.#find(each)));
    node.values = this.#readValues(node, placed);
  }

  /** Reads what a text holds besides data. */
  #readText(node: Node, schema: Json): void {
    const [first, ...others] = readNames(schema);
    if (first === 'request') node.holds = 'request';
    else if (first !== undefined) {
      node.holds = 'names';
      const schemas = asObject(asObject(this.#document.content.components).schemas);
      const named = [first, ...others].flatMap((name) => {
        return isObject(schemas[name])
          ? { schema: schemas[name], place: placeWithin('#/components/schemas', name) }
          : [];
      });
      node.named = this.#find(named);
    } else if (/^(uri|iri)(-reference)?$/.test(String(schema.format))) node.holds ??= 'address';
    else if (schema.format === 'json-pointer') node.holds ??= 'pointer';
  }

  /** @returns the values that a discriminator lists, as if they were an enumeration of its member */
  #readDiscriminator(schema: Json): Json | undefined {
    const { propertyName, mapping } = asObject(schema.discriminator);
    if (typeof propertyName !== 'string') return undefined;
    const references = [...asArray(schema.oneOf), ...asArray(schema.anyOf)].map((each) => asObject(each).$ref);
    const names = references.flatMap((reference) => (typeof reference === 'string' ? scopeName(reference) : []));
    const known = this.#discriminators.get(schema) ?? {
      enum: isObject(mapping) ? Object.keys(mapping) : names,
      discriminates: true,
    };
    this.#discriminators.set(schema, known);
    return known;
  }

  #readValues(node: Node, placed: readonly Placed[]): Terms {
    const isDiscriminated = placed.some(({ schema }) => 'discriminates' in schema);
    const lists = placed.flatMap((each) => this.#readChoices({ ...each, scopes: [scopeName(each.place)] }, []) ?? []);
    const choices = [...mergeChoices(lists)].filter(([value]) => {
      return isDiscriminated || lists.every((list) => list !== 'any' && list.has(value));
    });
    const entries = choices.map(([name, scopes]): Entry => {
      return { name, place: node.place, find: (words) => scopes.map((each) => words.scoped('values', each, name)) };
    });
    return entries.length > 0 ? this.readTerms(entries) : NONE;
  }

  /** @returns the texts that a schema lists; nothing if it allows no text */
  #readChoices({ schema, place, scopes }: Branch, seen: readonly Json[]): Choices | undefined {
    if (seen.includes(schema)) return undefined;
    const types = [schema.type ?? ('properties' in schema || 'items' in schema ? 'object' : 'string')].flat();
    if (!types.includes('string')) return undefined;
    const own = 'const' in schema ? [schema.const] : schema.enum;
    if (Array.isArray(own))
      return new Map(own.flatMap((value) => (typeof value === 'string' ? [[value, [scopes]]] : [])));
    const read = (value: unknown, at: string): Choices | undefined => {
      if (!isObject(value)) return 'any';
      return this.#readChoices({ schema: value, place: at, scopes: [...scopes, scopeName(at)] }, [...seen, schema]);
    };
    const readAll = (keyword: string) =>
      asArray(schema[keyword]).map((each, at) => read(each, placeWithin(place, keyword, at)));
    const target = typeof schema.$ref === 'string' ? this.#document.lookUp(schema.$ref, place) : undefined;
    const all = [...readAll('allOf'), ...(target ? [read(target.schema, target.place)] : [])];
    const either = [...readAll('oneOf'), ...readAll('anyOf')];
    const lists = either.filter((each) => each !== undefined);
    if (all.includes(undefined) || (either.length > 0 && lists.length === 0)) return undefined;
    const closed = [...all, ...(lists.includes('any') ? [] : lists)].filter((each) => each !== 'any');
    return closed.length > 0 ? mergeChoices(closed) : 'any';
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
    const names = new Map(entries.map((entry) => [normalize(entry.name), entry]));
    for (const { name, place, node, parameter, conversion, find } of entries) {
      const candidates = find(this.words);
      const [first] = candidates;
      if (candidates.length > 0 && !first) this.missing.add(name);
      const { word, pointer } = first ?? { word: name, pointer: place };
      const others = candidates.filter((each) => (each?.word ?? name) !== word);
      const [earlier, other] = [pointers.get(word), names.get(word)];
      if (others.length > 0) {
        const [another] = others;
        this.#refuse(
          pointer,
          `"${name}" is "${word}" here and "${another?.word ?? name}" at ${another?.pointer ?? place}, in one place (${place}); give it one word by that place`,
        );
      }
      if (word !== name && earlier !== undefined) {
        this.#refuse(
          pointer,
          `"${word}" is the word of "${name}" and of "${terms.in.get(word)?.to}" (${earlier}); choose another one for either`,
        );
      } else if (word !== name && other && other.name !== name) {
        this.#refuse(
          pointer,
          `"${word}", the word of "${name}", is another name of the document (${other.place}); choose another one`,
        );
      }
      pointers.set(word, pointer);
      const create = (text: string, to: string, convert: Term['convert']): Term => {
        const written = to === text ? undefined : JSON.stringify(to).slice(1, -1);
        return { text, to, written, node, parameter, convert };
      };
      terms.in.set(word, create(word, name, conversion?.toCanonical));
      terms.out.set(name, create(name, word, conversion?.toWords));
    }
    for (const { name, node, find } of entries) {
      const others = this.#all.flatMap((words) => find(words).flatMap((each) => each?.word ?? []));
      const suggestion = terms.out.get(name)?.to ?? name;
      for (const text of [normalize(name), ...others]) {
        if (!terms.in.has(text))
          terms.in.set(text, { text, to: text, suggestion, node, written: undefined, convert: undefined });
      }
    }
    return terms;
  }

  #refuse(pointer: string, message: string): void {
    this.#faults.set(`${pointer} ${message}`, { file: this.tag, pointer, message });
  }
}

function mergeChoices(lists: readonly (Choices | undefined)[]): Map<string, readonly Scopes[]> {
  const merged = new Map<string, readonly Scopes[]>();
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
