import { memoized } from '../../util/memoized.ts';

/** @returns the name of a language in that language, such as `español`; its tag if the name is unknown */
export const autonymOf = (tag: string): string => languageName(tag, tag);

/** Each is expensive to construct. */
const namesIn = memoized((tag: string) => new Intl.DisplayNames(tag, { type: 'language' }));

/** @returns the name of a language in another language */
export const languageName = (tag: string, inLanguage: string): string => namesIn(inLanguage).of(tag) ?? tag;

/** @returns the writing direction of a language */
export const directionOf = (tag: string): 'ltr' | 'rtl' =>
  new Intl.Locale(tag).getTextInfo().direction === 'rtl' ? 'rtl' : 'ltr';
