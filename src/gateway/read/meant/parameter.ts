import { LONGEST_SUGGESTED, likeness, type WordIndex } from '../../../../packages/vocabularies/src/words.ts';
import type { Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import { OFFSET } from '../../model/query.ts';
import { sentence } from '../../texts/phrase.ts';
import { comparedByName, type Meant } from './comparison.ts';
import { sortTerms } from './sort-terms.ts';

/** All values that were sent, by word. */
type Sent = ReadonlyMap<string, readonly string[]>;

/**
 * @param words of the parameters that there are
 * @param ofLists those of lists, where these are others
 * @returns a function that finds what a client means by a parameter that is none
 */
export const meantParameter = (language: Language, collection: Collection, words: WordIndex, ofLists = words) => {
  const { parameters } = language;
  const [page, size, order, sort] = (['page', 'number_of_elements', 'order', 'sort_by'] as const).map(parameters.word);
  const compared = comparedByName(language, collection);
  const sorted = sortTerms(language, collection);
  const offsets = new Set(parameters.synonyms.filter(([, name]) => name === OFFSET).map(([word]) => likeness(word)));

  /** Rows to skip are pages to skip where they are a multiple of the size that was sent. */
  const paged = (sent: string, value: string | undefined, all: Sent): Meant => {
    const [, [count = ''] = []] =
      [...all].find(([word]) => word === size || words.equivalent(bare(word)) === size) ?? [];
    const [offset, each] = [Number(value || Number.NaN), Number(count)];
    return Number.isSafeInteger(offset) && offset >= 0 && each > 0 && offset % each === 0
      ? { name: 'page', suggestion: `${page}=${offset / each + 1}&${size}=${count}` }
      : { name: 'page', detail: sentence('parameter-offset', { word: sent, page: String(page), size: String(size) }) };
  };

  return (sent: string, values: readonly string[], all: Sent): Meant => {
    // What follows matches texts against patterns that may go back over them.
    if (sent.length > LONGEST_SUGGESTED) return {};
    const word = bare(sent);
    const [first = ''] = values;
    const value = values.length === 1 && first.length <= LONGEST_SUGGESTED ? first : undefined;
    const isList = words === ofLists;
    if (isList && offsets.has(likeness(word))) return paged(sent, value, all);
    const direct = words.name(word) === undefined ? words.equivalent(word) : word;
    const isSort = direct !== undefined && (direct === sort || direct === order);
    const terms = isSort && value ? sorted(value, all.has(String(order))) : undefined;
    // A value that is right already needs only the right word.
    if (terms && terms.suggestion !== `${direct}=${value}`) return terms;
    const suggestion = direct ?? words.suggest(word);
    const meant = suggestion === undefined && isList ? compared(sent, value) : undefined;
    const elsewhere = suggestion === undefined && !isList && (ofLists.name(word) ?? ofLists.suggest(word));
    if (elsewhere) return { detail: sentence('parameter-of-lists', { word: sent }) };
    return meant ?? { name: suggestion && words.name(suggestion), suggestion };
  };
};

/** `marca[]`, `marca[0]`, `page[size]`: some clients write repeated and grouped parameters so. */
const bare = (word: string): string => word.replace(/\[\d*\]$/, '').replace(/\[([^[\]]*)\]/g, '_$1');
