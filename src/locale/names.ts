/** @returns what a language calls itself, such as `español`; its tag where nobody knows */
export const autonymOf = (tag: string): string => nameOf(tag, tag);

/** @returns what a language is called in another one */
export const nameOf = (tag: string, inLanguage: string): string =>
  new Intl.DisplayNames(inLanguage, { type: 'language' }).of(tag) ?? tag;

/** @returns in which direction it is written */
export const directionOf = (tag: string): 'ltr' | 'rtl' =>
  new Intl.Locale(tag).getTextInfo().direction === 'rtl' ? 'rtl' : 'ltr';
