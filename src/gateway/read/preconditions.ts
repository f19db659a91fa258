import type { Condition, Precondition } from '../model/precondition.ts';
import { sentence } from '../texts/phrase.ts';
import type { Problem } from '../texts/problem.ts';
import { headerProblem } from './header-problem.ts';

const SINCE = 'If-Unmodified-Since';

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

const headerOf = { match: 'If-Match', noneMatch: 'If-None-Match' } as const satisfies Record<Condition, string>;

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

/**
 * @param tag the strong tag of a response
 * @returns whether the client already has that response
 * @throws Problem `precondition-failed` where `If-Match` names another one
 */
export const isNotModified = (headers: Headers, tag: string): boolean => {
  const match = tagList(headers.get('if-match'));
  const noneMatch = tagList(headers.get('if-none-match'));
  if (match !== undefined && match !== '*' && !match.some(({ weak, opaque }) => !weak && `"${opaque}"` === tag)) {
    throw preconditionFailed('match');
  }
  return noneMatch === '*' || (noneMatch?.some(({ opaque }) => `"${opaque}"` === tag) ?? false);
};

/** Change numbers are long: base 36 makes them nine characters for years to come. */
const RADIX = 36;

/** @returns the strong tag of an item in the representation that has this mark */
export const itemTag = (revision: number, mark: string): string => `"${revision.toString(RADIX)}.${mark}"`;

/** @returns the mark of an item with its nested items; like the tag of a list, it changes with every commit */
export const nestedMark = (mark: string, change: number): string => `${mark}.${change.toString(RADIX)}`;

/** @returns the weak tag of a list, which may change more often than the list does */
export const listTag = (change: number, mark: string): string => `W/"${change.toString(RADIX)}.${mark}"`;

type MarkTest = (mark: string) => boolean;

/** @returns the revision in a tag; `undefined` where it is of another representation, or not a tag of this service */
const revisionOf = (opaque: string, isCounted: MarkTest): number | undefined => {
  const [, digits = '', mark = ''] = /^([0-9a-z]+)\.(.*)$/.exec(opaque) ?? [];
  const revision = Number.parseInt(digits, RADIX);
  return isCounted(mark) && revision.toString(RADIX) === digits ? revision : undefined;
};

const revisions = (
  list: TagList | undefined,
  isCounted: MarkTest,
  comparison: 'strong' | 'weak',
): Precondition['match'] => {
  if (list === undefined || list === '*') return list;
  return list
    .filter(({ weak }) => comparison === 'weak' || !weak)
    .map(({ opaque }) => revisionOf(opaque, isCounted))
    .filter((revision) => revision !== undefined);
};

/**
 * @param isCounted whether a tag with this mark counts
 * @returns the preconditions of a request in terms of revisions; `undefined` where it has none
 */
export const itemPrecondition = (headers: Headers, isCounted: MarkTest): Precondition | undefined => {
  const match = tagList(headers.get('if-match'));
  const noneMatch = tagList(headers.get('if-none-match'));
  if (match === undefined && noneMatch === undefined) return undefined;
  return { match: revisions(match, isCounted, 'strong'), noneMatch: revisions(noneMatch, isCounted, 'weak') };
};

/** The same for a list, in terms of change numbers: weak tags never match strongly, so only `*` satisfies `If-Match`. */
export const listPrecondition = (headers: Headers, isCounted: MarkTest): Precondition | undefined => {
  const required = itemPrecondition(headers, isCounted);
  if (required?.match === undefined || required.match === '*') return required;
  return { ...required, match: [] };
};
