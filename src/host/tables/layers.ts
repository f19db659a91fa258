/** Tables of a catalogue of its own, which say only what is about it. */
import { valueAt } from '../../gateway/locale/tables/value-at.ts';
import { viewNames } from '../../gateway/model/views.ts';

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The parts of a table that are about the items of a catalogue, whole or some of their texts. */
const SUBJECT: readonly (readonly [path: readonly string[], texts?: readonly string[]])[] = [
  [['fields']],
  [['choices']],
  [['nouns']],
  [['synonyms', 'fields']],
  [['pages', 'totals']],
  [
    ['pages', 'texts'],
    ['title', 'summary', 'exchange', 'read-about', 'browse', 'none-match', 'none-yet'],
  ],
  [['descriptions', 'collections']],
  [['descriptions', 'fields']],
  [
    ['descriptions', 'texts'],
    ['about', 'parameter-search'],
  ],
];

const without = (node: Node, names: readonly string[]): Node =>
  Object.fromEntries(Object.entries(node).filter(([name]) => !names.includes(name)));

/** @returns a table with a part changed, where it has that part */
const changed = (table: Node, [name, ...below]: readonly string[], change: (part: Node) => Node | undefined): Node => {
  const part = name === undefined ? undefined : table[name];
  if (name === undefined || !isNode(part)) return table;
  const changedPart = below.length > 0 ? changed(part, below, change) : change(part);
  return changedPart ? { ...table, [name]: changedPart } : without(table, [name]);
};

const only = (part: Node, names: readonly string[]): Node =>
  without(
    part,
    Object.keys(part).filter((name) => !names.includes(name)),
  );

/** @returns what a table says of every catalogue */
const general = (table: Node): Node =>
  [['paths'], ['synonyms', 'paths']].reduce(
    (rest, path) => changed(rest, path, (part) => only(part, viewNames)),
    SUBJECT.reduce<Node>(
      (rest, [path, texts]) => changed(rest, path, (part) => (texts ? without(part, texts) : undefined)),
      table,
    ),
  );

const merged = (base: unknown, own: unknown): unknown =>
  isNode(base) && isNode(own)
    ? { ...base, ...Object.fromEntries(Object.entries(own).map(([name, part]) => [name, merged(base[name], part)])) }
    : own;

const recordOf = (value: unknown): Node => (isNode(value) ? value : {});

const filled = (texts: Node, values: Node): Node =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      String(text).replace(/\{(name|schema|the|of)\}/g, (_, each: string) => String(values[each])),
    ]),
  );

/** @returns what is said of a catalogue by sentences that fit every one */
const derived = (base: Node, own: Node): Node => {
  const [collection, pages, texts] = ['collection', 'pages', 'texts'].map((part) =>
    recordOf(valueAt(base, 'derived', part)),
  );
  const collections = Object.entries(recordOf(valueAt(own, 'descriptions', 'collections')));
  const said = collections.map(([name, given]): readonly [string, Node] => [
    name,
    filled(recordOf(collection), { ...recordOf(given), ...recordOf(valueAt(own, 'nouns', name)) }),
  ]);
  const fields = Object.fromEntries(Object.keys(recordOf(own.fields)).map((name) => [name, {}]));
  return { pages: { texts: pages }, descriptions: { texts, collections: Object.fromEntries(said), fields } };
};

/**
 * @param base the project's table of a language
 * @param own that of another catalogue, which leaves out what the project's says of every catalogue
 * @returns the whole table
 */
export const layered = (base: unknown, own: unknown): unknown =>
  isNode(base) && isNode(own) ? merged(merged(general(base), derived(base, own)), own) : own;
