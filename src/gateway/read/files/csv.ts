import { csvSplitter } from './csv-records.ts';
import { tableReaders } from './table.ts';
import { textOf } from './text.ts';

/** Reads CSV with a header, with any of the delimiters. */
export const csvReaders = tableReaders(
  ({ csv }) =>
    async function* read(body, { charset, headerRow }) {
      const splitter = csvSplitter(csv.delimiter, headerRow);
      for await (const text of textOf(body, charset, splitter.row)) yield splitter.push(text);
      yield splitter.end();
    },
);
