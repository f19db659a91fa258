import type { Language } from '../../locale/language.ts';
import { type FileReaders, inChunks, type RecordReader } from './file-reader.ts';
import { tableReader } from './table.ts';

/** @returns the readers of a format that is a table */
export const tableReaders = (recordsOf: (language: Language, spooled?: number) => RecordReader): FileReaders => ({
  rows: (language, collection, _, spooled) =>
    async function* read(body, options) {
      const table = tableReader(language, collection, options);
      for await (const some of recordsOf(language, spooled)(body, options)) yield* inChunks(some, table.rows);
      table.end();
    },
  records: (language) =>
    async function* read(body, options) {
      const { headerRow = 0 } = options;
      for await (const some of recordsOf(language)(body, options)) {
        yield some.filter(({ number }) => number >= headerRow);
      }
    },
});
