import { type HeaderRecord, JSON_TYPE, VARY_TYPE } from '../http/headers.ts';
import type { Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import type { Field } from '../model/field.ts';
import { fold } from '../model/search/fold.ts';
import type { Format, Selection, Written } from './format.ts';

/** Encodes a text for a header (RFC 8187 §3.2.1), with some characters that `encodeURIComponent` leaves unchanged. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** @returns an ASCII file name without escapes, for clients that support no other */
const plain = (text: string): string => fold(text).replaceAll(/[^\w.-]+/g, '_');

/**
 * @param extension without its dot
 * @returns the header that makes browsers save a list as a file, with a name in the language (RFC 6266)
 */
const fileHeaders = (language: Language, { name, parent }: Collection, extension: string): HeaderRecord => {
  const file = `${language.paths(parent).word(name)}.${extension}`;
  const ascii = plain(file);
  const extended = ascii === file ? '' : `; filename*=UTF-8''${encode(file)}`;
  return { 'Content-Disposition': `attachment; filename="${ascii}"${extended}` };
};

/** A representation that a client can choose by its media type (RFC 9110 §12.5.1). */
export interface Choice<T> {
  readonly type: string;
  /** Variants of the representation that have the same type; the parameters of a range select one. */
  readonly variants?: {
    /** The values of each parameter. */
    readonly parameters: Readonly<Record<string, readonly string[]>>;
    readonly make: (asked: ReadonlyMap<string, string>) => T;
  };
}

/** How items or lists are written in one format and one language. */
export interface Representation extends Written, Choice<Representation> {
  readonly format: Format;
  /** Headers of a response with it, besides the common ones. */
  readonly headers: HeaderRecord;
  /** The suffix of its entity tags, different for every representation. */
  readonly tagMark: string;
  /** The same for other parts of items, or for whole ones of another collection. It takes some microseconds, for one request. */
  readonly of: (collection: Collection, selection?: Selection) => Representation;
}

/** @returns the index of a field's cell in a row */
export const cellIndex = ({ fields }: Collection, { name }: Field): number =>
  fields.findIndex((field) => field.name === name) + 1;

/** The first character of the part of a mark that identifies a selection. */
const SELECTED = '~';

/** @returns the part of a mark that identifies a selection; empty for whole items */
const selectionMark = (collection: Collection, { fields, included }: Selection): string => {
  const isWhole = fields.length === collection.fields.length && included.length === 0;
  const parts = [...fields.map((field) => cellIndex(collection, field)), ...included.map(({ name }) => name)];
  return isWhole ? '' : SELECTED + parts.join('.');
};

/** @returns whether a mark belongs to a representation, with any selection */
export const isOfSelection = (mark: string, representation: string): boolean =>
  mark === representation || mark.startsWith(representation + SELECTED);

/** @returns whether a mark belongs to a representation, with any selection of members but without other items */
export const isOfMembers = (mark: string, representation: string): boolean =>
  isOfSelection(mark, representation) && /^[\d.]*$/.test(mark.slice(representation.length + SELECTED.length));

/** @param asked the parameters of the range of `Accept` */
export const represent = (
  format: Format,
  language: Language,
  collection: Collection,
  selection: Selection = { fields: collection.fields, included: [] },
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
    of: (other, parts) => represent(format, language, other, parts, asked),
    ...(parameters && {
      variants: { parameters, make: (other) => represent(format, language, collection, selection, other) },
    }),
  };
};
