/** Tables of a catalogue of its own, which say only what is about it. */

import { viewNames } from '../../model/views.ts';
import { isObject, type JsonObject, objectOr, valueAt } from './json.ts';

/** The parts of a table that are about the items of a catalogue. */
const SUBJECT: readonly (readonly string[])[] = [
  ['fields'],
  ['choices'],
  ['nouns'],
  ['synonyms', 'fields'],
  ['subject'],
  ['pages', 'totals'],
  ['descriptions', 'collections'],
  ['descriptions', 'fields'],
];

/** @returns a table without a part */
const without = (table: JsonObject, [name = '', ...below]: readonly string[]): JsonObject => {
  const { [name]: part, ...rest } = table;
  return below.length > 0 && isObject(part) ? { ...table, [name]: without(part, below) } : rest;
};

/** @returns the words of what there is beside every list */
const viewsIn = (paths: unknown): JsonObject =>
  Object.fromEntries(Object.entries(objectOr(paths)).filter(([name]) => viewNames.some((each) => each === name)));

/** @returns what a table says of every catalogue */
const general = (table: JsonObject): JsonObject => {
  const rest = SUBJECT.reduce(without, table);
  const synonyms = objectOr(table.synonyms);
  return {
    ...rest,
    paths: viewsIn(table.paths),
    synonyms: { ...objectOr(rest.synonyms), paths: viewsIn(synonyms.paths) },
  };
};

const merged = (base: unknown, own: unknown): unknown =>
  isObject(base) && isObject(own)
    ? { ...base, ...Object.fromEntries(Object.entries(own).map(([name, part]) => [name, merged(base[name], part)])) }
    : own;

const filled = (texts: JsonObject, values: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      String(text).replace(/\{(name|schema|the|of|title)\}/g, (_, each: string) => String(values[each])),
    ]),
  );

/**
 * @param lists the ids of all lists: where the table lacks the name of one, only that is missing, not what derives from it
 * @returns a table with what its `derived` says of collections that it says nothing else of
 */
export const withDerived = (table: unknown, lists: readonly string[]): unknown => {
  const [collection, subject] = ['collection', 'subject'].map((part) => valueAt(table, 'derived', part));
  if (!isObject(table) || !isObject(table.descriptions)) return table;
  const named = objectOr(valueAt(table, 'descriptions', 'collections'));
  const said = [...lists, ...Object.keys(named)].map((id): readonly [string, JsonObject] => {
    // What is missing is told of the name, and of nothing that has it.
    const unnamed = { name: id, schema: id[0]?.toUpperCase() + id.slice(1) };
    const values = { ...unnamed, ...objectOr(named[id]), ...objectOr(valueAt(table, 'nouns', id)) };
    return [id, filled(objectOr(collection), values)];
  });
  const texts = {
    ...(isObject(table.subject) && { subject: filled(objectOr(subject), table.subject) }),
    descriptions: { collections: Object.fromEntries(said), fields: {} },
  };
  return merged(texts, table);
};

/**
 * @param base the project's table of a language
 * @param own that of another catalogue, which leaves out what the project's says of every catalogue
 * @param lists the ids of all lists
 * @returns the whole table
 */
export const layered = (base: unknown, own: unknown, lists: readonly string[] = []): unknown =>
  isObject(base) && isObject(own) ? withDerived(merged(general(base), own), lists) : own;
