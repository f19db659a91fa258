import { fold } from '../../../packages/vocabularies/src/words.ts';
import type { HeaderRecord } from '../http/context.ts';
import { JSON_TYPE, VARY_TYPE } from '../http/respond.ts';
import type { Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import type { Charset } from '../model/csv.ts';
import type { Field } from '../model/field.ts';
import type { Included } from '../model/references.ts';
import type { ListFormat } from '../port/port.ts';

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

/** The parts of an item to write. */
export interface Selection {
  /** In the order of the collection's fields, the key's first. */
  readonly fields: readonly Field[];
  /** What follows the cells of a row, in this order; nothing where the format has no place for items within items. */
  readonly included: readonly Included[];
}

/** What a list is written from. */
export interface Content extends Selection {
  readonly language: Language;
  readonly collection: Collection;
  /** The parameters of the range of `Accept` that asks for the format. */
  readonly asked: ReadonlyMap<string, string>;
}

export interface Written {
  readonly list: ListFormat;
  /** Packs the text of a list, where the format is binary. */
  readonly pack?: (text: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array>;
}

/** How a format is read. */
interface Reading {
  /** Charsets of a text file; absent where a file declares its own. */
  readonly charsets?: readonly Charset[];
  /** Milliseconds of CPU for each byte as it is sent: some ten times as much as good files take. */
  readonly cpuPerByte: number;
}

/** A format of lists: all that the service knows of it. */
export interface Format {
  /** The value of `format` in every language, and the extension of files. */
  readonly name: string;
  /** What other services call it. */
  readonly synonyms?: readonly string[];
  /** Media type, by which `Accept` and `Content-Type` name it. */
  readonly type: string;
  /** The type with its parameters, where it has any. */
  readonly contentType?: string;
  /** Parameters of a range of `Accept`, each with its values. */
  readonly parameters?: Readonly<Record<string, readonly string[]>>;
  /** Whether items are written in it, too, each as it is in a list. */
  readonly isOfItems: boolean;
  /** Whether browsers save it; what is saved is requested once, so its rows are not worth keeping. */
  readonly isFile: boolean;
  /** Whether an item can contain others; in a table it cannot. */
  readonly nests: boolean;
  /** Whether the same rows always make the same bytes: what is not pure has no entity tag. */
  readonly isPure: boolean;
  /** The most rows of a list; absent where there is no limit. */
  readonly maxRows?: number;
  readonly write: (content: Content) => Written;
  /** Absent where it cannot be imported. */
  readonly reading?: Reading;
}

/** A format of files that can be imported. */
export type ReadableFormat = Format & { readonly reading: Reading };
