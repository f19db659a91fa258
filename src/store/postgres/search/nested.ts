/** Searches nested items, of which each parent has few, by comparing them one by one. */
import type { Searched } from '../../../model/search/ranks.ts';
import { isCut } from '../../../model/search/words.ts';
import { buildSearch, concatenated, type QueryLanguage, type Search } from '../../sql/search.ts';
import { statement } from '../../sql/statement.ts';
import { separated } from './tables.ts';

/** The prefix of each word names the kind of text that contains it. */
const [MAIN, REST] = ['+', '-'] as const;

/** https://www.postgresql.org/docs/current/datatype-textsearch.html#DATATYPE-TSQUERY */
const tsquery: QueryLanguage = {
  term: (word, { isWhole, isMain }) => {
    const end = isWhole && !isCut(word) ? '' : ':*';
    return `(${(isMain ? [MAIN] : [MAIN, REST]).map((mark) => `'${mark}${word}'${end}`).join(' | ')})`;
  },
  and: ' & ',
  or: ' | ',
  butNot: (text, other) => `(${text}) & !(${other})`,
};

export const nestedSearch = (searched: Searched, search: string): Search => {
  const [main, rest] = [
    separated(concatenated(searched.main), ` ${MAIN}`),
    separated(concatenated(searched.rest), ` ${REST}`),
  ];
  const vector = `array_to_tsvector(string_to_array(btrim(${main} || ${rest}), ' '))`;
  return buildSearch(tsquery, searched, search, (text) => ({
    condition: statement(`${vector} @@ CAST(? AS tsquery)`, [text]),
  }));
};
