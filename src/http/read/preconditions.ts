import type { Precondition } from '../../model/precondition.ts';
import { sentence } from '../../texts/phrase.ts';
import { Problem } from '../../texts/problem.ts';

/** What `If-Match` or `If-None-Match` contains (RFC 9110 §13.1): `*` for any item, or tags. */
type TagList = '*' | readonly { readonly weak: boolean; readonly opaque: string }[];

const ENTITY_TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

const TAGS = /^[\t ,]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[\t ]*(?:,[\t ,]*|$))+$/;

/** A header that is no list of tags is a list of none: it must not match by accident. */
const tagList = (header: string | null): TagList | undefined => {
  if (header === null) return undefined;
  if (header.trim() === '*') return '*';
  if (!TAGS.test(header)) return [];
  return [...header.matchAll(ENTITY_TAG)].map(([, weak, opaque = '']) => ({ weak: weak !== undefined, opaque }));
};

export const preconditionFailed = (): Problem =>
  new Problem('precondition-failed', sentence('precondition-failed', {}));

/**
 * @param tag the strong one of a response
 * @returns whether the client has that response already
 * @throws Problem `precondition-failed` where it asks for another one
 */
export const isNotModified = (headers: Headers, tag: string): boolean => {
  const match = tagList(headers.get('if-match'));
  const noneMatch = tagList(headers.get('if-none-match'));
  if (match !== undefined && match !== '*' && !match.some(({ weak, opaque }) => !weak && `"${opaque}"` === tag)) {
    throw preconditionFailed();
  }
  return noneMatch === '*' || (noneMatch?.some(({ opaque }) => `"${opaque}"` === tag) ?? false);
};

/** Change numbers are long: in base 36 they take nine characters for years to come. */
const RADIX = 36;

/** @returns the strong tag of an item in one representation, which `mark` tells from the others */
export const itemTag = (revision: number, mark: string): string => `"${revision.toString(RADIX)}.${mark}"`;

/** @returns the end of the tag of an item that has others in it: like a list's it changes with every commit */
export const nestedMark = (mark: string, change: number): string => `${mark}.${change.toString(RADIX)}`;

/** @returns the weak tag of a list, which may change more often than the list does */
export const listTag = (change: number, mark: string): string => `W/"${change.toString(RADIX)}.${mark}"`;

type MarkTest = (mark: string) => boolean;

/** Tags of other representations, and texts that are no tag of ours, are the revision of nothing. */
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
 * @param isCounted of the mark of a tag, whether tags of that representation count
 * @returns what a request requires of an item, in revisions; `undefined` where it requires nothing
 */
export const itemPrecondition = (headers: Headers, isCounted: MarkTest): Precondition | undefined => {
  const match = tagList(headers.get('if-match'));
  const noneMatch = tagList(headers.get('if-none-match'));
  if (match === undefined && noneMatch === undefined) return undefined;
  return { match: revisions(match, isCounted, 'strong'), noneMatch: revisions(noneMatch, isCounted, 'weak') };
};

/** The same for a list, in change numbers: no weak tag matches strongly, so only `*` satisfies `If-Match`. */
export const listPrecondition = (headers: Headers, isCounted: MarkTest): Precondition | undefined => {
  const required = itemPrecondition(headers, isCounted);
  if (required?.match === undefined || required.match === '*') return required;
  return { ...required, match: [] };
};
