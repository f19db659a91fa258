import { fold } from '../../../packages/vocabularies/src/words.ts';
import type { HeaderRecord } from '../http/context.ts';
import { type Language, unitKey } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import type { Charset } from '../model/csv.ts';
import type { Field } from '../model/field.ts';
import type { Included } from '../model/query.ts';
import { knownUnits } from '../model/units.ts';
import type { Row } from '../port/port.ts';

export interface Selection {
  /** In the order of the collection's fields, the key's first. */
  readonly fields: readonly Field[];
  /** The included collections, whose values follow the cells of a row in this order; none if the format cannot nest items. */
  readonly included: readonly Included[];
}

export interface Content extends Selection {
  readonly language: Language;
  readonly collection: Collection;
  /** The parameters of the range of `Accept` that asks for the format. */
  readonly typeParameters: ReadonlyMap<string, string>;
}

export interface ListFormat {
  readonly start: string;
  readonly row: (row: Row, at: number) => string;
  readonly separator: string;
  readonly end: string;
  /** A list without rows; by default its start and its end. */
  readonly empty?: string;
}

export interface RowWriter {
  readonly list: ListFormat;
  readonly pack?: (text: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array>;
}

export interface Format {
  /** The value of `format` in every language, and the extension of files. */
  readonly name: string;
  readonly synonyms?: readonly string[];
  readonly type: string;
  readonly contentType?: string;
  readonly parameters?: Readonly<Record<string, readonly string[]>>;
  /** Whether items are written in it, too, each as it is in a list. */
  readonly isOfItems: boolean;
  readonly isFile: boolean;
  /** Whether an item can contain others; in a table it cannot. */
  readonly nests: boolean;
  /** Set to `false` if the same rows may make other bytes: then responses have no entity tag. */
  readonly isPure?: false;
  /** The most rows of a list; absent if there is no limit. */
  readonly maxRows?: number;
  readonly write: (content: Content) => RowWriter;
  /** How files are read; absent if the format cannot be imported. */
  readonly reading?: {
    /** Charsets of a text file; absent if a file declares its own. */
    readonly charsets?: readonly Charset[];
    /** Milliseconds of CPU for each byte as it is sent: some ten times as much as good files take. */
    readonly cpuPerByte: number;
  };
}

export type ReadableFormat = Format & Required<Pick<Format, 'reading'>>;

/** A representation that a client can choose by its media type (RFC 9110 §12.5.1). */
export interface Choice<T> {
  readonly type: string;
  /** Variants of the representation that have the same type; the parameters of a range select one. */
  readonly variants?: {
    readonly parameters: NonNullable<Format['parameters']>;
    readonly make: (typeParameters: ReadonlyMap<string, string>) => T;
  };
}

export type Choices<T> = readonly [T, ...T[]];

export interface Representation extends RowWriter, Choice<Representation> {
  readonly format: Format;
  readonly headers: HeaderRecord;
  /** The suffix of its entity tags, different for every representation. */
  readonly tagMark: string;
  readonly withSelection: (collection: Collection, selection?: Selection) => Representation;
}

/** @returns the header that makes browsers save a list as a file, with a name in the language (RFC 6266, RFC 8187 §3.2.1) */
function fileHeaders(language: Language, { name, parent }: Collection, extension: string): HeaderRecord {
  const file = `${language.paths(parent).word(name)}.${extension}`;
  // For clients that support no other.
  const ascii = fold(file).replaceAll(/[^\w.-]+/g, '_');
  const encoded = encodeURIComponent(file).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  const extended = ascii === file ? '' : `; filename*=UTF-8''${encoded}`;
  return { 'Content-Disposition': `attachment; filename="${ascii}"${extended}` };
}

export function cellIndex({ fields }: Collection, { name }: Field): number {
  return fields.findIndex((field) => field.name === name) + 1;
}

const SELECTED = '~';

function selectionMark({ units }: Language, collection: Collection, { fields, included }: Selection): string {
  const isWhole = fields.length === collection.fields.length && included.length === 0;
  const parts = [...fields.map((field) => cellIndex(collection, field)), ...included.map(({ name }) => name)];
  const inUnits = collection.fields.map((field) => {
    const unit = units.get(unitKey(collection, field));
    return unit === undefined ? '' : `..${cellIndex(collection, field)}.${knownUnits(field).indexOf(unit)}`;
  });
  const mark = (isWhole ? '' : parts.join('.')) + inUnits.join('');
  return mark === '' ? '' : SELECTED + mark;
}

/** Headers of a response in other units than those of its language. */
const IN_UNITS: HeaderRecord = { Vary: 'Accept, Prefer', 'Preference-Applied': 'units' };

export function isOfSelection(mark: string, representation: string): boolean {
  return mark === representation || mark.startsWith(representation + SELECTED);
}

/** @returns whether a mark is that of a representation, with any selection of members but without other items */
export function isOfMembers(mark: string, representation: string): boolean {
  return isOfSelection(mark, representation) && /^[\d.]*$/.test(mark.slice(representation.length + SELECTED.length));
}

export function createRepresentation(
  format: Format,
  language: Language,
  collection: Collection,
  selection: Selection = { fields: collection.fields, included: [] },
  typeParameters: ReadonlyMap<string, string> = new Map(),
): Representation {
  const { name, type, contentType = type, isFile, parameters } = format;
  const marks = Object.keys(parameters ?? {}).flatMap((parameter) => typeParameters.get(parameter) ?? []);
  const mark = [language.tag, ...(type === 'application/json' ? [] : [name]), ...marks].join('.');
  return {
    ...format.write({ language, collection, ...selection, typeParameters }),
    format,
    type,
    headers: {
      'Content-Type': contentType,
      'Content-Language': language.tag,
      ...(language.units.size > 0 ? IN_UNITS : { Vary: 'Accept' }),
      ...(isFile ? fileHeaders(language, collection, name) : {}),
    },
    tagMark: mark + selectionMark(language, collection, selection),
    withSelection: (other, parts) => createRepresentation(format, language, other, parts, typeParameters),
    ...(parameters && {
      variants: { parameters, make: (values) => createRepresentation(format, language, collection, selection, values) },
    }),
  };
}
