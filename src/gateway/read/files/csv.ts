import { csvSplitter } from './csv-records.ts';
import { tableReaders } from './table.ts';
import { textIn } from './text.ts';

/** Reads CSV with a header, with any of the delimiters. */
export const csvReaders = tableReaders(
  ({ csv }) =>
    async function* read(file, options) {
      const splitter = csvSplitter(csv.delimiter, options.headerRow);
      for (const text of textIn(file, options, splitter.row)) yield splitter.push(text);
      yield splitter.end();
    },
);
