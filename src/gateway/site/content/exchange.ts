import { JSON_TYPE } from '../../http/headers.ts';
import type { Tree } from '../../http/tree.ts';
import { autonymOf } from '../../locale/names.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { ExchangeCommand, ExchangeStep } from '../pages/exchange-part.ts';
import { curl, indented } from './curl.ts';
import { exampleItemIn, foreignWord } from './example-item.ts';
import { queryProblem, shownProblem } from './shown-problem.ts';

const creation = (tree: Tree, collection: Collection, origin: string) => {
  const body = indented(exampleItemIn(tree, collection));
  const target = tree.paths(collection).list([]);
  const headers = { 'Content-Type': JSON_TYPE };
  return { request: curl(origin, { method: 'POST', target, headers, body }), status: 201, response: body };
};

const reading = (tree: Tree, collection: Collection, origin: string) => ({
  request: curl(origin, { target: tree.paths(collection).item([String(collection.key.examples[0])]) }),
  status: 200,
  response: indented(exampleItemIn(tree, collection)),
});

/** A filter by a word of another language; `undefined` where all languages have the same words. */
const mistake = (tree: Tree, others: readonly Tree[], collection: Collection, origin: string) => {
  const foreign = foreignWord(tree, others, collection);
  if (!foreign) return undefined;
  const search = `${encodeURIComponent(foreign.word)}=${encodeURIComponent(String(foreign.value))}`;
  const request = curl(origin, { target: `${tree.paths(collection).list([])}?${search}` });
  return { request, ...shownProblem(tree.language, queryProblem(tree, others, collection, search)) };
};

/**
 * The same exchange in every language: commands, and what the service responds to them.
 *
 * @param collection one without a parent; without examples there are no steps
 * @param origin scheme and host of the service
 */
export const exchangeOf = (trees: readonly Tree[], collection: Collection, origin: string): readonly ExchangeStep[] => {
  if (collection.key.examples.length === 0) return [];
  const inEach = (make: (tree: Tree, others: readonly Tree[]) => Omit<ExchangeCommand, 'tag' | 'name'> | undefined) =>
    trees.flatMap((tree, at) => {
      // The next language comes first, so that the foreign words are not all of the same language.
      const made = make(tree, [...trees.slice(at + 1), ...trees.slice(0, at)]);
      const { tag } = tree.language;
      return made ? [{ tag, name: autonymOf(tag), ...made }] : [];
    });
  const steps: readonly ExchangeStep[] = [
    { name: 'create', commands: inEach((tree) => creation(tree, collection, origin)) },
    { name: 'read', commands: inEach((tree) => reading(tree, collection, origin)) },
    { name: 'mistake', commands: inEach((tree, others) => mistake(tree, others, collection, origin)) },
  ];
  return steps.filter(({ commands }) => commands.length > 0);
};
