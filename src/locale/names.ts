/** @returns what a language calls itself, such as `español`; its tag where nobody knows */
export const autonymOf = (tag: string): string => nameOf(tag, tag);

/** By language, made once: each is dear. */
const known = new Map<string, Intl.DisplayNames>();

/** @returns what a language is called in another one */
export const nameOf = (tag: string, inLanguage: string): string => {
  const names = known.get(inLanguage) ?? new Intl.DisplayNames(inLanguage, { type: 'language' });
  known.set(inLanguage, names);
  return names.of(tag) ?? tag;
};

/** @returns in which direction it is written */
export const directionOf = (tag: string): 'ltr' | 'rtl' =>
  new Intl.Locale(tag).getTextInfo().direction === 'rtl' ? 'rtl' : 'ltr';
