/** Texts that people write in several ways, such as plates: blanks, hyphens, dots and case make no difference. */
import type { Collection } from './catalogue.ts';
import type { Cell, Field } from './field.ts';
import { fold } from './search.ts';

/** What is left out: every blank, hyphen and dot, but control characters, which no key has. Stores leave out the same ones. */
export const LEFT_OUT =
  ' \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff.-\u00ad\u2010\u2011\u2012\u2013\u2014\u2015\u2212';
const ALL_LEFT_OUT = new RegExp(`[${LEFT_OUT.replace('-', '\\-')}]`, 'gu');

export const compact = (text: string): string => fold(text).replaceAll(ALL_LEFT_OUT, '');

/** @returns a cell in the form that filters, sorts, totals and uniqueness compare */
export const comparedCell = ({ compact: isCompact }: Pick<Field, 'compact'>, cell: Cell): Cell => {
  if (typeof cell !== 'string') return cell;
  return isCompact ? compact(cell) : fold(cell);
};

/** @returns the text that identifies an item: two keys with the same one are one key */
export const keyId = ({ compact: isCompact }: Pick<Field, 'compact'>, key: string): string =>
  isCompact ? compact(key) : key;

/** @returns whether an item of the collection has several addresses, as its key or that of its parent can be written in several ways */
export const hasCompactKey = ({ key, parent }: Collection): boolean =>
  key.compact === true || parent?.key.compact === true;

/** @returns the keys in the form that identifies an item, from the top down: for an item itself, or for the parents of a list */
export const keyIds = (collection: Collection, keys: readonly string[]): readonly string[] => {
  if (!hasCompactKey(collection)) return keys;
  const path = collection.parent ? [collection.parent, collection] : [collection];
  return keys.map((key, depth) => keyId(path[depth]?.key ?? {}, key));
};
