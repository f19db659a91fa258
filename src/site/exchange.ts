import { queryReader } from '../http/read/list-query.ts';
import type { Tree } from '../http/tree.ts';
import { writeProblem } from '../http/write/problem.ts';
import { autonymOf } from '../locale/names.ts';
import type { Collection } from '../model/catalogue.ts';
import type { Field } from '../model/field.ts';
import { Problem } from '../texts/problem.ts';
import type { Command, Step } from './pages/exchange-part.ts';

/** In place of what differs each time. */
const VARIES = '…';

/** Enough to recognise an item by; examples with all fields are long. */
const isTelling = ({ isKey, required, indexed, examples }: Field): boolean =>
  (isKey || required || indexed) && examples.length > 0;

/** For a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const indented = (json: unknown): string => JSON.stringify(json, null, 2);

/** The first example of a collection, in one language's words. */
const itemIn = ({ language }: Tree, collection: Collection): Readonly<Record<string, unknown>> => {
  const { word } = language.fields(collection);
  return Object.fromEntries(
    collection.fields.filter(isTelling).map(({ name, examples: [first] }) => [word(name), first]),
  );
};

const creation = (tree: Tree, collection: Collection, origin: string) => {
  const item = itemIn(tree, collection);
  const url = quoted(origin + tree.paths(collection).list([]));
  return {
    request: `curl -X POST ${url} \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(indented(item))}`,
    status: 201,
    response: indented(item),
  };
};

const reading = (tree: Tree, collection: Collection, origin: string) => ({
  request: `curl ${quoted(origin + tree.paths(collection).item([String(collection.key.examples[0])]))}`,
  status: 200,
  response: indented(itemIn(tree, collection)),
});

/** A filter in another language's word; `undefined` if the languages differ in none. */
const mistake = (tree: Tree, others: readonly Tree[], collection: Collection, origin: string) => {
  const { language } = tree;
  const own = language.fields(collection);
  const slips = others.flatMap((other) =>
    collection.fields
      .filter((field) => isTelling(field) && !field.isKey)
      .map(({ name, examples: [value] }) => ({ word: other.language.fields(collection).word(name), name, value })),
  );
  const slip = slips.find(({ word, name }) => word !== own.word(name));
  if (!slip) return undefined;
  const search = `${encodeURIComponent(slip.word)}=${encodeURIComponent(String(slip.value))}`;
  const read = queryReader(
    language,
    others.map((other) => other.language),
    collection,
  );
  try {
    read(search);
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    const { status, body } = writeProblem(language, problem, VARIES);
    const request = `curl ${quoted(`${origin}${tree.paths(collection).list([])}?${search}`)}`;
    return { request, status, response: indented(JSON.parse(body)) };
  }
  return undefined;
};

/**
 * The same exchange in every language: commands, and what the service responds to them.
 *
 * @param collection at the top; without examples there are no steps
 * @param origin scheme and host of the service
 */
export const exchangeOf = (trees: readonly Tree[], collection: Collection, origin: string): readonly Step[] => {
  if (collection.key.examples.length === 0) return [];
  const inEach = (make: (tree: Tree, others: readonly Tree[]) => Omit<Command, 'tag' | 'name'> | undefined) =>
    trees.flatMap((tree, at) => {
      // Its neighbour first, so that not every mistake is in the same language.
      const made = make(tree, [...trees.slice(at + 1), ...trees.slice(0, at)]);
      const { tag } = tree.language;
      return made ? [{ tag, name: autonymOf(tag), ...made }] : [];
    });
  const steps: readonly Step[] = [
    { name: 'create', commands: inEach((tree) => creation(tree, collection, origin)) },
    { name: 'read', commands: inEach((tree) => reading(tree, collection, origin)) },
    { name: 'mistake', commands: inEach((tree, others) => mistake(tree, others, collection, origin)) },
  ];
  return steps.filter(({ commands }) => commands.length > 0);
};
