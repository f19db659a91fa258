import { decodeChange } from '../http/exchange.ts';
import type { Condition, Precondition } from '../model/precondition.ts';
import { sentence } from '../texts/phrase.ts';
import { headerProblem, type Problem } from '../texts/problem.ts';

const SINCE = 'If-Unmodified-Since';
const headerOf = { match: 'If-Match', noneMatch: 'If-None-Match' } as const satisfies Record<Condition, string>;

/** What `If-Match` or `If-None-Match` contains (RFC 9110 §13.1): `*` for any item, or tags. */
type TagList = '*' | readonly { readonly weak: boolean; readonly opaque: string }[];

const ENTITY_TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

const TAGS = /^[\t ,]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[\t ]*(?:,[\t ,]*|$))+$/;

/** @returns the tags of a header; none for a malformed one, so that it never matches by accident */
const tagList = (header: string | null): TagList | undefined => {
  if (header === null) return undefined;
  if (header.trim() === '*') return '*';
  if (!TAGS.test(header)) return [];
  return [...header.matchAll(ENTITY_TAG)].map(([, weak, opaque = '']) => ({ weak: weak !== undefined, opaque }));
};

const unmetPhrases = { match: 'precondition-failed', noneMatch: 'precondition-excluded' } as const;

export const preconditionFailed = (condition: Condition): Problem =>
  headerProblem(headerOf[condition], 'precondition-failed', sentence(unmetPhrases[condition], {}));

/** A tag of this service without its quotation marks. */
const BARE = /^[\w.-]+$/;

/** @throws Problem `invalid-header` where a write has a condition that cannot be evaluated */
export const checkConditions = (headers: Headers): void => {
  for (const header of Object.values(headerOf)) {
    const value = headers.get(header);
    if (value === null || value.trim() === '*' || TAGS.test(value)) continue;
    const suggestion = BARE.test(value) ? `"${value}"` : undefined;
    throw headerProblem(header, 'invalid-header', sentence('entity-tags-invalid', { header }), { value, suggestion });
  }
  const since = headers.get(SINCE);
  // RFC 9110 §13.1.4: `If-Match` takes its place.
  if (since === null || headers.get(headerOf.match) !== null) return;
  throw headerProblem(SINCE, 'invalid-header', sentence('no-dates', {}), { value: since, suggestion: headerOf.match });
};

/** @returns the tags in both headers */
const listsIn = (headers: Headers) => ({
  match: tagList(headers.get(headerOf.match)),
  noneMatch: tagList(headers.get(headerOf.noneMatch)),
});

/**
 * @param tag of the response; `undefined` where it must not be kept
 * @returns whether the client already has that response
 * @throws Problem `precondition-failed` where `If-Match` names another one, as it always does where the tag is weak
 */
export const isNotModified = (headers: Headers, tag: string | undefined): boolean => {
  const { match, noneMatch } = listsIn(headers);
  if (match !== undefined && match !== '*' && !match.some(({ weak, opaque }) => !weak && `"${opaque}"` === tag)) {
    throw preconditionFailed('match');
  }
  if (tag === undefined || noneMatch === undefined) return false;
  const strong = tag.replace(/^W\//, '');
  return noneMatch === '*' || noneMatch.some(({ opaque }) => `"${opaque}"` === strong);
};

type MarkTest = (mark: string) => boolean;

/** @returns the revisions in tags; none for a tag of another representation, or of another service */
const revisions = (list: TagList | undefined, isCounted: MarkTest): Precondition['match'] => {
  if (list === undefined || list === '*') return list;
  return list.flatMap(({ opaque }) => {
    const [, digits = '', mark = ''] = /^([0-9a-z]+)\.(.*)$/.exec(opaque) ?? [];
    return (isCounted(mark) ? decodeChange(digits) : undefined) ?? [];
  });
};

/**
 * @param isCounted whether a tag with this mark counts
 * @returns the preconditions of a write in terms of revisions; `undefined` where it has none
 */
export const itemPrecondition = (headers: Headers, isCounted: MarkTest): Precondition | undefined => {
  const { match, noneMatch } = listsIn(headers);
  if (match === undefined && noneMatch === undefined) return undefined;
  // A weak tag never matches strongly, as `If-Match` must.
  const strong = match === '*' ? match : match?.filter(({ weak }) => !weak);
  return { match: revisions(strong, isCounted), noneMatch: revisions(noneMatch, isCounted) };
};
