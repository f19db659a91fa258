/** Proposes a table of words from two documents of one API: what is named otherwise, by where it stands. */
import {
  asArray,
  type Contents,
  decodeUri,
  type Operation,
  readEntries,
  readParts,
} from '../../../vocabularies/src/document.ts';
import { scopeName } from '../../../vocabularies/src/nodes.ts';
import { asObject, isObject, type Json } from '../../../vocabularies/src/words.ts';
import { omitNames, Reader, readType } from './document.ts';

type Words = Record<string, string>;

interface ProposedTable {
  readonly paths: Words;
  readonly parameters: Record<string, string | Words>;
  readonly members: Record<string, Words>;
  readonly values: Record<string, Words>;
}

/** @returns pairs of operations: by `operationId`, then by method, shape and order */
function pairOperations(one: readonly Operation[], other: readonly Operation[]) {
  const rest = [...other];
  const take = (isPair: (each: Operation) => boolean): Operation | undefined => {
    const at = rest.findIndex(isPair);
    return at === -1 ? undefined : rest.splice(at, 1)[0];
  };
  const shape = ({ method, template }: Operation) => `${method} ${omitNames(template).replaceAll(/[^/{}]+/g, 'x')}`;
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
    const match =
      candidates.find((candidate) => rest.get(candidate) === one[name]) ?? (isSameLength ? candidates[0] : undefined);
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
    const pairs = pairOperations(this.#one.operations, this.#other.operations);
    for (const [own, theirs] of pairs) {
      this.#pairPaths(own.template, theirs.template);
      for (const place of ['query', 'path', 'cookie']) this.#pairParameters(own, theirs, place);
    }
    for (const [own, theirs] of pairs) {
      this.#pairContents(own.body, theirs.body);
      for (const [status, contents] of own.answers) this.#pairContents(contents, theirs.answers.get(status));
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
    const list = ({ parameters }: Operation) => parameters.filter((parameter) => parameter.in === place);
    const [own, theirs] = [list(one), list(other)];
    const listKinds = (all: Operation['parameters'], reader: Reader) => {
      const kinds = all.map((parameter) => [parameter.name, reader.resolve(parameter.schema)] as const);
      return Object.fromEntries(kinds.map(([name, schema]) => [name, `${readType(schema)} ${schema.format}`]));
    };
    const { parameters } = this.table;
    for (const [name, word] of pairNames(listKinds(own, this.#one), listKinds(theirs, this.#other))) {
      parameters[name] ??= word;
      if (parameters[name] !== word) parameters[one.id] = { ...asObject(parameters[one.id]), [name]: word } as Words;
    }
    for (const parameter of own) {
      const { name, schema } = parameter;
      const word = parameters[name] ?? name;
      const pair = theirs.find((parameter) => parameter.name === word);
      // Wherever a parameter has such a value, it has one word.
      if (this.#one.listNames(parameter).length === 0)
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

  #pairContents(one: Contents, other: Contents | undefined): void {
    for (const [type, { body }] of one) this.#pairSchemas(body, other?.get(type)?.body);
  }

  /** @param word of the second's member */
  #pairSchemas(one: unknown, other: unknown, word = ''): void {
    if (!isObject(one) || !isObject(other)) return;
    const [left, right] = [this.#one.resolve(one), this.#other.resolve(other)];
    if (this.#seen.has(left)) return;
    this.#seen.add(left);
    const key = scopeName(this.#one.findPlace(left));
    this.#pairMembers(left, right, key);
    const [values, others] = [left.enum, right.enum];
    if (Array.isArray(values) && Array.isArray(others)) this.#pairValues(values, others, key, word);
    for (const part of ['items', 'additionalProperties']) this.#pairSchemas(left[part], right[part]);
    for (const part of ['allOf', 'oneOf', 'anyOf', 'prefixItems']) {
      const theirs = readParts(right[part]);
      for (const [at, each] of readParts(left[part]).entries()) this.#pairSchemas(each, theirs[at]);
    }
  }

  #pairMembers(left: Json, right: Json, key: string): void {
    const [own, theirs] = [new Map(readEntries(left.properties)), new Map(readEntries(right.properties))];
    const describe = (properties: ReadonlyMap<string, Json>, reader: Reader) =>
      Object.fromEntries(
        Array.from(properties, ([name, member]) => {
          const schema = reader.resolve(member);
          return [name, `${readType(schema)} ${schema.format} ${schema.readOnly} ${asArray(schema.enum).length}`];
        }),
      );
    const words = Object.fromEntries(pairNames(describe(own, this.#one), describe(theirs, this.#other)));
    if (Object.keys(words).length > 0) this.table.members[key] = { ...this.table.members[key], ...words };
    for (const [name, member] of own) {
      const word = words[name] ?? name;
      this.#pairSchemas(member, theirs.get(word), word);
    }
  }
}

/** @param known words of values, if somebody knows them @returns a table that writes the first document as the second, as far as they correspond, and words whose values it cannot write */
export function proposeTable(one: unknown, other: unknown, known: ReadonlyMap<string, string> = new Map()) {
  const pairing = new Pairing(new Reader(one), new Reader(other), known);
  pairing.pair();
  return { table: pairing.table, skipped: pairing.skipped };
}
