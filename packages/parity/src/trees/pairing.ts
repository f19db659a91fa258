/** Proposes a table of words from two documents of one API: what is named otherwise, by where it stands. */
import { isObject, valueAt } from '../../../vocabularies/src/words.ts';
import { type Operation, Reader, readStep, typeOf } from './document.ts';

type Words = Record<string, string>;

export interface ProposedTable {
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
  const byId = one.map((each) => [each, take(({ id }) => id === each.id)] as const);
  const shape = ({ method, template }: Operation): string =>
    `${method} ${template
      .split('/')
      .map((segment) => (segment.startsWith('{') ? '{}' : 'x'))
      .join('/')}`;
  return byId.flatMap(([each, same]) => {
    const pair = same ?? take((candidate) => shape(candidate) === shape(each));
    return pair ? [[each, pair] as const] : [];
  });
}

/** @returns pairs of names: the equal ones first, then those of one type, in their order */
function pairNames(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): readonly (readonly [string, string])[] {
  const rest = new Map(Object.entries(other));
  const isSameLength = Object.keys(one).length === rest.size;
  const equal = Object.keys(one).filter((name) => rest.delete(name));
  const left = Object.keys(one).filter((name) => !equal.includes(name));
  return left.flatMap((name) => {
    const candidates = [...rest.keys()];
    const match = candidates.find((each) => rest.get(each) === one[name]) ?? (isSameLength ? candidates[0] : undefined);
    if (match === undefined) return [];
    rest.delete(match);
    return [[name, match] as const];
  });
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** @returns values of two lists that are translations: those that are known to be, then those at one position; nothing if a word is another value */
function pairValues(
  one: readonly unknown[],
  other: readonly unknown[],
  known: ReadonlyMap<string, string>,
): Words | undefined {
  if (one.length !== other.length) return {};
  const pairs = one.map((value, at) => {
    const word = known.get(String(value));
    return [String(value), word !== undefined && other.includes(word) ? word : String(other[at])] as const;
  });
  const isUnique = new Set(pairs.map(([, word]) => word)).size === pairs.length;
  const isClear = pairs.every(([value, word]) => value === word || !one.includes(word));
  return isUnique && isClear ? Object.fromEntries(pairs.filter(([value, word]) => value !== word)) : undefined;
}

class Pairing {
  readonly table: ProposedTable = { paths: {}, parameters: {}, members: {}, values: {} };
  /** Words of parameters and members whose values have no translation. */
  readonly skipped = new Set<string>();
  readonly #one: Reader;
  readonly #other: Reader;
  readonly #seen = new Set<unknown>();

  readonly #known: ReadonlyMap<string, string>;

  constructor(one: Reader, other: Reader, known: ReadonlyMap<string, string>) {
    this.#known = known;
    this.#one = one;
    this.#other = other;
  }

  pairPaths(one: string, other: string): void {
    const [segments, others] = [one, other].map((template) => template.split('/').map(decode)) as [string[], string[]];
    if (segments.length !== others.length) return;
    for (const [at, segment] of segments.entries()) {
      const word = others[at] ?? '';
      if (!segment.startsWith('{') && segment !== word) this.table.paths[segment] ??= word;
    }
  }

  pairParameters(one: Operation, other: Operation): void {
    for (const place of ['query', 'path', 'cookie']) {
      const at = ({ parameters }: Operation) => parameters.filter((each) => each.in === place);
      const [own, theirs] = [at(one), at(other)];
      const kinds = (all: Operation['parameters']) =>
        Object.fromEntries(all.map(({ name, schema }) => [name, `${typeOf(schema)} ${schema.format}`]));
      for (const [name, word] of pairNames(kinds(own), kinds(theirs))) {
        const known = this.table.parameters[name];
        if (known === undefined) this.table.parameters[name] = word;
        else if (known !== word)
          this.table.parameters[one.id] = { ...(this.table.parameters[one.id] as Words | undefined), [name]: word };
      }
      for (const { name, schema, names } of own) {
        const word = this.table.parameters[name] ?? name;
        const pair = theirs.find((each) => each.name === word);
        const [values, words] = [this.#one.choices(schema), this.#other.choices(pair?.schema)];
        // Wherever a parameter has such a value, it has one word.
        const pairs = names.length > 0 ? {} : pairValues(values, words, this.#known);
        if (!pairs) this.skipped.add(String(word));
        else if (Object.keys(pairs).length > 0) this.table.values['*'] = { ...this.table.values['*'], ...pairs };
      }
    }
  }

  /** @param place where the first schema stands @param word of the second's member */
  pairSchemas(one: unknown, other: unknown, place: string, word = ''): void {
    if (!isObject(one) || !isObject(other)) return;
    const reference = typeof one.$ref === 'string' ? one.$ref : place;
    const [left, right] = [this.#one.resolve(one), this.#other.resolve(other)];
    if (this.#seen.has(left)) return;
    this.#seen.add(left);
    const key = /^#\/components\/schemas\/([^/]+)$/.exec(reference)?.[1] ?? reference;
    this.#pairMembers(left, right, readStep(key), reference);
    if (Array.isArray(left.enum) && Array.isArray(right.enum)) {
      const pairs = pairValues(left.enum, right.enum, this.#known);
      if (!pairs) this.skipped.add(word);
      else if (Object.keys(pairs).length > 0)
        this.table.values[readStep(key)] = { ...this.table.values[readStep(key)], ...pairs };
    }
    for (const part of ['items', 'additionalProperties'])
      this.pairSchemas(left[part], right[part], `${reference}/${part}`);
    for (const part of ['allOf', 'oneOf', 'anyOf', 'prefixItems']) {
      const [own, theirs] = [left[part], right[part]];
      if (!Array.isArray(own) || !Array.isArray(theirs)) continue;
      for (const [at, each] of own.entries()) this.pairSchemas(each, theirs[at], `${reference}/${part}/${at}`);
    }
  }

  #pairMembers(
    left: Readonly<Record<string, unknown>>,
    right: Readonly<Record<string, unknown>>,
    key: string,
    place: string,
  ): void {
    const [own, theirs] = [left.properties, right.properties];
    if (!isObject(own) || !isObject(theirs)) return;
    const describe = (properties: Readonly<Record<string, unknown>>, reader: Reader) =>
      Object.fromEntries(
        Object.entries(properties).map(([name, value]) => {
          const schema = reader.resolve(value);
          return [
            name,
            `${typeOf(schema)} ${schema.format} ${schema.readOnly} ${Array.isArray(schema.enum) ? schema.enum.length : ''}`,
          ];
        }),
      );
    const pairs = pairNames(describe(own, this.#one), describe(theirs, this.#other));
    if (pairs.length > 0) this.table.members[key] = { ...this.table.members[key], ...Object.fromEntries(pairs) };
    const words = new Map(pairs);
    for (const [name, value] of Object.entries(own)) {
      this.pairSchemas(
        value,
        theirs[words.get(name) ?? name],
        `${place}/properties/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        words.get(name) ?? name,
      );
    }
  }
}

/** @param known words of values, if somebody knows them @returns a table that writes the first document as the second, as far as they correspond, and words whose values it cannot write */
export function proposeTable(one: unknown, other: unknown, known: ReadonlyMap<string, string> = new Map()) {
  const readers = [new Reader(one), new Reader(other)] as const;
  const [first, second] = readers;
  const pairing = new Pairing(first, second, known);
  const pairs = pairOperations(first.operations(), second.operations());
  for (const [own, theirs] of pairs) {
    pairing.pairPaths(own.template, theirs.template);
    pairing.pairParameters(own, theirs);
  }
  for (const [own, theirs] of pairs) {
    const at = (reader: Reader, { template, method }: Operation) =>
      valueAt(reader.document, 'paths', template, method.toLowerCase());
    const [left, right] = [at(first, own), at(second, theirs)];
    const place = `#/paths/${own.template.replaceAll('~', '~0').replaceAll('/', '~1')}/${own.method.toLowerCase()}`;
    pairContents(
      pairing,
      first,
      second,
      valueAt(left, 'requestBody'),
      valueAt(right, 'requestBody'),
      `${place}/requestBody`,
    );
    for (const [status, answer] of Object.entries((valueAt(left, 'responses') ?? {}) as object)) {
      pairContents(pairing, first, second, answer, valueAt(right, 'responses', status), `${place}/responses/${status}`);
    }
  }
  return { table: pairing.table, skipped: pairing.skipped };
}

function pairContents(
  pairing: Pairing,
  first: Reader,
  second: Reader,
  one: unknown,
  other: unknown,
  place: string,
): void {
  const [left, right] = [first.resolve(one).content, second.resolve(other).content];
  if (!isObject(left) || !isObject(right)) return;
  const reference = isObject(one) && typeof one.$ref === 'string' ? one.$ref : place;
  for (const type of Object.keys(left)) {
    const schema = `${reference}/content/${type.replaceAll('/', '~1')}/schema`;
    pairing.pairSchemas(valueAt(left, type, 'schema'), valueAt(right, type, 'schema'), schema);
  }
}

/** @returns the words of a proposed table, one a line */
export function writeTable({ paths, parameters, members, values }: ProposedTable): string {
  const lines = (what: string, words: Readonly<Record<string, unknown>>): readonly string[] =>
    Object.entries(words).flatMap(([name, word]) =>
      typeof word === 'string' ? [`  ${what}${name} = ${word}`] : lines(`${what}${name}: `, word as Words),
    );
  return [
    ...lines('path ', paths),
    ...lines('parameter ', parameters),
    ...lines('member ', members),
    ...lines('value ', values),
  ].join('\n');
}
