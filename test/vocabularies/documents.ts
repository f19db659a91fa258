/** Documents for the laws: our own, those that nobody here wrote, and some that are made at random. */
import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Table } from '../../packages/vocabularies/src/index.ts';

export type Json = Readonly<Record<string, unknown>>;
type Random = (limit: number) => number;

const FOLDER = new URL('../../../shared/openapi/', import.meta.url);
const read = (name: string): string | undefined => {
  const file = new URL(name, FOLDER);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
};
const [petstore, georef] = [read('petstore.yaml'), read('georef-ar.json')];

/** Documents of others, where they lie beside the clone. */
export const others: readonly (readonly [name: string, document: Json])[] = [
  ...(petstore === undefined ? [] : [['petstore', parse(petstore) as Json] as const]),
  ...(georef === undefined ? [] : [['georef', JSON.parse(georef) as Json] as const]),
];

const LETTERS = new Map(
  [...'abcdefghijklmnopqrstuvwxyz'].map((letter, at) => [letter, [...'ȧƀċḋėḟġḣıĵķŀṁṅȯṗɋṙṡṫụṿẇẋẏż'][at] ?? letter]),
);

/** @returns a word that no document has, always the same for a name, and another one for each */
const pseudo = (name: string): string =>
  `${name.replaceAll(/[a-z]/g, (letter) => LETTERS.get(letter) ?? letter)}‹`.normalize('NFC');

/** @returns a table with a word for every name of a document */
export function pseudoTable(document: Json): Table {
  const [members, values, parameters, paths] = [
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
  ];
  const seen = new Set<unknown>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    const { properties, enum: listed, const: constant, discriminator, name, in: location } = value as Json;
    for (const each of Object.keys(Object(properties))) members.add(each);
    for (const each of [...(Array.isArray(listed) ? listed : []), constant])
      if (typeof each === 'string' && /\w/.test(each)) values.add(each);
    for (const each of Object.keys(Object(Object(discriminator).mapping))) values.add(each);
    if (typeof name === 'string' && typeof location === 'string') parameters.add(name);
    for (const each of Object.values(value)) walk(each);
  };
  walk(document);
  for (const path of Object.keys(Object(document.paths))) {
    for (const segment of path.split('/')) if (segment !== '' && !segment.includes('{')) paths.add(segment);
  }
  const words = (names: ReadonlySet<string>) => Object.fromEntries([...names].map((name) => [name, pseudo(name)]));
  return {
    paths: words(paths),
    parameters: words(parameters),
    members: { '*': words(members) },
    values: { '*': words(values) },
  };
}

const NAMES = ['name', 'kind', 'value', '__proto__', 'constructor', 'length', 'año', 'a/b', 'x~y', 'items'];

