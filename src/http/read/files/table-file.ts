import type { Language } from '../../../locale/language.ts';
import type { Collection } from '../../../model/catalogue.ts';
import { type FileReader, inChunks } from './file-reader.ts';
import { type TableRecord, tableReader } from './table.ts';
import type { Charset } from './text.ts';

/** Reads a file as a table of texts, the header included. Throws a Problem where the file as a whole is invalid. */
export type RecordReader = (
  body: AsyncIterable<Uint8Array>,
  charset?: Charset,
) => AsyncGenerator<readonly TableRecord[], void, undefined>;

/** @returns a reader of a file that is a table */
export const tableFile = (language: Language, collection: Collection, records: RecordReader): FileReader =>
  async function* read(body, charset, clearsEmpty = false) {
    const table = tableReader(language, collection, clearsEmpty);
    for await (const some of records(body, charset)) yield* inChunks(some, table.rows);
    table.end();
  };
