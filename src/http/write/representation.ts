import type { Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Field } from '../../model/field.ts';
import type { FormatName } from '../../model/query.ts';
import type { Row } from '../../store/port.ts';
import type { HeaderRecord } from '../headers.ts';
import type { Choice } from '../read/negotiate.ts';

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

export interface ItemRepresentation extends Representation {
  readonly item: (row: Row) => string;
}

export interface ListRepresentation extends Representation, Choice<ListRepresentation> {
  readonly name: FormatName;
  readonly list: ListFormat;
  /** Whether rows and responses are kept, to be sent again: of files, which are requested once, they are not. */
  readonly isKept: boolean;
  /** Packs the text of a list, where what is sent is no text. */
  readonly pack?: (text: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array>;
  /** Rows of the longest list; absent where there is no limit. */
  readonly most?: number;
}

/** Makes a representation; see `formats.ts`. */
export type Format<T> = (language: Language, collection: Collection, fields: readonly Field[]) => T;

/** @returns where a row of the collection has the cell of a field */
export const placeOf = ({ fields }: Collection, { name }: Field): number =>
  fields.findIndex((field) => field.name === name) + 1;

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
