/** What differs between the catalogue and what is there, as far as the first items show it. */
import type { Collection } from '../../gateway/model/catalogue.ts';
import { messageOf } from '../../gateway/port/unavailable.ts';
import type { Api, Place } from './api.ts';
import type { Json, MappedCollection, Mapping } from './mapping/mapping.ts';
import type { MappedField } from './mapping/values.ts';

/** Items of each collection that are looked at. */
const SAMPLE = 20;

const causeOf = (error: unknown): string => messageOf(error instanceof Error ? (error.cause ?? error) : error);

const ofField = ({ field, name, read }: MappedField, items: readonly Json[]): string | undefined => {
  const values = items.map((item) => item[name]).filter((value) => value !== null && value !== undefined);
  if (values.length === 0) return `none of the first items has "${name}"`;
  if (field.required && values.length < items.length) return `is required, and some items have no "${name}"`;
  try {
    for (const value of values) read(value);
    return undefined;
  } catch (error) {
    return `${causeOf(error)}, which is no value of this field; it may need a "type"`;
  }
};

const ofItems = ({ fields, parent, id, order }: MappedCollection, items: readonly Json[]): readonly string[] => {
  const known = new Set([...fields.map(({ name }) => name), parent, id, order]);
  const others = new Set(items.flatMap((item) => Object.keys(item).filter((name) => !known.has(name))));
  return [
    ...fields.flatMap((each) => {
      const fault = ofField(each, items);
      return fault === undefined ? [] : [`${each.field.name}: ${fault}`];
    }),
    ...[...others].map((name) => `"${name}" is there, and is no field of the catalogue`),
  ];
};

/** @returns the list to look at; `undefined` where it is below items, and there are none */
const listIn = async (api: Api, mapping: Mapping, collection: Collection): Promise<Place | undefined> => {
  const { parent } = collection;
  if (!parent || mapping.of(collection).parent !== undefined) return api.wholeOf(collection);
  const { row } = mapping.of(parent);
  const [first] = (await api.page(api.wholeOf(parent), { limit: 1 }))?.items ?? [];
  return first === undefined ? undefined : api.placeOf(collection, [String(row(first)[1])]);
};

/** @returns a line for each difference; what is wrong with the answers, where they cannot be compared */
export const differencesIn = async (api: Api, mapping: Mapping): Promise<readonly string[]> => {
  const lines: string[] = [];
  for (const collection of mapping.catalogue) {
    const found: string[] = [];
    try {
      const place = await listIn(api, mapping, collection);
      const { items } = (place && (await api.page(place, { limit: SAMPLE }))) ?? { items: [] };
      if (items.length > 0) found.push(...ofItems(mapping.of(collection), items.map(Object)));
    } catch (error) {
      found.push(causeOf(error));
    }
    lines.push(...found.map((line) => `upstream: ${collection.name}: ${line}`));
  }
  return lines;
};
