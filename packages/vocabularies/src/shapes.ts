/**
 * What a document allows at each place of a body. Several schemas may describe one place (`allOf`, `oneOf`, references): a shape is
 * the union of a set of schemas, made once for each set, as a deterministic automaton is made of a nondeterministic one.
 */
import {
  asArray,
  asObject,
  type Document,
  isObject,
  type Json,
  type Placed,
  placeWithin,
  readNames,
} from './document.ts';

/** The names under which a table may speak of a schema, outermost first: `Boat`, or its place. */
export type Scopes = readonly string[];

/** What a text holds besides data. */
export type Holding = 'names' | 'pointer' | 'parameter' | 'location' | 'address' | 'request' | 'sentence';

export interface Member {
  readonly name: string;
  /** One for each schema that declares it. */
  readonly scopes: Scopes[];
  readonly shape: Shape;
}

export class Shape {
  readonly members = new Map<string, Member>();
  readonly patterns: (readonly [RegExp, Shape])[] = [];
  /** The values of members that are not declared. */
  rest: Shape | undefined;
  readonly prefix: Shape[] = [];
  items: Shape | undefined;
  /** Texts that every schema lists, and the scopes of each list. */
  readonly choices = new Map<string, Scopes[]>();
  holding: Holding | undefined;
  /** The least and the greatest number, and the distance between two, as far as the schemas say so. */
  range: { readonly least: number; readonly greatest: number; readonly step: number } | undefined;
  /** Names of the schemas whose members' names a text holds. */
  names: readonly string[] = [];
  /** Where one of its schemas stands. */
  readonly place: string;

  constructor(place: string) {
    this.place = place;
  }

  /** @returns the shapes one step below */
  children(): readonly Shape[] {
    const others = [this.rest, this.items, ...this.prefix, ...this.patterns.map(([, shape]) => shape)];
    return [...[...this.members.values()].map(({ shape }) => shape), ...others.filter((shape) => shape !== undefined)];
  }
}

/** What a body is, and each item of a sequence. */
export interface ContentShapes {
  readonly body: Shape | undefined;
  readonly item: Shape | undefined;
}

/** A schema with the names under which a table may speak of it. */
interface Branch extends Placed {
  readonly scopes: Scopes;
}

/** Members of problems whose texts are names or sentences, whatever the document says (RFC 9457, zod, FastAPI). */
const IN_PROBLEMS: Readonly<Record<string, Holding>> = {
  pointer: 'pointer',
  parameter: 'parameter',
  path: 'location',
  loc: 'location',
  instance: 'address',
  title: 'sentence',
  detail: 'sentence',
  message: 'sentence',
  value: 'sentence',
};

function getHolding(name: string): Holding | undefined {
  return Object.hasOwn(IN_PROBLEMS, name) ? IN_PROBLEMS[name] : undefined;
}

/** More shapes than any document needs: its schemas contain each other in too many ways. */
const MOST_SHAPES = 100_000;

/** @returns the name of a schema of `components`, or its place */
export function scopeName(place: string): string {
  return /^#\/(?:components\/schemas|definitions|\$defs)\/([^/]+)$/.exec(place)?.[1]?.replaceAll('~1', '/') ?? place;
}

/** Makes and keeps the shapes of a document. */
export class Shapes {
  readonly all: Shape[] = [];
  readonly #document: Document;
  readonly #byKey = new Map<string, Shape>();
  readonly #ids = new Map<Json, number>();
  readonly #discriminators = new Map<Json, Placed>();
  readonly #waiting: (() => void)[] = [];

  constructor(document: Document) {
    this.#document = document;
  }

