import type { Tree } from '../../http/tree.ts';
import type { Language } from '../../locale/language.ts';
import type { Catalogue } from '../../model/catalogue.ts';
import type { ProblemCode } from '../../texts/problem.ts';
import type { ProblemExample } from '../pages/problem-page.ts';
import { curl } from './curl.ts';
import { exampleOf } from './problem-examples.ts';
import { shownProblem } from './shown-problem.ts';

/** @returns an example of a problem as a command and its response; `undefined` where the catalogue has no example of an item */
export const exampleIn = (
  code: ProblemCode,
  language: Language,
  trees: readonly Tree[],
  catalogue: Catalogue,
  origin: string,
): ProblemExample | undefined => {
  const tree = trees.find((each) => each.language === language);
  const example = tree && exampleOf(code, tree, trees, catalogue);
  if (!example) return undefined;
  const { sent, problem } = example;
  return { request: sent && curl(origin, sent), ...shownProblem(language, problem) };
};
