import type { Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Field } from '../../model/field.ts';
import { kindOf } from '../../model/kinds/kinds.ts';
import type { Row } from '../../store/port.ts';
import { JSON_TYPE } from '../headers.ts';
import { type Format, type ItemRepresentation, type ListRepresentation, placeOf } from './representation.ts';

/**
 * Writes an item in one language, straight from the store's row: members in the order of the fields, absent values left out.
 * The members' names are made here, once; a rename per response would cost more than the writing.
 *
 * @returns a function from row to JSON text
 */
export const itemWriter = (
  language: Language,
  collection: Collection,
  fields: readonly Field[],
): ((row: Row) => string) => {
  const { word } = language.fields(collection);
  const members = fields.map((field, at) => ({
    start: `${at === 0 ? '{' : ','}${JSON.stringify(word(field.name))}:`,
    toJson: kindOf(field).toJson,
    place: placeOf(collection, field),
  }));
  return (row) => {
    let text = '';
    for (const { start, toJson, place } of members) {
      const cell = row[place];
      if (cell !== null && cell !== undefined) text += start + toJson(cell);
    }
    // The first member is a key, and there, but for a group of items that lack what they are grouped by.
    return `${text.startsWith('{') ? text : `{${text.slice(1)}`}}`;
  };
};

/** Items as objects, lists as bare arrays of them. */
export const json: Format<ItemRepresentation & ListRepresentation> = (language, collection, fields) => {
  const item = itemWriter(language, collection, fields);
  return {
    name: 'json',
    type: JSON_TYPE,
    headers: { 'Content-Type': JSON_TYPE, 'Content-Language': language.tag },
    tagMark: language.tag,
    item,
    list: { start: '[', row: item, separator: ',', end: ']' },
    isKept: true,
  };
};
