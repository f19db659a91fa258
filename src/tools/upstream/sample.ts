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

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const objectsIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

const sampleOf = (name: string, items: readonly Json[]): Sample => {
  const names = new Set(items.flatMap((item) => Object.keys(item)));
  const valuesOf = (member: string) => items.map((item) => item[member]).filter((value) => (value ?? null) !== null);
  return { name, items: items.length, members: new Map([...names].map((member) => [member, valuesOf(member)])) };
};

/** Values of the type that a schema names. */
const EXAMPLES: Readonly<Record<string, unknown>> = { integer: 1, number: 1.25, boolean: true, string: 'x' };

/** @returns the schemas of OpenAPI 2 and 3 whose members are values */
const described = (document: Json): readonly Sample[] => {
  const { components, definitions } = document;
  const schemas = isObject(components) ? components.schemas : definitions;
  return Object.entries(isObject(schemas) ? schemas : {}).flatMap(([name, schema]) => {
    const { properties } = isObject(schema) ? schema : {};
    const members = Object.entries(isObject(properties) ? properties : {}).flatMap(([member, each]) => {
      const {
        type,
        format,
        example = format === 'date' ? '2008-02-29' : EXAMPLES[String([type].flat()[0])],
      } = Object(each);
      return example === undefined ? [] : [[member, [example]] as const];
    });
    return members.length > 0 ? [{ name, members: new Map(members), items: 0 }] : [];
  });
};

const samplesIn = (content: unknown, url: URL): readonly Sample[] => {
  const name = url.pathname.split('/').filter(Boolean).at(-1) ?? 'items';
  if (Array.isArray(content)) return [sampleOf(name, objectsIn(content))];
  if (!isObject(content)) return [];
  if ('openapi' in content || 'swagger' in content) return described(content);
  if (Array.isArray(content.data)) return [sampleOf(name, objectsIn(content.data))];
  return Object.entries(content).flatMap(([each, items]) =>
    Array.isArray(items) ? [sampleOf(each, objectsIn(items))] : [],
  );
};

const presetOf = (headers: Headers, content: unknown): Preset => {
  const isPaged = isObject(content) && Array.isArray(content.data);
  if (isPaged || headers.get('x-powered-by') === 'tinyhttp') return 'json-server-1';
  if (headers.has('x-change')) return 'this';
  return headers.has('content-range') || (isObject(content) && 'swagger' in content) ? 'postgrest' : 'json-server';
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
