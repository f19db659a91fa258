/** The problems of values that a store does not take. */
import type { Language } from '../locale/language.ts';
import { truncate } from '../locale/truncate.ts';
import { valuesIn } from '../locale/value-words.ts';
import type { Collection } from '../model/catalogue.ts';
import type { Value } from '../model/field.ts';
import type { FieldConflict, InUse, Reason, RowConflict, RowError } from '../model/import.ts';
import { EVERYTHING, type Query } from '../model/query.ts';
import { reasonCounter } from '../model/reasons.ts';
import type { Items } from '../port/port.ts';
import { pointerTo } from '../read/body/members.ts';
import { itemSentence, type Sentence, sentence } from '../texts/phrase.ts';
import { type Problem, problemOf, type RequestError } from '../texts/problem.ts';

/** @returns a function that puts into words that an item cannot have a value: the field's word, the value as text and as JSON, and why */
const conflictWords = (language: Language, collection: Collection) => {
  const { word: wordOf } = language.fields(collection);
  const { the } = language.nouns(collection);
  const inWords = collection.fields.map((field) => ({ field, values: valuesIn(language, collection, field) }));
  return (conflict: FieldConflict) => {
    const { field: name, value } = conflict;
    const word = wordOf(name);
    const { field, values } = inWords.find((each) => each.field.name === name) ?? {};
    const text = values?.toText(value) ?? String(value);
    const list = field?.refersTo === undefined ? '' : language.paths(undefined).word(field.refersTo);
    const detail =
      conflict.code === 'already-exists'
        ? sentence('value-taken', { word, value: text, the, key: conflict.key })
        : sentence('reference-missing', { word, value: text, list });
    return { field, word, text, json: values?.toJson(value), detail };
  };
};

/** @returns the only key of a collection that a missing one equals but for case and accents */
const keyMeant = async (store: Items, collection: Collection, value: Value): Promise<string | undefined> => {
  const filters: Query['filters'] = [{ field: collection.key, operator: 'equals', values: [value] }];
  const query = { ...EVERYTHING, filters, size: 2 };
  const read = async () => store.read(store.plan({ of: 'list', collection, keys: [], query }));
  // Without an answer there is no suggestion.
  const [row, other] = (await read().catch(() => undefined))?.rows ?? [];
  // Somebody may have created it meanwhile.
  return row && !other && row[1] !== value ? String(row[1]) : undefined;
};

/** @param conflicts at least one */
export const conflictProblem = async (
  language: Language,
  collection: Collection,
  conflicts: readonly FieldConflict[],
  store: Items,
): Promise<Problem> => {
  const inWords = conflictWords(language, collection);
  const { of } = language.nouns(collection);
  const errorOf = async (conflict: FieldConflict): Promise<RequestError> => {
    const { field, word, text, json: value, detail } = inWords(conflict);
    const list = conflict.code === 'invalid-value' ? field?.refersTo : undefined;
    const suggestion = list && (await keyMeant(store, language.collection(list), conflict.value));
    const meant = suggestion && sentence('value-suggested', { word, value: text, suggestion });
    const place = { pointer: pointerTo(word) };
    return { place, code: conflict.code, name: conflict.field, value, detail: meant || detail, suggestion };
  };
  const errors = (await Promise.all(conflicts.map(errorOf))).map((error) => () => error);
  const code = conflicts.every((each) => each.code === 'already-exists') ? 'already-exists' : 'invalid-body';
  return problemOf(errors, { code, detail: sentence('body-errors', { count: errors.length, of }) });
};

/** @returns why an item is not deleted */
export const inUseSentence = (language: Language, of: Collection, { key, collection, count }: InUse): Sentence =>
  sentence('item-in-use', { the: language.nouns(of).the, key, count, list: language.listWord(collection) });

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
