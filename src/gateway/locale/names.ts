/** @returns the name of a language in that language, such as `español`; its tag if the name is unknown */
export const autonymOf = (tag: string): string => languageName(tag, tag);

/** @returns the name of a language in another language */
export const languageName = (tag: string, inLanguage: string): string =>
  new Intl.DisplayNames(inLanguage, { type: 'language' }).of(tag) ?? tag;

/** @returns the writing direction of a language */
export const directionOf = (tag: string): 'ltr' | 'rtl' =>
  new Intl.Locale(tag).getTextInfo().direction === 'rtl' ? 'rtl' : 'ltr';
