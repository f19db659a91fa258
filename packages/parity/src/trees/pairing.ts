/** Proposes a table of words from two documents of one API: what is named otherwise, by where it stands. */
import { asArray, decodeUri, placeWithin, readPointer } from '../../../vocabularies/src/document.ts';
import { asObject, isObject, type Json, valueAt } from '../../../vocabularies/src/words.ts';
import { type Operation, Reader, readType } from './document.ts';

type Words = Record<string, string>;

interface ProposedTable {
  readonly paths: Words;
  readonly parameters: Record<string, string | Words>;
  readonly members: Record<string, Words>;
  readonly values: Record<string, Words>;
}

const PARTS = ['allOf', 'oneOf', 'anyOf', 'prefixItems'];

/** @returns pairs of operations: by `operationId`, then by method, shape and order */
function pairOperations(one: readonly Operation[], other: readonly Operation[]) {
  const rest = [...other];
  const take = (isPair: (each: Operation) => boolean): Operation | undefined => {
    const at = rest.findIndex(isPair);
    return at === -1 ? undefined : rest.splice(at, 1)[0];
  };
  const shape = ({ method, template }: Operation): string =>
    `${method} ${template.replaceAll(/\{[^}]*\}|[^/]+/g, (segment) => (segment.startsWith('{') ? '{}' : 'x'))}`;
  const byId = one.map((each) => [each, take(({ id }) => id === each.id)] as const);
  return byId.flatMap(([each, same]) => {
    const pair = same ?? take((candidate) => shape(candidate) === shape(each));
    return pair ? [[each, pair] as const] : [];
  });
}

/** @param one names with their types @returns pairs of names: the equal ones first, then those of one type, in their order */
function pairNames(one: Words, other: Words): readonly (readonly [string, string])[] {
  const rest = new Map(Object.entries(other));
  const isSameLength = Object.keys(one).length === rest.size;
  const left = Object.keys(one).filter((name) => !rest.delete(name));
  return left.flatMap((name) => {
    const candidates = [...rest.keys()];
    const match = candidates.find((each) => rest.get(each) === one[name]) ?? (isSameLength ? candidates[0] : undefined);
    if (match === undefined) return [];
    rest.delete(match);
    return [[name, match] as const];
  });
}

class Pairing {
  readonly table: ProposedTable = { paths: {}, parameters: {}, members: {}, values: {} };
  /** Words of parameters and members whose values have no translation. */
  readonly skipped = new Set<string>();
  readonly #one: Reader;
  readonly #other: Reader;
  readonly #known: ReadonlyMap<string, string>;
  readonly #seen = new Set<unknown>();

  constructor(one: Reader, other: Reader, known: ReadonlyMap<string, string>) {
    this.#one = one;
    this.#other = other;
    this.#known = known;
  }

  pair(): void {
    const pairs = pairOperations(this.#one.operations(), this.#other.operations());
    for (const [own, theirs] of pairs) {
      this.#pairPaths(own.template, theirs.template);
      for (const place of ['query', 'path', 'cookie']) this.#pairParameters(own, theirs, place);
    }
    for (const [own, theirs] of pairs) {
      const [left, right] = [this.#one.find(own), this.#other.find(theirs)];
      const place = placeWithin('#/paths', own.template, own.method.toLowerCase());
      this.#pairContents(left.requestBody, right.requestBody, placeWithin(place, 'requestBody'));
      for (const [status, answer] of Object.entries(asObject(left.responses)))
        this.#pairContents(answer, valueAt(right.responses, status), placeWithin(place, 'responses', status));
    }
  }

  #pairPaths(one: string, other: string): void {
    const [segments, others] = [one.split('/'), other.split('/')];
    if (segments.length !== others.length) return;
    for (const [at, segment] of segments.entries()) {
      const [name, word] = [decodeUri(segment), decodeUri(others[at] ?? '')];
      if (!segment.startsWith('{') && name !== word) this.table.paths[name] ??= word;
    }
  }

  #pairParameters(one: Operation, other: Operation, place: string): void {
    const at = ({ parameters }: Operation) => parameters.filter((each) => each.in === place);
    const [own, theirs] = [at(one), at(other)];
    const kinds = (all: Operation['parameters']) =>
      Object.fromEntries(all.map(({ name, schema }) => [name, `${readType(schema)} ${schema.format}`]));
    const { parameters } = this.table;
    for (const [name, word] of pairNames(kinds(own), kinds(theirs))) {
      parameters[name] ??= word;
      if (parameters[name] !== word) parameters[one.id] = { ...asObject(parameters[one.id]), [name]: word } as Words;
    }
    for (const { name, schema, names } of own) {
      const word = parameters[name] ?? name;
      const pair = theirs.find((each) => each.name === word);
      // Wherever a parameter has such a value, it has one word.
      if (names.length === 0)
        this.#pairValues(this.#one.choices(schema), this.#other.choices(pair?.schema), '*', String(word));
    }
  }

