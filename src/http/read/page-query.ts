import { vocabulary } from '../../locale/vocabulary.ts';
import { sentence } from '../../texts/phrase.ts';
import type { LazyError } from '../../texts/problem.ts';
import { LANG } from '../urls.ts';
import { lookUpLanguage } from './negotiate.ts';
import { invalid, isError, readOnce, readPairs, throwAny, unknown } from './query-string.ts';

const parameters = vocabulary({ [LANG]: LANG }, []);

/**
 * @param tags of all languages there are
 * @returns a reader of a page's query: the tag of the language that it asks for, if any; it throws one problem with all
 * errors of the query
 */
export const pageQueryReader = (tags: readonly string[]) => {
  const readTag = (word: string, value: string): string | LazyError =>
    lookUpLanguage(value, tags) ?? invalid(word, sentence('language-unknown', { value, known: tags.join(', ') }));

  return (search: string): string | undefined => {
    if (search === '') return undefined;
    const { values, errors } = readPairs(search);
    const pieces = [...values].map(([word, sent]) =>
      word === LANG ? readOnce(readTag, word, sent) : unknown(word, parameters),
    );
    throwAny([...errors, ...pieces.filter(isError)]);
    return pieces.find((piece) => typeof piece === 'string');
  };
};
