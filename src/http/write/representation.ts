import type { Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Field } from '../../model/field.ts';
import type { FormatName, Nested, Query } from '../../model/query.ts';
import type { Row } from '../../store/port.ts';
import type { HeaderRecord } from '../headers.ts';
import type { Choice } from '../read/accept.ts';

/** How a list is written: its start, each row, what stands between two rows, its end. */
export interface ListFormat {
  readonly start: string;
  /** @param at the row's place in the list, from 0 */
  readonly row: (row: Row, at: number) => string;
  readonly separator: string;
  readonly end: string;
}

/** How what a collection has is written in one format and one language. */
export interface Representation {
  /** Media type, by which `Accept` asks for it. */
  readonly type: string;
  /** What a response says of its content. */
  readonly headers: HeaderRecord;
  /** Ends its entity tags, which differ from those of every other representation. */
  readonly tagMark: string;
}

/** What of an item is written. */
export interface Selection {
  /** In the order of the collection's, the key's first. */
  readonly fields: readonly Field[];
  /** Their rows stand in a row behind its cells, in this order; formats that are tables leave them out. */
  readonly nested: readonly Nested[];
}

export interface ItemRepresentation extends Representation {
  /** Makes the same of other parts of an item, for one request: it takes some microseconds. */
  readonly select: (selection: Selection) => ItemRepresentation;
  readonly item: (row: Row) => string;
}

export interface ListRepresentation extends Representation, Choice<ListRepresentation> {
  readonly name: FormatName;
  readonly select: (selection: Selection) => ListRepresentation;
  readonly list: ListFormat;
  /** Whether rows and responses are kept, to be sent again: of files, which are requested once, they are not. */
  readonly isKept: boolean;
  /** Packs the text of a list, where what is sent is no text. */
  readonly pack?: (text: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array>;
  /** Rows of the longest list; absent where there is no limit. */
  readonly most?: number;
}

/** Makes a representation; see `formats.ts`. */
export type Format<T> = (
  language: Language,
  collection: Collection,
  fields: readonly Field[],
  nested: readonly Nested[],
) => T;

/** @returns where a row of the collection has the cell of a field */
export const placeOf = ({ fields }: Collection, { name }: Field): number =>
  fields.findIndex((field) => field.name === name) + 1;

/** Begins what tells the tags of a selection from those of whole items. */
const SELECTED = '~';

/** @returns what the mark of a representation ends with; nothing where it is of whole items */
export const selectionMark = (
  collection: Collection,
  fields: readonly Field[],
  nested: readonly Nested[] = [],
): string => {
  const isWhole = fields.length === collection.fields.length && nested.length === 0;
  const parts = [...fields.map((field) => placeOf(collection, field)), ...nested.map(({ name }) => name)];
  return isWhole ? '' : SELECTED + parts.join('.');
};

/** @returns whether a mark is that of a representation, whatever parts of an item it selects */
export const isOfSelection = (mark: string, representation: string): boolean =>
  mark === representation || mark.startsWith(representation + SELECTED);

/** @returns whether a mark is that of a representation, or of a selection of its members that has no other items in it */
export const isOfMembers = (mark: string, representation: string): boolean =>
  isOfSelection(mark, representation) && /^[\d.]*$/.test(mark.slice(representation.length + SELECTED.length));

/** @returns the representation that a query asks for */
export const selected = <T extends { readonly select: (selection: Selection) => T }>(
  representation: T,
  { fields }: Collection,
  { fields: asked, include }: Query,
): T => {
  if (!asked && !include) return representation;
  const chosen = asked ? fields.filter((field) => field.isKey || asked.includes(field)) : fields;
  return representation.select({ fields: chosen, nested: include ?? [] });
};

/** @returns where a row has the rows of a nested collection */
export const placeOfNested = ({ fields }: Collection, nested: readonly Nested[], { name }: Nested): number =>
  fields.length + 1 + nested.findIndex((each) => each.name === name);

/** @returns the whole of a list whose rows are rendered already */
export const joinRendered = (
  { start, separator, end }: ListFormat,
  rows: readonly Uint8Array[],
): Uint8Array<ArrayBuffer> => {
  const between = Buffer.from(separator);
  const last = Buffer.from(end);
  let length = Buffer.byteLength(start) + last.length + Math.max(0, rows.length - 1) * between.length;
  for (const row of rows) length += row.length;
  // A part of a shared block would keep the block for as long as the response is cached.
  const all = Buffer.allocUnsafeSlow(length);
  const first = all.write(start);
  let at = first;
  for (const row of rows) {
    if (at > first) {
      all.set(between, at);
      at += between.length;
    }
    all.set(row, at);
    at += row.length;
  }
  all.set(last, at);
  return all;
};

/** @returns the whole of a list whose rows are at hand */
export const writeWhole = ({ start, row, separator, end }: ListFormat, rows: readonly Row[]): string =>
  start + rows.map((each, at) => row(each, at)).join(separator) + end;
