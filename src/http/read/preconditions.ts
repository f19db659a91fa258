import type { Language } from '../../locale/language.ts';
import type { Precondition } from '../../model/precondition.ts';
import { sentence } from '../../texts/phrase.ts';
import { Problem } from '../../texts/problem.ts';

/** What `If-Match` or `If-None-Match` holds (RFC 9110 §13.1): any item at all, or one of these tags. */
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
 * @param tag an answer's strong one
 * @returns whether the client has that answer already
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

/** The entity tags of one language. */
export interface Tags {
  /** Strong: differs by revision, and by language because the words do. */
  readonly ofItem: (revision: number) => string;
  /** Weak: may change more often than the list does. */
  readonly ofList: (change: number) => string;
  /** What a read or write of an item requires, in revisions; `undefined` where the request requires nothing. */
  readonly onItem: (headers: Headers) => Precondition | undefined;
  /** The same for a list, in change numbers: no weak tag matches strongly, so only `*` satisfies `If-Match`. */
  readonly onList: (headers: Headers) => Precondition | undefined;
}

/** @param language whose tree the answers are in */
export const tagsOf = ({ tag: language }: Language): Tags => {
  const suffix = `-${language}`;
  const opaqueOf = (revision: number): string => `${revision}${suffix}`;

  /** Tags of other languages, and texts that are no tag of ours, are the revision of nothing. */
  const revisions = (list: TagList | undefined, comparison: 'strong' | 'weak'): Precondition['match'] => {
    if (list === undefined || list === '*') return list;
    return list
      .filter(({ weak, opaque }) => (comparison === 'weak' || !weak) && opaque.endsWith(suffix))
      .map(({ opaque }) => opaque.slice(0, -suffix.length))
      .filter((digits) => /^(?:0|[1-9]\d*)$/.test(digits))
      .map(Number);
  };
  const reading =
    (matchable: 'any' | 'none') =>
    (headers: Headers): Precondition | undefined => {
      const match = tagList(headers.get('if-match'));
      const noneMatch = tagList(headers.get('if-none-match'));
      if (match === undefined && noneMatch === undefined) return undefined;
      const strong = match === undefined || match === '*' || matchable === 'any' ? match : [];
      return { match: revisions(strong, 'strong'), noneMatch: revisions(noneMatch, 'weak') };
    };
  return {
    ofItem: (revision) => `"${opaqueOf(revision)}"`,
    ofList: (change) => `W/"${opaqueOf(change)}"`,
    onItem: reading('any'),
    onList: reading('none'),
  };
};
