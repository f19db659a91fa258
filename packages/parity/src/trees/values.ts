/** Values that requests may have: those of answers first, then those of schemas. */
import { asObject, isObject, type Json } from '../../../vocabularies/src/words.ts';
import type { Random } from '../random.ts';
import { type Parameter, type Reader, typeOf } from './document.ts';

type Scalar = string | number | boolean;

const isScalar = (value: unknown): value is Scalar => ['string', 'number', 'boolean'].includes(typeof value);

/** More values of one member are not kept. */
const MOST_VALUES = 60;

/** What answers hold: values by members, and paths of items by templates. */
export class Pool {
  readonly values = new Map<string, Scalar[]>();
  /** Paths of each template that are known to lead somewhere. */
  readonly paths = new Map<string, string[]>();

  add(content: unknown): void {
    if (Array.isArray(content)) for (const each of content.slice(0, MOST_VALUES)) this.add(each);
    if (!isObject(content)) return;
    for (const [name, value] of Object.entries(content)) {
      if (!isScalar(value)) {
        this.add(value);
        continue;
      }
      const known = this.values.get(name) ?? [];
      if (known.length < MOST_VALUES && !known.includes(value)) known.push(value);
      this.values.set(name, known);
    }
  }

  /** @returns values of the member that a parameter is named after, or begins with the name of: `price` for `price_from` */
  find(parameter: string): readonly Scalar[] {
    const exact = this.values.get(parameter);
    if (exact) return exact;
    const names = [...this.values.keys()].filter((name) => parameter.startsWith(`${name}_`));
    return this.values.get(names.toSorted((one, other) => other.length - one.length)[0] ?? '') ?? [];
  }
}

/** @returns the items of a list, alone or in an envelope; `undefined` if an answer is no list */
export function findItems(body: unknown): readonly unknown[] | undefined {
  if (Array.isArray(body)) return body;
  return Object.values(asObject(body)).find((each) => Array.isArray(each)) as readonly unknown[] | undefined;
}

/** @returns what may be the key of an item, the likeliest first */
export function listKeys(item: unknown, parameter: string): readonly string[] {
  const members = asObject(item);
  const names = [
    parameter,
    'id',
    ...Object.keys(members).filter((name) => /(?:^|_)id$|Id$/.test(name)),
    ...Object.keys(members),
  ];
  const values = [...new Set(names)].flatMap((name) => (Object.hasOwn(members, name) ? [members[name]] : []));
  return values.filter((each) => isScalar(each) && each !== '').map(String);
}

const EXAMPLES: Readonly<Record<string, string>> = {
  date: '2008-11-30',
  'date-time': '2024-05-06T07:08:09Z',
  uri: 'https://example.com/a?b=1&c=2',
  'uri-reference': '/a?b=1',
  email: 'a@example.com',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
};
const TEXT = 'Ñ «1»; "x", y';

/** @returns a value that a schema allows; texts begin with a mark, if they are long enough */
export function makeValue(reader: Reader, value: unknown, mark = '', depth = 0): unknown {
  const schema = reader.resolve(value);
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum.find((each) => each !== null);
  const parts = [schema.allOf, schema.oneOf, schema.anyOf].find(Array.isArray);
  const type = typeOf(schema) ?? (schema.properties ? 'object' : parts ? typeOf(reader.resolve(parts[0])) : undefined);
  if (type === 'object' || (parts && schema.allOf)) return makeObject(reader, schema, mark, depth);
  if (parts && schema.type === undefined) return makeValue(reader, parts[0], mark, depth + 1);
  if (type === 'array') return depth > 3 ? [] : [makeValue(reader, schema.items, mark, depth + 1)];
  if (type === 'boolean') return true;
  const minimum = Number(
    schema.minimum ?? Number(schema.exclusiveMinimum ?? 0) + (schema.exclusiveMinimum === undefined ? 0 : 1),
  );
  if (type === 'integer' || type === 'number')
    return Math.min(Number(schema.maximum ?? Infinity), minimum + (type === 'number' ? 1.5 : 2));
  if (typeof schema.format === 'string' && EXAMPLES[schema.format]) return EXAMPLES[schema.format];
  if (schema.pattern !== undefined && Array.isArray(schema.examples)) {
    return mark !== '' && matches(schema.pattern, `parity-${mark}`) ? mark : schema.examples[0];
  }
  return `${mark}${mark === '' ? '' : ' '}${TEXT}`.slice(0, Number(schema.maxLength ?? 60));
}

function matches(pattern: unknown, text: string): boolean {
  try {
    return new RegExp(String(pattern), 'u').test(text);
  } catch {
    return false;
  }
}

function makeObject(reader: Reader, schema: Json, mark: string, depth: number): Json {
  if (depth > 4) return {};
  const members = Object.entries(reader.properties(schema)).filter(
    ([, each]) => reader.resolve(each).readOnly !== true,
  );
  return Object.fromEntries(members.map(([name, each]) => [name, makeValue(reader, each, mark, depth + 1)]));
}

const encode = (text: string): string => encodeURIComponent(text).replaceAll('%2C', ',');

/** What values are made from. */
export interface Source {
  readonly reader: Reader;
  readonly pool: Pool;
  /** @returns the word of a name, or what is no name as it is */
  readonly toWord: (name: string) => string;
  readonly isCatalogue: boolean;
  /** @returns whether the values of a parameter, or of a member, have no translation */
  readonly isSkipped: (word: string) => boolean;
}

/** @returns pairs of a query that a parameter may be sent as */
export function makePairs(
  { reader, pool, toWord, isSkipped }: Source,
  parameter: Parameter,
  random: Random,
): readonly string[] {
  const { name, schema, names, isExploded } = parameter;
  const items = reader.resolve(schema.items);
  const isList = typeOf(schema) === 'array';
  // A document in words may have names in its lists of names.
  const listed = reader
    .choices(schema)
    .map((each) => (names.length === 0 || names.includes(String(each)) ? each : toWord(String(each))));
  const choices = (listed.length > 0 ? listed : names).filter((each) => !isSkipped(String(each)));
  const write = (value: unknown): string => `${encode(name)}=${encode(String(value))}`;
  if (choices.length > 0) {
    const some = random.some(choices, isList || Array.isArray(schema.anyOf) ? 3 : 1);
    if (isList && isExploded) return some.map(write);
    return [write(some.map((each) => (names.length > 0 && random.once(6) ? `-${each}` : each)).join())];
  }
  const values = pool.find(name);
  const value = values.length > 0 ? random.pick(values) : undefined;
  const type = typeOf(isList ? items : schema);
  if (type === 'boolean') return [write(random.pick([true, false]))];
  if (type === 'integer' || type === 'number') {
    const least = Number(schema.minimum ?? 1);
    return [
      write(
        typeof value === 'number' ? value : least + random.below(Math.min(5, Number(schema.maximum ?? 9) - least + 1)),
      ),
    ];
  }
  if (typeof value === 'string') {
    const other = String(random.pick(values));
    const both = `${encode(name)}=${encode(value)}${random.pick([',', '%2C'])}${encode(other)}`;
    return [random.once(4) ? both : write(random.pick([value, value, value.toUpperCase(), value.toLowerCase()]))];
  }
  if (value !== undefined) return [write(value)];
  // A search for a word of any text.
  const texts = [...pool.values.values()].flat().filter((each) => typeof each === 'string' && /\p{L}{3}/u.test(each));
  const words = texts.length > 0 ? String(random.pick(texts)).match(/\p{L}{3,}/gu) : null;
  const made = makeValue(reader, schema);
  return [write(words && !schema.format ? random.pick(words) : made)];
}
