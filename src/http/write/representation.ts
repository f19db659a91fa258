import type { Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Field } from '../../model/field.ts';
import type { FormatName, Nested, Query } from '../../model/query.ts';
import type { ListFormat, Row } from '../../store/port.ts';
import type { HeaderRecord } from '../headers.ts';
import type { Choice } from '../read/accept.ts';

/** How items or lists are written in one format and one language. */
export interface Representation {
  /** Whether an item can contain others; formats that are tables cannot. */
  readonly nests: boolean;
  /** Media type, by which `Accept` asks for it. */
  readonly type: string;
  /** Headers that describe the content. */
  readonly headers: HeaderRecord;
  /** The suffix of its entity tags, different for every representation. */
  readonly tagMark: string;
}

/** The parts of an item to write. */
interface Selection {
  /** In the order of the collection's fields, the key's first. */
  readonly fields: readonly Field[];
  /** Nested collections, whose items follow the cells of a row in this order; formats that are tables leave them out. */
  readonly nested: readonly Nested[];
}

export interface ItemRepresentation extends Representation {
  /** The same format for other parts of an item. It takes some microseconds, so it is made for one request. */
  readonly select: (selection: Selection) => ItemRepresentation;
  readonly item: (row: Row) => string;
}

export interface ListRepresentation extends Representation, Choice<ListRepresentation> {
  readonly name: FormatName;
  readonly select: (selection: Selection) => ListRepresentation;
  readonly list: ListFormat;
  /** Whether its rows are worth keeping as they are written; those of files, which are requested once, are not. */
  readonly isKept: boolean;
  /** Packs the text of a list, where the format is binary. */
  readonly pack?: (text: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array>;
  /** The most rows of a list; absent where there is no limit. */
  readonly maxRows?: number;
}

/** Makes a representation; see `formats/formats.ts`. */
export type Format<T> = (
  language: Language,
  collection: Collection,
  fields: readonly Field[],
  nested: readonly Nested[],
) => T;

/** @returns the index of a field's cell in a row */
export const cellIndex = ({ fields }: Collection, { name }: Field): number =>
  fields.findIndex((field) => field.name === name) + 1;

/** The first character of the part of a mark that identifies a selection. */
const SELECTED = '~';

/** @returns the part of a mark that identifies a selection; empty for whole items */
export const selectionMark = (
  collection: Collection,
  fields: readonly Field[],
  nested: readonly Nested[] = [],
): string => {
  const isWhole = fields.length === collection.fields.length && nested.length === 0;
  const parts = [...fields.map((field) => cellIndex(collection, field)), ...nested.map(({ name }) => name)];
  return isWhole ? '' : SELECTED + parts.join('.');
};

/** @returns whether a mark belongs to a representation, with any selection */
export const isOfSelection = (mark: string, representation: string): boolean =>
  mark === representation || mark.startsWith(representation + SELECTED);

/** @returns whether a mark belongs to a representation, with any selection of members but without nested items */
export const isOfMembers = (mark: string, representation: string): boolean =>
  isOfSelection(mark, representation) && /^[\d.]*$/.test(mark.slice(representation.length + SELECTED.length));

/** A representation that can be limited to parts of an item. */
export type Selectable<T> = Representation & { readonly select: (selection: Selection) => T };

/** @returns the representation that a query asks for */
export const selected = <T extends Selectable<T>>(
  representation: T,
  { fields }: Collection,
  { fields: asked, include }: Query,
): T => {
  if (!asked && !include) return representation;
  const chosen = asked ? fields.filter((field) => field.isKey || asked.includes(field)) : fields;
  return representation.select({ fields: chosen, nested: include ?? [] });
};

/** @returns the index of a nested collection's rows in a row */
export const nestedIndex = ({ fields }: Collection, nested: readonly Nested[], { name }: Nested): number =>
  fields.length + 1 + nested.findIndex((each) => each.name === name);

/** @returns a complete list of rows */
export const writeWhole = ({ start, row, separator, end }: ListFormat, rows: readonly Row[]): string =>
  start + rows.map((each, at) => row(each, at)).join(separator) + end;
