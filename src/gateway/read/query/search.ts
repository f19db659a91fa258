import { searchedIn } from '../../model/search/ranks.ts';
import { MOST_TERMS, searchTerms } from '../../model/search/terms.ts';
import { sentence } from '../../texts/phrase.ts';
import { NOTHING, once, type ParameterFactory } from './parameter.ts';
import { invalid } from './query-string.ts';

/** Words, each of which must begin a word of a searchable text; the characters between them are ignored. */
export const search: ParameterFactory = (language, collection) => {
  if (!searchedIn(collection)) return [];
  const word = language.parameters.word('search');
  return [
    {
      name: 'search',
      word,
      kind: 'text',
      isPure: true,
      parse: once(word, (value) => {
        const { length } = searchTerms(value);
        if (length === 0) return invalid(word, sentence('search-empty', { word }));
        if (length > MOST_TERMS) return invalid(word, sentence('search-words', { word, limit: MOST_TERMS }));
        return { search: value };
      }),
      format: ({ search: text }) => (text === undefined ? NOTHING : [text]),
      schema: { type: 'string', minLength: 1 },
      text: 'parameter-search',
    },
  ];
};
