import type { Language } from '../../../locale/language.ts';
import type { Collection } from '../../../model/catalogue.ts';
import { csvSplitter } from './csv-records.ts';
import type { FileReader } from './file-reader.ts';
import { type RecordReader, tableFile } from './table-file.ts';
import { textOf } from './text.ts';

export const csvRecords = ({ csv }: Language): RecordReader =>
  async function* read(body, charset = 'utf-8') {
    const splitter = csvSplitter(csv.delimiter);
    for await (const text of textOf(body, charset, splitter.row)) yield splitter.push(text);
    yield splitter.end();
  };

/** Reads CSV with a header, with any of the delimiters. */
export const csvReader = (language: Language, collection: Collection): FileReader =>
  tableFile(language, collection, csvRecords(language));