/** @returns a document with the keywords that others fell over */
export function randomDocument(below: Random): Json {
  const schemas = ['One', 'Two', 'Three', 'Four'];
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const reference = (): Json => ({ $ref: `#/components/schemas/${pick(schemas)}` });
  const object = (depth: number): Json => ({
    type: pick(['object', ['object', 'null']]),
    properties: Object.fromEntries(NAMES.filter(() => below(3) === 0).map((name) => [name, schema(depth - 1)])),
    ...(below(3) === 0 ? { additionalProperties: pick([true, false, schema(0)]) } : {}),
    ...(below(5) === 0 ? { patternProperties: { '^x-': schema(0) } } : {}),
  });
  const schema = (depth: number): Json => {
    if (depth <= 0)
      return pick<Json>([
        { type: 'string' },
        { type: 'number' },
        { type: 'string', enum: ['red', 'name', 'blue'] },
        { type: ['string', 'null'], enum: ['red', null] },
        { const: 'blue' },
        {},
        { type: 'string', nullable: true },
        reference(),
      ]);
    return pick<() => Json>([
      () => object(depth),
      () => ({ type: 'array', items: schema(depth - 1) }),
      () => ({ type: 'array', prefixItems: [schema(depth - 1), schema(depth - 1)], items: schema(0) }),
      () => ({ allOf: [reference(), object(depth)] }),
      () => ({ oneOf: [reference(), object(depth)], description: 'either' }),
      () => ({ anyOf: [reference(), reference(), { type: 'null' }] }),
      () => ({ oneOf: [reference(), reference()], discriminator: { propertyName: 'kind' } }),
      () => ({ ...reference(), description: 'beside' }),
      reference,
    ])();
  };
  const content = (): Json => ({
    'application/json': { schema: schema(3) },
    'application/x-ndjson': { schema: schema(2) },
  });
  const parameter = (name: string, more: Json): Json => ({ name, in: 'query', schema: schema(0), ...more });
  const operation = (id: string): Json => ({
    operationId: id,
    parameters: [
      parameter('kind', {}),
      parameter('colours', { schema: { type: 'array', items: { enum: ['red', 'blue'] } }, explode: below(2) === 0 }),
      parameter('filter', { style: 'deepObject', schema: object(2) }),
    ],
    requestBody: { content: content() },
    responses: { 200: { description: '', content: content() } },
  });
  return {
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: {
      '/boats': { get: operation('list'), post: operation('create') },
      '/boats/{id}': { parameters: [{ name: 'id', in: 'path', required: true, schema: {} }], put: operation('update') },
      '/boats/mine': { post: operation('own') },
      '/boats/{id}/owners/{owner}': { post: operation('owners') },
    },
    components: {
      schemas: Object.fromEntries(schemas.map((name) => [name, pick([() => object(2), () => schema(2)])()])),
    },
  };
}

const NUMBERS = ['0', '-0', '1e400', '12.10', '1533947986218845197', '-1.5E-3'];
const TEXTS = ['', 'red', 'name', 'kind', 'año', '\\u0041', 'a\\"b', '\\\\', 'é', '{}', '1', '\\ud800'];

/** @returns the text of a JSON value that a schema may describe, with members that it does not declare */
export function randomJson(document: Json, schema: unknown, below: Random, depth = 5): string {
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const space = (): string => pick(['', '', '', ' ', '\n', '\t ']);
  if (typeof schema !== 'object' || schema === null || depth <= 0)
    return pick([`"${pick(TEXTS)}"`, pick(NUMBERS), 'true', 'null', '[]', '{}', '[{"name":[1]}]']);
  const each = schema as Json;
  if (typeof each.$ref === 'string') {
    const target = each.$ref
      .split('/')
      .slice(1)
      .reduce<unknown>((value, name) => Object(value)[name.replaceAll('~1', '/')], document);
    return randomJson(document, target, below, depth - 1);
  }
  const listed = each.enum ?? ('const' in each ? [each.const] : undefined);
  if (Array.isArray(listed)) return JSON.stringify(pick(listed));
  const branches = (each.oneOf ?? each.anyOf ?? each.allOf) as readonly unknown[] | undefined;
  if (branches && below(3) > 0) return randomJson(document, pick(branches), below, depth - 1);
  if (each.items !== undefined || each.prefixItems !== undefined) {
    const prefix = (each.prefixItems ?? []) as readonly unknown[];
    const items = Array.from(
      { length: below(4) },
      (_, at) => space() + randomJson(document, prefix[at] ?? each.items, below, depth - 1),
    );
    return `[${items.join(`${space()},`)}${space()}]`;
  }
  if (each.properties !== undefined || each.type === 'object') {
    const declared = Object.entries(Object(each.properties)).filter(() => below(2) === 0);
    const members = [
      ...declared,
      ...(below(3) === 0 ? [[pick(['other', 'x-y', '10', 'name2']), {}] as const] : []),
      ...(below(5) === 0 ? declared : []),
    ];
    const written = members.map(
      ([name, value]) =>
        `${space()}${JSON.stringify(name)}${space()}:${space()}${randomJson(document, value, below, depth - 1)}`,
    );
    return `{${written.join(`${space()},`)}${space()}}`;
  }
  const type = [each.type].flat()[0];
  if (type === 'string') return `"${pick(TEXTS)}"`;
  if (type === 'integer' || type === 'number') return pick(NUMBERS);
  return randomJson(document, undefined, below, depth);
}
