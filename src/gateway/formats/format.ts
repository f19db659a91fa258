import type { Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import type { Field } from '../model/field.ts';
import type { Included } from '../model/references.ts';
import type { ListFormat } from '../port/port.ts';
import type { FileReaders } from '../read/files/file-reader.ts';
import type { Charset } from '../read/files/text.ts';

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
  readonly load: () => Promise<FileReaders>;
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
