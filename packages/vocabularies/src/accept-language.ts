/** The languages of `Accept-Language`. */

/** Characters of a language range; a longer one is not a language tag (RFC 5646 §4.4.1). */
const LONGEST_RANGE = 35;

/** @returns a range without its last subtag, and without a single letter before that */
function shorten(range: string): string {
  return range.replace(/(?:-[a-z0-9])?(?:^|-)[^-]*$/, '');
}

/**
 * Finds the tag that matches a range such as `es-MX`, which is shortened from its end as far as needed (RFC 4647 §3.4,
 * lookup).
 */
export type TagFinder = (range: string) => string | undefined;

/** @param tags the languages to choose from */
export function tagFinder(tags: readonly string[]): TagFinder {
  const tagsByLowerCase = new Map(tags.map((tag) => [tag.toLowerCase(), tag]));
  return (range) => {
    if (range.length > LONGEST_RANGE) return undefined;
    for (let prefix = range.toLowerCase(); prefix !== ''; prefix = shorten(prefix)) {
      const tag = tagsByLowerCase.get(prefix);
      if (tag !== undefined) return tag;
    }
    return undefined;
  };
}

/** @returns the ranges of a header in lower case, the heaviest first; a weight that is none is 1 */
function parseRanges(header: string): readonly { readonly range: string; readonly weight: number }[] {
  const ranges = header.split(',').map((part) => {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) || 1);
    return { range, weight: weight >= 0 && weight <= 1 ? weight : 1 };
  });
  return ranges.filter(({ range }) => range !== '').sort((one, other) => other.weight - one.weight);
}

/**
 * Chooses the first language that matches one of the client's ranges, by weight.
 *
 * @param header `Accept-Language`, if sent
 * @param tags of all languages: if nothing matches, but some are refused (`en;q=0, *`), the first of the others is chosen
 * @returns its tag; `undefined` if the header says nothing about them
 */
export function chooseLanguage(header: string | null, find: TagFinder, tags: readonly string[]): string | undefined {
  // `*` adds nothing: another range, or the default, decides.
  const ranges = parseRanges(header ?? '');
  for (const { range, weight } of ranges) {
    const match = weight > 0 ? find(range) : undefined;
    if (match !== undefined) return match;
  }
  const refusedTags = new Set(ranges.filter(({ weight }) => weight === 0).map(({ range }) => range));
  const remainingTags = tags.filter((tag) => !refusedTags.has(tag.toLowerCase()));
  return remainingTags.length < tags.length ? remainingTags[0] : undefined;
}
