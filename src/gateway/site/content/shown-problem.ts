import type { Tree } from '../../http/urls.ts';
import type { Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import { queryReader } from '../../read/query/query.ts';
import { Problem } from '../../texts/problem.ts';
import { writeProblem } from '../../write/problem.ts';
import { indented } from './given.ts';

/** Replaces the request's identifier, which is different each time. */
const VARIES = '…';

/** @returns the problem that a function throws */
export const problemThrownBy = (act: () => unknown): Problem => {
  try {
    act();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new TypeError('an example of a problem is none');
};

/** @returns the problem of a list's query */
export const queryProblem = (tree: Tree, others: readonly Tree[], collection: Collection, search: string): Problem => {
  const languages = others.map(({ language }) => language);
  const read = queryReader(tree.language, languages, collection);
  return problemThrownBy(() => read(search));
};

/** A problem as the service responds with it, for people to read. */
export const shownProblem = (language: Language, problem: Problem) => {
  const { status, body } = writeProblem(language, problem, VARIES);
  return { status, response: indented(JSON.parse(body)) };
};
