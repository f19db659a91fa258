import { JSON_TYPE } from '../http/headers.ts';
import type { Language } from '../locale/language.ts';
import { valuesIn } from '../locale/value-words.ts';
import type { Collection } from '../model/catalogue.ts';
import type { Nested } from '../model/query.ts';
import type { Row } from '../port/port.ts';
import type { Content, Format } from './format.ts';
import { cellIndex, nestedIndex } from './representation.ts';

/**
 * Writes the items nested in an item, which its row contains as JSON (`nestedColumns` in `store/sql/items.ts`).
 *
 * @returns a function from row to JSON text; `undefined` where nothing is nested
 */
const nestedWriter = (language: Language, collection: Collection, nested: readonly Nested[]) => {
  const members = collection.children
    .filter(({ name }) => nested.some((each) => each.name === name))
    .map((child) => ({
      start: `,${JSON.stringify(language.paths(collection).word(child.name))}:[`,
      write: itemWriter({ language, collection: child, fields: child.fields, nested: [] }),
      index: nestedIndex(collection, nested, child),
    }));
  const write = (row: Row): string => {
    let text = '';
    for (const { start, write, index } of members) {
      const cell = row[index];
      // Of an item that is no more.
      if (cell === null) continue;
      const rows: readonly Row[] = JSON.parse(String(cell));
      text += `${start}${rows.map(write).join(',')}]`;
    }
    return text;
  };
  return members.length > 0 ? write : undefined;
};

/**
 * Writes an item in one language, straight from the store's row: members in the order of the fields, absent values left out.
 * The members' names are encoded here once: to rename members for each response would take longer than to write it.
 *
 * @returns a function from row to JSON text
 */
export const itemWriter = ({
  language,
  collection,
  fields,
  nested,
}: Omit<Content, 'asked'>): ((row: Row) => string) => {
  const { word } = language.fields(collection);
  const members = fields.map((field, at) => ({
    start: `${at === 0 ? '{' : ','}${JSON.stringify(word(field.name))}:`,
    toJson: valuesIn(language, collection, field).toJson,
    index: cellIndex(collection, field),
  }));
  const writeNested = nestedWriter(language, collection, nested);
  return (row) => {
    let text = '';
    for (const { start, toJson, index } of members) {
      const cell = row[index];
      if (cell !== null && cell !== undefined) text += start + toJson(cell);
    }
    // The first member is always present, except in the group of items that lack the field.
    const own = text.startsWith('{') ? text : `{${text.slice(1)}`;
    return writeNested ? `${own}${writeNested(row)}}` : `${own}}`;
  };
};

/** Items as objects, lists as bare arrays of them. */
export const json: Format = {
  name: 'json',
  type: JSON_TYPE,
  isOfItems: true,
  isFile: false,
  nests: true,
  isPure: true,
  write: (content) => ({ list: { start: '[', row: itemWriter(content), separator: ',', end: ']' } }),
  reading: {
    charsets: ['utf-8'],
    cpuPerByte: 0.005,
    load: async () => (await import('../read/files/json.ts')).jsonReaders,
  },
};
