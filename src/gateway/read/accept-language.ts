/** The languages of `Accept-Language`. */
import { parseAccept } from 'hono/utils/accept';

/** Characters of a language range; a longer one is not a language tag (RFC 5646 §4.4.1). */
const LONGEST_RANGE = 35;

/** @returns a range without its last subtag, and without a single letter before that */
const shorten = (range: string): string => range.replace(/(?:-[a-z0-9])?(?:^|-)[^-]*$/, '');

/**
 * Finds the tag that matches a range such as `es-MX`, which is shortened from its end as far as needed (RFC 4647 §3.4,
 * lookup).
 */
export type TagFinder = (range: string) => string | undefined;

/** @param tags the languages to choose from */
export const tagFinder = (tags: readonly string[]): TagFinder => {
  const tagsByLowerCase = new Map(tags.map((tag) => [tag.toLowerCase(), tag]));
  return (range) => {
    if (range.length > LONGEST_RANGE) return undefined;
    for (let prefix = range.toLowerCase(); prefix !== ''; prefix = shorten(prefix)) {
      const tag = tagsByLowerCase.get(prefix);
      if (tag !== undefined) return tag;
    }
    return undefined;
  };
};

/**
 * Chooses a language for a URL outside the trees: the first that matches one of the client's ranges, by weight.
 *
 * @param header `Accept-Language`, if sent
 * @param tags of all languages: if nothing matches, but some are refused (`en;q=0, *`), the first of the others is chosen
 * @returns its tag; `undefined` if the header says nothing about them
 */
export const chooseLanguage = (header: string | null, find: TagFinder, tags: readonly string[]): string | undefined => {
  // The heaviest first. `*` adds nothing: another range, or the default, decides.
  const ranges = parseAccept(header ?? '');
  for (const { type, q } of ranges) {
    const match = q > 0 ? find(type) : undefined;
    if (match !== undefined) return match;
  }
  const refusedTags = new Set(ranges.filter(({ q }) => q === 0).map(({ type }) => type.toLowerCase()));
  const remainingTags = tags.filter((tag) => !refusedTags.has(tag.toLowerCase()));
  return remainingTags.length < tags.length ? remainingTags[0] : undefined;
};
