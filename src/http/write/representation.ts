import type { Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Row } from '../../store/port.ts';
import type { HeaderRecord } from '../headers.ts';

/** How a list is written: its start, each row, what stands between two rows, its end. */
export interface ListFormat {
  readonly start: string;
  readonly row: (row: Row) => string;
  readonly separator: string;
  readonly end: string;
}

/** How the items of a collection, and lists of them, are written in one format and one language. */
export interface Representation {
  /** Media type, by which `Accept` asks for it. */
  readonly type: string;
  /** What a response says of its content. */
  readonly headers: HeaderRecord;
  /** Ends its entity tags, which differ from those of every other representation. */
  readonly tagMark: string;
  readonly item: (row: Row) => string;
  readonly list: ListFormat;
}

/** Makes a representation once, at start. */
export type Format = (language: Language, collection: Collection) => Representation;

/** @returns the whole of a list whose rows are at hand */
export const writeWhole = ({ start, row, separator, end }: ListFormat, rows: readonly Row[]): string =>
  start + rows.map(row).join(separator) + end;
