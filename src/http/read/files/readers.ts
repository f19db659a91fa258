import type { Language } from '../../../locale/language.ts';
import type { Collection } from '../../../model/catalogue.ts';
import type { ImportFormat } from '../../../model/import.ts';
import { csvReader, csvRecords } from './csv.ts';
import type { FileReader } from './file-reader.ts';
import { itemsIn, jsonReader, jsonRecords, ndjsonReader, valuesIn } from './json.ts';
import type { RecordReader } from './table-file.ts';
import { xlsxReader, xlsxRecords } from './xlsx.ts';

/**
 * @param language whose words the file has
 * @param limit bytes of a JSON array, which is read whole before its first row
 * @returns a reader for each format
 */
export const fileReaders = (
  language: Language,
  collection: Collection,
  limit: number,
): Readonly<Record<ImportFormat, FileReader>> => ({
  json: jsonReader(language, collection, limit),
  ndjson: ndjsonReader(language, collection),
  csv: csvReader(language, collection),
  xlsx: xlsxReader(language, collection),
});

/** @returns a reader for each format that reads it as a table, for the file of rejected rows */
export const recordReaders = (
  language: Language,
  collection: Collection,
  limit: number,
): Readonly<Record<ImportFormat, RecordReader>> => ({
  json: jsonRecords(language, collection, itemsIn(limit)),
  ndjson: jsonRecords(language, collection, valuesIn),
  csv: csvRecords(language),
  xlsx: xlsxRecords,
});
