import type { Language } from '../../../locale/language.ts';
import type { Collection } from '../../../model/catalogue.ts';
import { csvSplitter } from './csv-records.ts';
import { type FileReader, inChunks } from './file-reader.ts';
import { tableReader } from './table.ts';
import { textOf } from './text.ts';

/** CSV with a header, whatever stands between two cells. */
export const csv = (language: Language, collection: Collection): FileReader =>
  async function* read(body, charset = 'utf-8') {
    const splitter = csvSplitter();
    const table = tableReader(language, collection);
    for await (const text of textOf(body, charset, splitter.row)) yield* inChunks(table.rows(splitter.push(text)));
    yield* inChunks(table.rows(splitter.end()));
    table.end();
  };
