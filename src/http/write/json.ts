import type { Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import { kindOf } from '../../model/kinds/kinds.ts';
import type { Row } from '../../store/port.ts';
import { JSON_TYPE } from '../headers.ts';
import type { Format } from './representation.ts';

/**
 * Writes an item in one language, straight from the store's row: members in the schema's order, absent values left out.
 * The members' names are made here, once; a rename per response would cost more than the writing.
 *
 * @returns a function from row to JSON text
 */
const itemWriter = (language: Language, collection: Collection): ((row: Row) => string) => {
  const { word } = language.fields(collection);
  const members = collection.fields.map((field, at) => ({
    // Only the key comes first, and it is always there.
    start: `${at === 0 ? '{' : ','}${JSON.stringify(word(field.name))}:`,
    toJson: kindOf(field).toJson,
  }));
  return (row) => {
    let text = '';
    for (let at = 0; at < members.length; at++) {
      const cell = row[at + 1];
      const member = members[at];
      if (cell !== null && cell !== undefined && member) text += member.start + member.toJson(cell);
    }
    return `${text}}`;
  };
};

/** Items as objects, lists as bare arrays of them. */
export const json: Format = (language, collection) => {
  const item = itemWriter(language, collection);
  return {
    type: JSON_TYPE,
    headers: { 'Content-Type': JSON_TYPE, 'Content-Language': language.tag },
    tagMark: language.tag,
    item,
    list: { start: '[', row: item, separator: ',', end: ']' },
  };
};
