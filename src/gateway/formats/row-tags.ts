/** The tags of rows in tables that people edit and send back: an import sees by them which items have changed meanwhile. */
import { decodeChange, digest, encodeChange } from '../http/exchange.ts';
import type { Language } from '../locale/language.ts';
import { type Collection, deriveChanges } from '../model/catalogue.ts';
import type { Field } from '../model/field.ts';
import { text } from '../model/fields.ts';
import { type FileRow, identifyRow } from '../model/import.ts';
import { TAG } from '../model/query.ts';
import type { Row } from '../port/port.ts';

/** The column of tags, which are unique like keys. */
export const tagField: Field = { name: TAG, ...text({ max: 40 }), isKey: true };

/** Begins with a letter, so that no spreadsheet program takes it for a number or a date. */
const FORM = /^r([0-9a-z]+)-([0-9a-z]+)$/;

/** @returns what tells the rows of a table apart that were sorted without their tags */
function digestId(id: string): string {
  return digest(id).slice(0, 7);
}

/** @returns the column of tags of a collection: its heading, and the tag of a row; `undefined` if its rows are no items */
export function tagColumn(language: Language, collection: Collection) {
  if (collection.isDerived) return undefined;
  const write = ([revision, ...cells]: Row): string =>
    `r${encodeChange(revision)}-${digestId(identifyRow(collection, cells) ?? '')}`;
  return { heading: language.fields(deriveChanges(collection)).word(TAG), write };
}

/** @returns the revision that a row was made from; `undefined` if the tag is not that of its item */
export function readTag(collection: Collection, cells: FileRow['cells'], tag: string): number | undefined {
  const [, digits = '', check] = FORM.exec(tag.trim()) ?? [];
  const id = identifyRow(collection, cells);
  return id !== undefined && digestId(id) === check ? decodeChange(digits) : undefined;
}
