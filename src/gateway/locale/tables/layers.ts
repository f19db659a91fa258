/** Tables of a catalogue of its own, which say only what is about it. */

import { asObject, isObject, type Json, valueAt } from '../../../../packages/vocabularies/src/words.ts';
import { viewNames } from '../../model/views.ts';

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
const without = (table: Json, [name = '', ...below]: readonly string[]): Json => {
  const { [name]: part, ...rest } = table;
  return below.length > 0 && isObject(part) ? { ...table, [name]: without(part, below) } : rest;
};

/** @returns the words of what there is beside every list */
const viewsIn = (paths: unknown): Json =>
  Object.fromEntries(Object.entries(asObject(paths)).filter(([name]) => viewNames.some((each) => each === name)));

/** @returns what a table says of every catalogue */
const general = (table: Json): Json => {
  const rest = SUBJECT.reduce(without, table);
  const synonyms = asObject(table.synonyms);
  return {
    ...rest,
    paths: viewsIn(table.paths),
    synonyms: { ...asObject(rest.synonyms), paths: viewsIn(synonyms.paths) },
  };
};

const merged = (base: unknown, own: unknown): unknown =>
  isObject(base) && isObject(own)
    ? { ...base, ...Object.fromEntries(Object.entries(own).map(([name, part]) => [name, merged(base[name], part)])) }
    : own;

const filled = (texts: Json, values: Json): Json =>
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
  const named = asObject(valueAt(table, 'descriptions', 'collections'));
  const said = [...lists, ...Object.keys(named)].map((id): readonly [string, Json] => {
    // What is missing is told of the name, and of nothing that has it.
    const unnamed = { name: id, schema: id[0]?.toUpperCase() + id.slice(1) };
    const values = { ...unnamed, ...asObject(named[id]), ...asObject(valueAt(table, 'nouns', id)) };
    return [id, filled(asObject(collection), values)];
  });
  const texts = {
    ...(isObject(table.subject) && { subject: filled(asObject(subject), table.subject) }),
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
