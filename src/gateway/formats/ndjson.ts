import type { Format } from './format.ts';
import { itemWriter } from './json.ts';

/** An item on each line, so that programs can process a list as it arrives. */
export const ndjson: Format = {
  name: 'ndjson',
  synonyms: ['jsonl', 'jsonlines'],
  type: 'application/x-ndjson',
  isOfItems: false,
  isFile: true,
  nests: true,
  isPure: true,
  write: (content) => {
    const item = itemWriter(content);
    return { list: { start: '', row: (row) => `${item(row)}\n`, separator: '', end: '' } };
  },
  reading: {
    charsets: ['utf-8'],
    cpuPerByte: 0.005,
    load: async () => (await import('../read/files/json.ts')).ndjsonReaders,
  },
};
