/** Values that requests may have: those of answers first, then those of schemas. */
import { asArray } from '../../../vocabularies/src/document.ts';
import { asObject, isObject } from '../../../vocabularies/src/words.ts';
import { type Reader, readType } from './document.ts';

type Scalar = string | number | boolean;

function isScalar(value: unknown): value is Scalar {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** More values of one member are not kept. */
const MOST_VALUES = 60;

/** What answers hold: values by members, and paths of items by templates. */
export class Pool {
  readonly values = new Map<string, Scalar[]>();
  /** Paths of each template that are known to lead somewhere. */
  readonly paths = new Map<string, readonly string[]>();

  add(content: unknown): void {
    if (Array.isArray(content)) for (const item of content.slice(0, MOST_VALUES)) this.add(item);
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
  return Object.values(asObject(body)).find((member) => Array.isArray(member)) as readonly unknown[] | undefined;
}

/** @returns what may be the key of an item, the likeliest first */
export function listKeys(item: unknown, parameter: string): readonly string[] {
  const members = asObject(item);
  const all = Object.keys(members);
  const names = [parameter, 'id', ...all.filter((name) => /(?:^|_)id$|Id$/.test(name)), ...all];
  const values = [...new Set(names)].flatMap((name) => (Object.hasOwn(members, name) ? [members[name]] : []));
  return values.filter((value) => isScalar(value) && value !== '').map(String);
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
  if (Array.isArray(schema.enum)) return schema.enum.find((choice) => choice !== null);
  const type = readType(schema);
  const members = Object.entries(reader.properties(schema)).filter(
    ([, each]) => reader.resolve(each).readOnly !== true,
  );
  if (type === 'object' || members.length > 0) {
    const own = depth > 4 ? [] : members;
    return Object.fromEntries(own.map(([name, each]) => [name, makeValue(reader, each, mark, depth + 1)]));
  }
  const [part] = [schema.allOf, schema.oneOf, schema.anyOf].flatMap(asArray);
  if (part !== undefined && type === undefined) return makeValue(reader, part, mark, depth + 1);
  if (type === 'array') return depth > 3 ? [] : [makeValue(reader, schema.items, mark, depth + 1)];
  if (type === 'boolean') return true;
  const { exclusiveMinimum: below } = schema;
  const least = Number(schema.minimum ?? (below === undefined ? 0 : Number(below) + 1));
  if (type === 'integer' || type === 'number')
    return Math.min(Number(schema.maximum ?? Infinity), least + (type === 'number' ? 1.5 : 2));
  if (typeof schema.format === 'string' && EXAMPLES[schema.format]) return EXAMPLES[schema.format];
  if (schema.pattern !== undefined && Array.isArray(schema.examples))
    return mark !== '' && matches(schema.pattern, `parity-${mark}`) ? mark : schema.examples[0];
  return `${mark} ${TEXT}`.trimStart().slice(0, Number(schema.maxLength ?? 60));
}

function matches(pattern: unknown, text: string): boolean {
  try {
    return new RegExp(String(pattern), 'u').test(text);
  } catch {
    return false;
  }
}
