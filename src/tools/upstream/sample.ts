/** Reads what an API has: its OpenAPI document, or some of its items. */
import type { Preset } from '../../store/upstream/mapping/mapping.ts';
import { commandError } from '../commands/command-error.ts';

/** Some values of each member of a collection's items. */
export interface Sample {
  readonly name: string;
  readonly members: ReadonlyMap<string, readonly unknown[]>;
  /** How many items there are in it; 0 where only a document describes them. */
  readonly items: number;
}

const sampleOf = (name: string, list: readonly unknown[]): Sample => {
  const items = list.filter((item) => !Array.isArray(item)).map(Object);
  const values = items.flatMap((item) => Object.entries(item)).filter(([, value]) => (value ?? null) !== null);
  const members = Map.groupBy(values, ([member]) => member);
  return {
    name,
    items: items.length,
    members: new Map([...members].map(([member, all]) => [member, all.map(([, value]) => value)])),
  };
};

/** Values of the type that a schema names. */
const EXAMPLES: Readonly<Record<string, unknown>> = { integer: 1, number: 1.25, boolean: true, string: 'x' };

/** @returns the schemas of OpenAPI 2 and 3 whose members are values */
const described = ({ components, definitions }: Readonly<Record<string, unknown>>): readonly Sample[] => {
  const samples = Object.entries(Object(Object(components).schemas ?? definitions)).map(([name, schema]) => {
    const members = Object.entries(Object(Object(schema).properties)).map(([member, each]) => {
      const { type, format, example } = Object(each);
      return [member, example ?? (format === 'date' ? '2008-02-29' : EXAMPLES[String([type].flat()[0])])];
    });
    return { ...sampleOf(name, [Object.fromEntries(members)]), items: 0 };
  });
  return samples.filter(({ members }) => members.size > 0);
};

const samplesIn = (content: unknown, url: URL): readonly Sample[] => {
  const name = url.pathname.split('/').filter(Boolean).at(-1) ?? 'items';
  if (Array.isArray(content)) return [sampleOf(name, content)];
  const object = Object(content);
  if ('openapi' in object || 'swagger' in object) return described(object);
  if (Array.isArray(object.data)) return [sampleOf(name, object.data)];
  return Object.entries(object).flatMap(([each, items]) => (Array.isArray(items) ? [sampleOf(each, items)] : []));
};

const presetOf = (headers: Headers, content: unknown): Preset => {
  const { data, swagger } = Object(content);
  if (Array.isArray(data) || headers.get('x-powered-by') === 'tinyhttp') return 'json-server-1';
  if (headers.has('x-change')) return 'this';
  return headers.has('content-range') || swagger !== undefined ? 'postgrest' : 'json-server';
};

/** @throws CommandError where there is no JSON */
export const readSamples = async (
  address: string,
): Promise<{ readonly preset: Preset; readonly samples: readonly Sample[] }> => {
  try {
    const url = new URL(address);
    const response = await fetch(url, { headers: { accept: 'application/json' } });
    const content: unknown = await response.json();
    return { preset: presetOf(response.headers, content), samples: samplesIn(content, url) };
  } catch (error) {
    throw commandError('upstream-unreadable', { url: address, reason: error instanceof Error ? error.message : '' });
  }
};
