import { valueAt } from './value-at.ts';

/** Parts whose sentences may have plural forms. */
const COUNTED = [['phrases'], ['commands'], ['pages', 'totals']];

/** Empty for a language whose plural forms are unknown. The schema checks `other`. */
const categoriesOf = (tag: string): readonly string[] =>
  Intl.PluralRules.supportedLocalesOf(tag).length > 0
    ? new Intl.PluralRules(tag).resolvedOptions().pluralCategories
    : [];

/** @returns a fault for each plural form of the language (CLDR) that a sentence with plural forms lacks */
export const missingForms = (tag: string, content: unknown): readonly string[] => {
  const categories = categoriesOf(tag);
  return COUNTED.flatMap((path) =>
    Object.entries(valueAt(content, ...path) ?? {})
      .filter(([, forms]) => valueAt(forms, 'other') !== undefined)
      .flatMap(([name, forms]) =>
        categories
          .filter((category) => valueAt(forms, category) === undefined)
          .map((category) => `${[...path, name, category].join('.')}: missing, a plural form of ${tag}`),
      ),
  );
};
