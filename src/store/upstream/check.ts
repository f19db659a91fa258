/** What differs between the catalogue and what is there, as far as the first items show it. */
import type { Collection } from '../../gateway/model/catalogue.ts';
import type { Keys } from '../../gateway/port/port.ts';
import { messageOf } from '../../gateway/port/unavailable.ts';
import type { Api } from './api.ts';
import type { MappedCollection, Mapping } from './mapping/mapping.ts';
import type { MappedField } from './mapping/values.ts';
import type { Json } from './rows.ts';

/** Items of each collection that are looked at. */
const SAMPLE = 20;

const causeOf = (error: unknown): string => messageOf(error instanceof Error ? (error.cause ?? error) : error);

const ofField = ({ field, name, read }: MappedField, items: readonly Json[]): readonly string[] => {
  const values = items.map((item) => item[name]).filter((value) => value !== null && value !== undefined);
  if (values.length === 0) return [`${field.name}: none of the first items has "${name}"`];
  if (field.required && values.length < items.length)
    return [`${field.name}: is required, and some items have no "${name}"`];
  for (const value of values) {
    try {
      read(value);
    } catch (error) {
      return [`${field.name}: ${causeOf(error)}, which is no value of this field; it may need a "type"`];
    }
  }
  return [];
};

const ofItems = ({ fields, parent, id, order }: MappedCollection, items: readonly Json[]): readonly string[] => {
  const known = new Set([...fields.map(({ name }) => name), parent, id, order]);
  const others = [...new Set(items.flatMap((item) => Object.keys(item)))].filter((name) => !known.has(name));
  return [
    ...fields.flatMap((field) => ofField(field, items)),
    ...others.map((name) => `"${name}" is there, and is no field of the catalogue`),
  ];
};

/** @returns the keys of a list to look at; `undefined` where no parent is there */
const listIn = async (api: Api, mapping: Mapping, collection: Collection): Promise<Keys | undefined> => {
  const { parent } = collection;
  if (!parent || mapping.of(collection).parent !== undefined) return [];
  const mapped = mapping.of(parent);
  const [first] = (await api.page(mapped, [], [], { limit: 1 }, undefined))?.items ?? [];
  const key = mapped.fields[0]?.read(Object(first)[mapped.fields[0].name]);
  return typeof key === 'string' ? [key] : undefined;
};

/** @returns a line for each difference; what is wrong with the answers, where they cannot be compared */
export const differencesIn = async (api: Api, mapping: Mapping): Promise<readonly string[]> => {
  const lines: string[] = [];
  for (const collection of mapping.catalogue) {
    try {
      const keys = await listIn(api, mapping, collection);
      const found = keys && (await api.page(mapping.of(collection), keys, [], { limit: SAMPLE }, undefined));
      if (!found || found.items.length === 0) continue;
      const objects = found.items.filter((item): item is Json => typeof item === 'object' && item !== null);
      lines.push(...ofItems(mapping.of(collection), objects).map((line) => `upstream: ${collection.name}: ${line}`));
    } catch (error) {
      lines.push(`upstream: ${collection.name}: ${causeOf(error)}`);
    }
  }
  return lines;
};
