import type { Candidate } from './check.ts';
import { valueAt } from './value-at.ts';

/** Sentences by their keys, plural forms each by itself. */
const sentencesOf = (content: unknown, key = ''): ReadonlyMap<string, string> =>
  new Map(
    typeof content === 'string'
      ? [[key, content]]
      : Object.entries(content ?? {}).flatMap(([name, each]) => [...sentencesOf(each, `${key}.${name}`)]),
  );

/** Parts that are made of sentences. */
const PARTS = ['phrases', 'problems', 'pages', 'descriptions'];

/** Related languages share a few sentences, and most languages the names of things such as OpenAPI. */
const SHARED = 1 / 4;

const sharedBy = (one: Candidate, other: Candidate): readonly string[] =>
  PARTS.flatMap((part) => {
    const own = [...sentencesOf(valueAt(one.content, part))];
    const theirs = sentencesOf(valueAt(other.content, part));
    const same = own.filter(([key, text]) => theirs.get(key) === text).length;
    return same <= own.length * SHARED
      ? []
      : [`${one.file}: ${part}: ${same} of ${own.length} sentences are the same as in ${other.file}: not translated?`];
  });

const primary = ({ tag }: Candidate): string => new Intl.Locale(tag).language;

/** A copy of another language's table, of which not all was translated. */
const untranslated = (candidates: readonly Candidate[]): readonly string[] =>
  candidates.flatMap((one, at) =>
    candidates
      .slice(0, at)
      .filter((other) => primary(other) !== primary(one))
      .flatMap((other) => sharedBy(one, other)),
  );

/** Where sentences may have plural forms. */
const COUNTED = [['phrases'], ['pages', 'totals']];

/** Plural forms that the language has (CLDR) and a sentence with such forms lacks; `other` would be said instead. */
const missingForms = ({ file, tag, content }: Candidate): readonly string[] => {
  const isKnown = Intl.PluralRules.supportedLocalesOf(tag).length > 0;
  const categories = isKnown ? new Intl.PluralRules(tag).resolvedOptions().pluralCategories : [];
  return COUNTED.flatMap((path) =>
    Object.entries(valueAt(content, ...path) ?? {})
      .filter(([, forms]) => valueAt(forms, 'other') !== undefined)
      .flatMap(([name, forms]) =>
        categories
          .filter((category) => valueAt(forms, category) === undefined)
          .map((category) => `${file}: ${[...path, name, category].join('.')}: missing, a plural form of ${tag}`),
      ),
  );
};

/**
 * @param candidates tables, which may have faults too
 * @returns what a translator should look at although the service could work with it, a line each
 */
export const warningsOf = (candidates: readonly Candidate[]): readonly string[] => [
  ...candidates.flatMap(missingForms),
  ...untranslated(candidates),
];
