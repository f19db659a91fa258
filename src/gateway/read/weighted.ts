/** Headers whose members have weights, and the languages of `Accept-Language`. */

const endOfMember = (header: string, start: number): number => {
  let isQuoted = false;
  for (let at = start; at < header.length; at++) {
    const character = header[at];
    if (isQuoted && character === '\\') at++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (character === ',' && !isQuoted) return at;
  }
  return header.length;
};

const WEIGHT = /;[\t ]*q[\t ]*=[\t ]*([^;\t ]*)/i;

/** @returns the weight among parameters, from 0 to 1; 1 where there is none or it is not a number */
const weightIn = (parameters: string): number => {
  const sent = WEIGHT.exec(parameters)?.[1];
  const weight = sent ? Number(sent) : 1;
  return Number.isNaN(weight) ? 1 : Math.min(Math.max(weight, 0), 1);
};

/**
 * The members of a header such as `Accept`, in their order, each with its weight (RFC 9110 §12.4.2) and its parameters. A
 * generator, because a header may have eight thousand of them.
 */
export function* weightedMembers(
  header: string,
): Generator<readonly [member: string, weight: number, parameters: string]> {
  for (let start = 0; start < header.length; ) {
    const end = endOfMember(header, start);
    const text = header.slice(start, end);
    const semicolon = text.indexOf(';');
    const member = (semicolon === -1 ? text : text.slice(0, semicolon)).trim();
    const parameters = semicolon === -1 ? '' : text.slice(semicolon);
    if (member !== '') yield [member, parameters === '' ? 1 : weightIn(parameters), parameters];
    start = end + 1;
  }
}

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
  const known = new Map(tags.map((tag) => [tag.toLowerCase(), tag]));
  return (range) => {
    if (range.length > LONGEST_RANGE) return undefined;
    for (let wanted = range.toLowerCase(); wanted !== ''; wanted = shorten(wanted)) {
      const found = known.get(wanted);
      if (found !== undefined) return found;
    }
    return undefined;
  };
};

/**
 * Chooses a language for a URL outside the trees: the first that matches one of the client's ranges, by weight.
 *
 * @param header `Accept-Language`, if sent
 * @param tags of all languages: where nothing matches, but some are refused (`en;q=0, *`), the first of the others is chosen
 * @returns its tag; `undefined` where the header says nothing about them
 */
export const chooseLanguage = (header: string | null, find: TagFinder, tags: readonly string[]): string | undefined => {
  if (!header) return undefined;
  const refused = new Set<string>();
  let chosen: string | undefined;
  let heaviest = 0;
  // `*` adds nothing: another range, or the default, decides.
  for (const [range, weight] of weightedMembers(header)) {
    if (weight === 0) refused.add(range.toLowerCase());
    const found = weight > heaviest ? find(range) : undefined;
    if (found === undefined) continue;
    chosen = found;
    heaviest = weight;
  }
  const left = tags.filter((tag) => !refused.has(tag.toLowerCase()));
  return chosen ?? (left.length < tags.length ? left[0] : undefined);
};
