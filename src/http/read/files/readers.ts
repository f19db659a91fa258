import type { Language } from '../../../locale/language.ts';
import type { Collection } from '../../../model/catalogue.ts';
import type { ImportFormat } from '../../../model/import.ts';
import { csvReader, csvRecords } from './csv.ts';
import type { FileReader } from './file-reader.ts';
import { jsonReader, jsonRecords, ndjsonReader } from './json.ts';
import { itemsOf, linesOf } from './json-items.ts';
import type { RecordReader } from './table-file.ts';
import { xlsxReader, xlsxRecords } from './xlsx.ts';

/**
 * @param language whose words the file has
 * @param isSeen whether somebody will see all errors of the next row, not only one; by default they do
 * @returns a reader for each format
 */
export const fileReaders = (
  language: Language,
  collection: Collection,
  isSeen?: () => boolean,
): Readonly<Record<ImportFormat, FileReader>> => ({
  json: jsonReader(language, collection, isSeen),
  ndjson: ndjsonReader(language, collection, isSeen),
  csv: csvReader(language, collection),
  xlsx: xlsxReader(language, collection),
});

/** @returns a reader for each format that reads it as a table, for the file of rejected rows */
export const recordReaders = (
  language: Language,
  collection: Collection,
): Readonly<Record<ImportFormat, RecordReader>> => ({
  json: jsonRecords(language, collection, itemsOf),
  ndjson: jsonRecords(language, collection, linesOf),
  csv: csvRecords(language),
  xlsx: xlsxRecords,
});
