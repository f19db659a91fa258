import { type HeaderRecord, JSON_TYPE, VARY_TYPE } from '../http/headers.ts';
import type { Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import type { Field } from '../model/field.ts';
import type { Nested } from '../model/query.ts';
import type { ListFormat, Row } from '../port/port.ts';
import { fileHeaders } from './file.ts';
import type { Format, Selection, Written } from './format.ts';

/** How items or lists are written in one format and one language. */
export interface Representation extends Written {
  readonly format: Format;
  readonly type: string;
  /** Headers that describe the content. */
  readonly headers: HeaderRecord;
  /** The suffix of its entity tags, different for every representation. */
  readonly tagMark: string;
  readonly item: (row: Row) => string;
  /** The same format for other parts of an item. It takes some microseconds, so it is made for one request. */
  readonly select: (selection: Selection) => Representation;
  /** The same format for whole items of another collection. */
  readonly of: (collection: Collection) => Representation;
  /** The same format with the parameters of a range of `Accept`. */
  readonly variants?: {
    readonly parameters: Readonly<Record<string, readonly string[]>>;
    readonly make: (asked: ReadonlyMap<string, string>) => Representation;
  };
}

/** @returns the index of a field's cell in a row */
export const cellIndex = ({ fields }: Collection, { name }: Field): number =>
  fields.findIndex((field) => field.name === name) + 1;

/** @returns the index of a nested collection's rows in a row */
export const nestedIndex = ({ fields }: Collection, nested: readonly Nested[], { name }: Nested): number =>
  fields.length + 1 + nested.findIndex((each) => each.name === name);

/** The first character of the part of a mark that identifies a selection. */
const SELECTED = '~';

/** @returns the part of a mark that identifies a selection; empty for whole items */
const selectionMark = (collection: Collection, { fields, nested }: Selection): string => {
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

/** @param asked the parameters of the range of `Accept` */
export const represent = (
  format: Format,
  language: Language,
  collection: Collection,
  selection: Selection = { fields: collection.fields, nested: [] },
  asked: ReadonlyMap<string, string> = new Map(),
): Representation => {
  const { name, type, contentType = type, isFile, parameters } = format;
  const written = format.write({ language, collection, ...selection, asked });
  const marks = Object.keys(parameters ?? {}).flatMap((each) => asked.get(each) ?? []);
  return {
    ...written,
    format,
    type,
    headers: {
      'Content-Type': contentType,
      'Content-Language': language.tag,
      ...VARY_TYPE,
      ...(isFile ? fileHeaders(language, collection, name) : {}),
    },
    tagMark:
      [language.tag, ...(type === JSON_TYPE ? [] : [name]), ...marks].join('.') + selectionMark(collection, selection),
    item: (row) => written.list.row(row, 0),
    select: (other) => represent(format, language, collection, other, asked),
    of: (other) => represent(format, language, other, undefined, asked),
    ...(parameters && {
      variants: { parameters, make: (other) => represent(format, language, collection, selection, other) },
    }),
  };
};

/** @returns a complete list of rows */
export const writeWhole = ({ start, row, separator, end }: ListFormat, rows: readonly Row[]): string =>
  start + rows.map((each, at) => row(each, at)).join(separator) + end;
