import type { Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import type { RowConflict, RowError } from '../model/import.ts';
import { itemSentence, sentence } from '../texts/phrase.ts';
import { LISTED } from '../texts/problem.ts';
import type { ListedError } from '../write/report.ts';

/** An error of one row, as plain data that is stored with an idempotency key. */
interface RejectedRow {
  readonly row: number;
  readonly error: RowError | RowConflict;
}

/** The errors of one import's rows, up to the number that a report lists. */
export interface RejectedRows {
  readonly add: (row: number, error: RowError | RowConflict) => void;
  /** @returns the listed errors as JSON, to be stored with an idempotency key */
  readonly note: () => string;
  /** @param note of an earlier import; this one by default */
  readonly errors: (note?: string) => readonly ListedError[];
}

/** @returns a function that puts a conflict with stored rows into words */
export const conflictIn = (language: Language, collection: Collection) => {
  const { word } = language.fields(collection);
  const keyWord = word(collection.key.name);
  const { the } = language.nouns(collection);
  const within = collection.parent && language.nouns(collection.parent).within;
  return (error: RowError | RowConflict): RowError => {
    if ('detail' in error) return error;
    const { code } = error;
    if (code === 'already-exists') {
      return {
        column: keyWord,
        code,
        detail:
          error.row === undefined
            ? itemSentence('exists', { the, key: error.key }, within)
            : sentence('row-repeated', { word: keyWord, key: error.key, row: error.row }),
      };
    }
    if (code === 'not-found')
      return { column: keyWord, code, detail: itemSentence('missing', { the, key: error.key }, within) };
    const column = word(error.field);
    return { column, code, detail: sentence('field-missing', { word: column }) };
  };
};

export const rejectedRows = (language: Language, collection: Collection): (() => RejectedRows) => {
  const inWords = conflictIn(language, collection);
  const listedError = ({ row, error }: RejectedRow): ListedError => ({ row, ...inWords(error) });
  return () => {
    const listed: RejectedRow[] = [];
    return {
      add: (row, error) => {
        if (listed.length < LISTED) listed.push({ row, error });
      },
      note: () => JSON.stringify(listed),
      errors: (note) => (note === undefined ? listed : (JSON.parse(note) as readonly RejectedRow[])).map(listedError),
    };
  };
};