  /** @param isProblem whether it is in the body of a problem, which holds names where no schema says so */
  of(placed: readonly Placed[], isProblem = false): Shape {
    const shape = this.#find(placed, isProblem);
    for (let fill = this.#waiting.pop(); fill; fill = this.#waiting.pop()) fill();
    return shape;
  }

  /** @returns the shape of a schema of `components` */
  named(name: string): Shape | undefined {
    const place = placeWithin('#/components/schemas', name);
    const schema = asObject(asObject(this.#document.content.components).schemas)[name];
    return isObject(schema) ? this.of([{ schema, place }]) : undefined;
  }

  #find(placed: readonly Placed[], isProblem: boolean, holding?: Holding): Shape {
    const resolved = placed.flatMap(({ schema, place }) => {
      // A reference with a description beside it is the schema itself.
      const isPlain = Object.keys(schema).every((key) => key === '$ref' || key === 'description' || key === 'summary');
      return isPlain && '$ref' in schema ? (this.#document.resolve(schema, place) ?? []) : { schema, place };
    });
    const ids = new Set(
      resolved.map(({ schema }) => this.#ids.get(schema) ?? this.#ids.set(schema, this.#ids.size).size - 1),
    );
    const key = `${isProblem ? '!' : ''}${holding ?? ''}${[...ids].sort((one, other) => one - other).join()}`;
    const known = this.#byKey.get(key);
    if (known) return known;
    const shape = new Shape(resolved[0]?.place ?? '');
    this.#byKey.set(key, shape);
    shape.holding = holding;
    if (this.all.push(shape) > MOST_SHAPES)
      throw new RangeError('the schemas of the document combine in too many ways');
    this.#waiting.push(() => this.#fill(shape, resolved, isProblem));
    return shape;
  }

  /** Lists all schemas that describe one place: those given and what they are composed of. */
  #branches(placed: readonly Placed[]): readonly Branch[] {
    const found: Branch[] = [];
    const seen = new Set<Json>();
    const open: Branch[] = placed.map((each) => ({ ...each, scopes: [scopeName(each.place)] })).reverse();
    for (let branch = open.pop(); branch; branch = open.pop()) {
      const { schema, place, scopes } = branch;
      if (seen.has(schema)) continue;
      seen.add(schema);
      found.push(branch);
      const below: Branch[] = [];
      const add = (value: unknown, at: string): void => {
        if (isObject(value)) below.push({ schema: value, place: at, scopes: [...scopes, scopeName(at)] });
      };
      if (typeof schema.$ref === 'string') {
        const target = this.#document.lookUp(schema.$ref, place);
        if (target) add(target.schema, target.place);
      }
      for (const keyword of ['allOf', 'oneOf', 'anyOf']) {
        for (const [at, each] of asArray(schema[keyword]).entries()) add(each, placeWithin(place, keyword, at));
      }
      for (const keyword of ['if', 'then', 'else']) add(schema[keyword], placeWithin(place, keyword));
      for (const [name, each] of Object.entries(asObject(schema.dependentSchemas))) {
        add(each, placeWithin(place, 'dependentSchemas', name));
      }
      open.push(...below.reverse());
    }
    return found;
  }

  #fill(shape: Shape, placed: readonly Placed[], isProblem: boolean): void {
    const branches = this.#branches(placed);
    const declared = new Map<string, { scopes: Scopes[]; values: Placed[] }>();
    const rest: Placed[] = [];
    const items: Placed[] = [];
    const prefix: Placed[][] = [];
    const add = (to: Placed[], schema: unknown, place: string): void => {
      if (isObject(schema)) to.push({ schema, place });
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
      for (const keyword of ['items', 'unevaluatedItems', 'contains']) {
        add(items, schema[keyword], placeWithin(place, keyword));
      }
      for (const keyword of ['prefixItems', 'items']) {
        for (const [at, value] of asArray(schema[keyword]).entries()) {
          prefix[at] ??= [];
          add(prefix[at], value, placeWithin(place, keyword, at));
        }
      }
      for (const [pattern, value] of Object.entries(asObject(schema.patternProperties))) {
        const expression = readPattern(pattern);
        const target = placeWithin(place, 'patternProperties', pattern);
        if (expression && isObject(value)) {
          shape.patterns.push([expression, this.#find([{ schema: value, place: target }], isProblem)]);
        }
      }
    }
    for (const branch of branches) {
      const discriminator = this.#readDiscriminator(branch);
      if (discriminator) declared.get(discriminator.name)?.values.push(discriminator);
    }
    for (const [name, { scopes, values }] of declared) {
      const child = this.#find(values, isProblem, isProblem ? getHolding(name) : undefined);
      shape.members.set(name, { name, scopes, shape: child });
    }
    const isFree = isProblem && placed.length === 0;
    if (rest.length > 0) shape.rest = this.#find(rest, isProblem);
    else if (isProblem) shape.rest = this.#find([], true);
    if (items.length > 0 || isFree) shape.items = this.#find(items, isProblem);
    for (const each of prefix) shape.prefix.push(this.#find(each, isProblem));
    if (isProblem) this.#addNamesOfProblems(shape);
    this.#readTexts(shape, placed, branches);
  }

  /** Adds what holds names in any problem, unless the document declares it. */
  #addNamesOfProblems(shape: Shape): void {
    for (const [name, holding] of Object.entries(IN_PROBLEMS)) {
      const member = { name, scopes: [], shape: this.#find([], true, holding) };
      if (!shape.members.has(name)) shape.members.set(name, member);
    }
  }

  /** @returns the values that a discriminator lists, as if they were an enumeration of its member */
  #readDiscriminator({ schema, place }: Branch): (Placed & { readonly name: string }) | undefined {
    const { propertyName, mapping } = asObject(schema.discriminator);
    if (typeof propertyName !== 'string') return undefined;
    const references = [...asArray(schema.oneOf), ...asArray(schema.anyOf)].map((each) => asObject(each).$ref);
    const names = references.flatMap((reference) => (typeof reference === 'string' ? scopeName(reference) : []));
    const listed = isObject(mapping) ? Object.keys(mapping) : names;
    const known = this.#discriminators.get(schema) ?? { schema: { enum: listed, discriminates: true }, place };
    this.#discriminators.set(schema, known);
    return { ...known, name: propertyName };
  }

  #readTexts(shape: Shape, placed: readonly Placed[], branches: readonly Branch[]): void {
    for (const { schema } of branches) {
      const {
        minimum: least,
        maximum: greatest,
        multipleOf: step = schema.type === 'integer' ? 1 : undefined,
      } = schema;
      if (typeof least === 'number' && typeof greatest === 'number' && typeof step === 'number') {
        shape.range = { least, greatest, step };
      }
      const names = readNames(schema);
      if (names.length > 0) {
        shape.holding = names[0] === 'request' ? 'request' : 'names';
        shape.names = names;
      } else if (/^(uri|iri)(-reference)?$/.test(String(schema.format))) shape.holding ??= 'address';
      else if (schema.format === 'json-pointer') shape.holding ??= 'pointer';
    }
    const lists = placed.flatMap((each) => {
      const choices = this.#readChoices(each, [scopeName(each.place)], new Set());
      return choices === undefined ? [] : [{ choices, isAll: 'discriminates' in each.schema }];
    });
    const isDiscriminated = lists.some(({ isAll }) => isAll);
    for (const { choices } of lists) {
      for (const [value, scopes] of choices === 'any' ? [] : choices) {
        const isListed = lists.every((other) => other.choices !== 'any' && other.choices.has(value));
        if (isDiscriminated || isListed) shape.choices.set(value, [...(shape.choices.get(value) ?? []), ...scopes]);
      }
    }
  }

  /** @returns the texts that a schema lists; `any` if it allows others, and nothing if it allows no text */
  #readChoices({ schema, place }: Placed, scopes: Scopes, seen: Set<Json>): Map<string, Scopes[]> | 'any' | undefined {
    if (seen.has(schema)) return undefined;
    seen.add(schema);
    const types = [schema.type ?? ('properties' in schema || 'items' in schema ? 'object' : 'string')].flat();
    if (!types.includes('string')) return undefined;
    const own = 'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : undefined;
    if (own) return new Map(own.flatMap((value) => (typeof value === 'string' ? [[value, [scopes]]] : [])));
    const read = (value: unknown, at: string) => {
      if (!isObject(value)) return 'any';
      return this.#readChoices({ schema: value, place: at }, [...scopes, scopeName(at)], new Set(seen));
    };
    const target = typeof schema.$ref === 'string' ? this.#document.lookUp(schema.$ref, place) : undefined;
    const all = asArray(schema.allOf).map((each, at) => read(each, placeWithin(place, 'allOf', at)));
    if (target) all.push(read(target.schema, target.place));
    const closed = all.filter((each) => each !== 'any' && each !== undefined);
    const choices = ['oneOf', 'anyOf'].flatMap((keyword) => {
      return asArray(schema[keyword]).map((each, at) => read(each, placeWithin(place, keyword, at)));
    });
    if (all.includes(undefined)) return undefined;
    const lists = choices.filter((each) => each !== undefined);
    if (closed.length === 0 && (lists.length === 0 || lists.includes('any'))) {
      return choices.length > 0 && lists.length === 0 ? undefined : 'any';
    }
    const merged = new Map<string, Scopes[]>();
    for (const list of [...closed, ...(lists.includes('any') ? [] : lists)]) {
      for (const [value, each] of list as Map<string, Scopes[]>)
        merged.set(value, [...(merged.get(value) ?? []), ...each]);
    }
    return merged;
  }
}

/** @returns a pattern of JSON Schema, or nothing if this engine does not take it: then no member matches */
function readPattern(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}
