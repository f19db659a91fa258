/** Tables of a catalogue of its own, which say only what is about it. */

import { viewNames } from '../../model/views.ts';
import { valueAt } from './value-at.ts';

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

const recordOf = (value: unknown): Node => (isNode(value) ? value : {});

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
const without = (table: Node, [name = '', ...below]: readonly string[]): Node => {
  const { [name]: part, ...rest } = table;
  return below.length > 0 && isNode(part) ? { ...table, [name]: without(part, below) } : rest;
};

/** @returns the words of what there is beside every list */
const viewsIn = (paths: unknown): Node =>
  Object.fromEntries(Object.entries(recordOf(paths)).filter(([name]) => viewNames.some((each) => each === name)));

/** @returns what a table says of every catalogue */
const general = (table: Node): Node => {
  const rest = SUBJECT.reduce(without, table);
  const synonyms = recordOf(table.synonyms);
  return {
    ...rest,
    paths: viewsIn(table.paths),
    synonyms: { ...recordOf(rest.synonyms), paths: viewsIn(synonyms.paths) },
  };
};

const merged = (base: unknown, own: unknown): unknown =>
  isNode(base) && isNode(own)
    ? { ...base, ...Object.fromEntries(Object.entries(own).map(([name, part]) => [name, merged(base[name], part)])) }
    : own;

const filled = (texts: Node, values: Node): Node =>
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
  if (!isNode(table) || !isNode(table.descriptions)) return table;
  const named = recordOf(valueAt(table, 'descriptions', 'collections'));
  const said = [...lists, ...Object.keys(named)].map((id): readonly [string, Node] => {
    // What is missing is told of the name, and of nothing that has it.
    const unnamed = { name: id, schema: id[0]?.toUpperCase() + id.slice(1) };
    const values = { ...unnamed, ...recordOf(named[id]), ...recordOf(valueAt(table, 'nouns', id)) };
    return [id, filled(recordOf(collection), values)];
  });
  const texts = {
    ...(isNode(table.subject) && { subject: filled(recordOf(subject), table.subject) }),
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
  isNode(base) && isNode(own) ? withDerived(merged(general(base), own), lists) : own;
