/** The problems of values that a store does not take. */
import type { Language } from '../locale/language.ts';
import { valuesIn } from '../locale/value-words.ts';
import type { Collection } from '../model/catalogue.ts';
import type { Value } from '../model/field.ts';
import type { FieldConflict, InUse } from '../model/import.ts';
import { EVERYTHING, type Query } from '../model/query.ts';
import type { Items } from '../port/port.ts';
import { pointerTo } from '../read/body/member-errors.ts';
import { type Sentence, sentence } from '../texts/phrase.ts';
import { type Problem, problemOf, type RequestError } from '../texts/problem.ts';

/** @returns a function that puts into words that an item cannot have a value: the field's word, the value as text and as JSON, and why */
export const conflictWords = (language: Language, collection: Collection) => {
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
