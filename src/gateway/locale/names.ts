/** @returns the name of a language in that language, such as `español`; its tag if the name is unknown */
export const autonymOf = (tag: string): string => languageName(tag, tag);

/** Cached, because each is expensive to construct. */
const known = new Map<string, Intl.DisplayNames>();

/** @returns the name of a language in another language */
export const languageName = (tag: string, inLanguage: string): string => {
  const names = known.get(inLanguage) ?? new Intl.DisplayNames(inLanguage, { type: 'language' });
  known.set(inLanguage, names);
  return names.of(tag) ?? tag;
};

/** @returns the writing direction of a language */
export const directionOf = (tag: string): 'ltr' | 'rtl' =>
  new Intl.Locale(tag).getTextInfo().direction === 'rtl' ? 'rtl' : 'ltr';
