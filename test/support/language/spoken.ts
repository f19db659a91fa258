import { createTrees, type Tree } from '../../../src/gateway/http/urls.ts';
import { createLanguages } from '../../../src/gateway/locale/language.ts';
import type { Collection } from '../../../src/gateway/model/catalogue.ts';
import { Problem } from '../../../src/gateway/texts/problem.ts';
import { loadLocales } from '../../../src/host/tables/load.ts';
import { localesFolder } from '../app/app.ts';
import { catalogue } from '../cars/catalogue.ts';

/** The trees of English and Spanish, which know no other language: for tests of single parts, whose words are typed out. */
const languages = createLanguages(
  catalogue,
  loadLocales(catalogue, localesFolder, 'en').filter(({ tag }) => tag === 'en' || tag === 'es'),
  'en',
);

const found = <T>(value: T | undefined): T => {
  if (value === undefined) throw new TypeError('not there');
  return value;
};

export const trees = createTrees(catalogue, languages);
const treeOf = (tag: string): Tree => found(trees.find(({ language }) => language.tag === tag));
export const en = treeOf('en');
export const es = treeOf('es');

const findCollection = (name: string): Collection => found(catalogue.find((each) => each.name === name));
export const cars = findCollection('cars');
export const oils = findCollection('oils');

/** @returns the problem that is thrown; anything else that is thrown fails the test */
export const combineErrors = (act: () => unknown): Problem => {
  try {
    act();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};

/** @returns the errors of a problem: where, which sentence, and the word to use instead */
export const errorsOf = ({ errors }: Problem) =>
  errors.map(({ place, detail: { phrase }, suggestion }) => [
    Object.values(place).join(),
    phrase,
    ...(suggestion === undefined ? [] : [suggestion]),
  ]);
