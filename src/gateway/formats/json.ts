import { JSON_TYPE } from '../http/respond.ts';
import { valuesIn } from '../locale/language.ts';
import type { Field, Value } from '../model/field.ts';
import { sourceOf } from '../model/references.ts';
import type { Row } from '../port/port.ts';
import { type Content, cellIndex, type Format } from './representation.ts';

/** Writes what `include` asks for, which a row contains as JSON behind its cells (`includedColumns` in `store/sql/items.ts`). */
const writersOf = ({ language, collection, included }: Omit<Content, 'asked'>) => {
  const all = included.map((each, at) => {
    const content = { language, collection: language.collection(sourceOf(each)), fields: each.fields, included: [] };
    return { ...each, write: itemWriter(content), index: collection.fields.length + 1 + at };
  });
  const nestedWriter = ({ name, write, index }: (typeof all)[number]) => {
    const start = `,${JSON.stringify(language.paths(collection).word(name))}:[`;
    return (row: Row): string => {
      const cell = row[index];
      // Of an item that is no more.
      if (cell === null) return '';
      const rows: readonly Row[] = JSON.parse(String(cell));
      return `${start}${rows.map(write).join(',')}]`;
    };
  };
  /** @param toJson writes the key, which is that of no item only where other programs write to the database */
  const referredWriter = (field: Field, toJson: (key: Value) => string) => {
    const item = all.find(({ through }) => through?.name === field.name);
    if (!item) return toJson;
    const { write, index } = item;
    return (key: Value, row: Row): string =>
      row[index] === null ? toJson(key) : write(JSON.parse(String(row[index])));
  };
  return { nested: all.filter(({ through }) => !through).map(nestedWriter), referredWriter };
};

/**
 * Writes an item in one language, straight from the store's row: members in the order of the fields, absent values left out.
 * The members' names are encoded here once: to rename members for each response would take longer than to write it.
 *
 * @returns a function from row to JSON text
 */
export const itemWriter = (content: Omit<Content, 'asked'>): ((row: Row) => string) => {
  const { language, collection, fields } = content;
  const { word } = language.fields(collection);
  const { nested, referredWriter } = writersOf(content);
  const members = fields.map((field, at) => ({
    start: `${at === 0 ? '{' : ','}${JSON.stringify(word(field.name))}:`,
    toJson: referredWriter(field, valuesIn(language, collection, field).toJson),
    index: cellIndex(collection, field),
  }));
  return (row) => {
    let text = '';
    for (const { start, toJson, index } of members) {
      const cell = row[index];
      if (cell !== null && cell !== undefined) text += start + toJson(cell, row);
    }
    for (const write of nested) text += write(row);
    // The first member is always present, except in the group of items that lack the field.
    return text.startsWith('{') ? `${text}}` : `{${text.slice(1)}}`;
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
  },
};

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
  },
};