  /** Pairs values that are known to be translations, and those at one position; of a word that is another value none. */
  #pairValues(one: readonly unknown[], other: readonly unknown[], key: string, owner: string): void {
    if (one.length !== other.length) return;
    const pairs = one.map((value, at) => {
      const word = this.#known.get(String(value));
      return [String(value), word !== undefined && other.includes(word) ? word : String(other[at])] as const;
    });
    const isUnique = new Set(pairs.map(([, word]) => word)).size === pairs.length;
    const isClear = pairs.every(([value, word]) => value === word || !one.includes(word));
    const changed = pairs.filter(([value, word]) => value !== word);
    if (!isUnique || !isClear) this.skipped.add(owner);
    else if (changed.length > 0) this.table.values[key] = { ...this.table.values[key], ...Object.fromEntries(changed) };
  }

  /** @param place where the first schema stands @param word of the second's member */
  #pairSchemas(one: unknown, other: unknown, place: string, word = ''): void {
    if (!isObject(one) || !isObject(other)) return;
    const reference = typeof one.$ref === 'string' ? one.$ref : place;
    const [left, right] = [this.#one.resolve(one), this.#other.resolve(other)];
    if (this.#seen.has(left)) return;
    this.#seen.add(left);
    const steps = readPointer(reference.replace(/^#/, ''));
    const key = /^#\/components\/schemas\/[^/]+$/.test(reference) ? (steps.at(-1) ?? '') : reference;
    this.#pairMembers(left, right, key, reference);
    if (Array.isArray(left.enum) && Array.isArray(right.enum)) this.#pairValues(left.enum, right.enum, key, word);
    for (const part of ['items', 'additionalProperties'])
      this.#pairSchemas(left[part], right[part], placeWithin(reference, part));
    for (const part of PARTS) {
      const theirs = asArray(right[part]);
      for (const [at, each] of asArray(left[part]).entries())
        this.#pairSchemas(each, theirs[at], placeWithin(reference, part, at));
    }
  }

  #pairMembers(left: Json, right: Json, key: string, place: string): void {
    const [own, theirs] = [left.properties, right.properties];
    if (!isObject(own) || !isObject(theirs)) return;
    const describe = (properties: Json, reader: Reader) =>
      Object.fromEntries(
        Object.entries(properties).map(([name, value]) => {
          const schema = reader.resolve(value);
          return [name, `${readType(schema)} ${schema.format} ${schema.readOnly} ${asArray(schema.enum).length}`];
        }),
      );
    const words = Object.fromEntries(pairNames(describe(own, this.#one), describe(theirs, this.#other)));
    if (Object.keys(words).length > 0) this.table.members[key] = { ...this.table.members[key], ...words };
    for (const [name, value] of Object.entries(own)) {
      const word = words[name] ?? name;
      this.#pairSchemas(value, theirs[word], placeWithin(place, 'properties', name), word);
    }
  }

  #pairContents(one: unknown, other: unknown, place: string): void {
    const [left, right] = [this.#one.resolve(one).content, this.#other.resolve(other).content];
    const reference = valueAt(one, '$ref') ?? place;
    for (const [type, content] of Object.entries(asObject(left))) {
      const at = placeWithin(String(reference), 'content', type, 'schema');
      this.#pairSchemas(valueAt(content, 'schema'), valueAt(right, type, 'schema'), at);
    }
  }
}

/** @param known words of values, if somebody knows them @returns a table that writes the first document as the second, as far as they correspond, and words whose values it cannot write */
export function proposeTable(one: unknown, other: unknown, known: ReadonlyMap<string, string> = new Map()) {
  const pairing = new Pairing(new Reader(one), new Reader(other), known);
  pairing.pair();
  return { table: pairing.table, skipped: pairing.skipped };
}

/** @returns the words of a proposed table, one a line */
export function writeTable(table: ProposedTable): string {
  const write = (what: string, words: object): readonly string[] =>
    Object.entries(words).flatMap(([name, word]) =>
      typeof word === 'string' ? [`  ${what} ${name} = ${word}`] : write(`${what} ${name}:`, word),
    );
  const { paths, parameters, members, values } = table;
  return Object.entries({ path: paths, parameter: parameters, member: members, value: values })
    .flatMap(([what, words]) => write(what, words))
    .join('\n');
}
