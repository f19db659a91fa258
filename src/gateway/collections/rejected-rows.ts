import type { Language } from '../locale/language.ts';
import { truncate } from '../locale/truncate.ts';
import type { Collection } from '../model/catalogue.ts';
import type { Reason, RowConflict, RowError } from '../model/import.ts';
import { reasonCounter } from '../model/reasons.ts';
import { itemSentence, sentence } from '../texts/phrase.ts';
import { conflictWords } from './conflicts.ts';

/** @returns a function that puts a conflict with stored rows into words */
export const conflictIn = (language: Language, collection: Collection) => {
  const { word } = language.fields(collection);
  const conflict = conflictWords(language, collection);
  const keyWord = word(collection.key.name);
  const { the } = language.nouns(collection);
  const within = collection.parent && language.nouns(collection.parent).within;
  return (error: RowError | RowConflict): RowError => {
    if ('detail' in error) return error;
    const { code } = error;
    if ('value' in error) {
      const { word: column, text, detail } = conflict(error);
      const row = 'row' in error ? error.row : undefined;
      const repeated = row !== undefined && sentence('row-repeated', { word: column, key: text, row });
      return { column, code, value: truncate(text), detail: repeated || detail };
    }
    const value = 'key' in error ? truncate(error.key) : undefined;
    if (code === 'already-exists') {
      const { key, row } = error;
      const repeated = row !== undefined && sentence('row-repeated', { word: keyWord, key, row });
      return { column: keyWord, code, value, detail: repeated || itemSentence('exists', { the, key }, within) };
    }
    if (code === 'not-found') {
      const owner = error.field === undefined ? undefined : collection.nested?.parent;
      const missing = owner
        ? itemSentence('missing', { the: language.nouns(owner).the, key: error.key }, undefined)
        : itemSentence('missing', { the, key: error.key }, within);
      return { column: owner ? word(owner.name) : keyWord, code, value, detail: missing };
    }
    const column = word(error.field);
    return { column, code, detail: sentence('field-missing', { word: column }) };
  };
};

/** @returns a function that puts a reason into words */
export const reasonIn = (language: Language, collection: Collection) => {
  const inWords = conflictIn(language, collection);
  return ({ count, row, error }: Reason) => ({ ...inWords(error), count, row });
};

/** Collects the errors of one import's rows, up to the number that a report lists of each reason. */
export function rejectedRows(language: Language, collection: Collection) {
  const inWords = conflictIn(language, collection);
  const { add, listed } = reasonCounter();
  return {
    add,
    /** @param most how many are listed, of each reason as many as of any other */
    listed,
    /** @param rows of an earlier import; the first of this one by default */
    errors: (rows = listed()) => rows.map(({ row, error }) => ({ row, ...inWords(error) })),
  };
}
