import { LANG } from '../../http/urls.ts';
import { vocabulary } from '../../locale/vocabulary.ts';
import { sentence } from '../../texts/phrase.ts';
import type { LazyError } from '../../texts/problem.ts';
import { type TagFinder, tagFinder } from '../choose-language.ts';
import { invalid, readOnce, throwAny, unknown } from './parameter.ts';
import { parseQuery } from './query.ts';

const parameters = vocabulary({ [LANG]: LANG }, []);

/**
 * @returns the tag of the language that a page's query names; `undefined` where it names none. Errors of the query are ignored
 */
export const languageIn = (search: string, find: TagFinder): string | undefined => {
  if (!search.includes(LANG)) return undefined;
  const [tag] = parseQuery(search).values.get(LANG) ?? [];
  return tag === undefined ? undefined : find(tag);
};

/**
 * @param tags the languages in which pages can be requested
 * @returns a function that checks a page's query, and throws one problem with all its errors
 */
export const pageQueryCheck = (tags: readonly string[]) => {
  const find = tagFinder(tags);
  const checkTag = (word: string, value: string): undefined | LazyError =>
    find(value) === undefined
      ? invalid(word, sentence('language-unknown', { value, known: tags.join(', ') }))
      : undefined;

  return (search: string): void => {
    if (search === '') return;
    const { values, errors } = parseQuery(search);
    for (const [word, sent] of values) {
      const error =
        word === LANG
          ? readOnce(checkTag, word, sent)
          : () => unknown(word, parameters, { suggestion: parameters.suggest(word) });
      if (error) errors.push(error);
    }
    throwAny(errors);
  };
};
