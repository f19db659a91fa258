import { getValues } from '../locale/language.ts';
import type { Value } from '../model/field.ts';
import { includedCollection } from '../model/query.ts';
import type { Row } from '../port/port.ts';
import { type Content, cellIndex, type Format } from './representation.ts';

/** Names are encoded once: to rename the members of each response would take longer than to write it. */
export function createItemWriter(content: Omit<Content, 'typeParameters'>): (row: Row) => string {
  const { language, collection, fields } = content;
  const { word } = language.fields(collection);
  // A row has what is included as JSON behind its cells (`includedColumns` in the store's SQL).
  const included = content.included.map((source, at) => ({
    ...source,
    index: collection.fields.length + 1 + at,
    write: createItemWriter({
      language,
      collection: language.collection(includedCollection(source)),
      fields: source.fields,
      included: [],
    }),
  }));
  const members = fields.map((field, at) => {
    const start = `${at === 0 ? '{' : ','}${JSON.stringify(word(field.name))}:`;
    const index = cellIndex(collection, field);
    const { toJson } = getValues(language, collection, field);
    const item = included.find(({ through }) => through?.name === field.name);
    return (row: Row): string => {
      const cell: Value | null | undefined = row[index];
      if (cell === null || cell === undefined) return '';
      // The key of no item is written as it is: only other programs store one.
      if (!item || row[item.index] === null) return start + toJson(cell);
      return start + item.write(JSON.parse(String(row[item.index])));
    };
  });
  const lists = included
    .filter(({ through }) => !through)
    .map(({ name, write, index }) => {
      const start = `,${JSON.stringify(language.paths(collection).word(name))}:[`;
      return (row: Row): string => {
        // A deleted item includes nothing.
        if (row[index] === null) return '';
        const rows: readonly Row[] = JSON.parse(String(row[index]));
        return `${start}${rows.map(write).join(',')}]`;
      };
    });
  const all = [...members, ...lists];
  return (row) => {
    let text = '';
    for (const write of all) text += write(row);
    // The first member is always present, except in the group of items that lack the field.
    return text.startsWith('{') ? `${text}}` : `{${text.slice(1)}}`;
  };
}

export const json: Format = {
  name: 'json',
  type: 'application/json',
  isOfItems: true,
  isFile: false,
  nests: true,
  write: (content) => ({ list: { start: '[', row: createItemWriter(content), separator: ',', end: ']' } }),
  reading: { charsets: ['utf-8'], cpuPerByte: 0.005 },
};

/** An item on each line, so that programs can process a list as it arrives. */
export const ndjson: Format = {
  name: 'ndjson',
  synonyms: ['jsonl', 'jsonlines'],
  type: 'application/x-ndjson',
  isOfItems: false,
  isFile: true,
  nests: true,
  write: (content) => {
    const item = createItemWriter(content);
    return { list: { start: '', row: (row) => `${item(row)}\n`, separator: '', end: '' } };
  },
  reading: { charsets: ['utf-8'], cpuPerByte: 0.005 },
};
