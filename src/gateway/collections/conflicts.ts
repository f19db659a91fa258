/** The problems of values that a store does not take. */
import type { Language } from '../locale/language.ts';
import { valuesIn } from '../locale/value-words.ts';
import type { Collection } from '../model/catalogue.ts';
import type { FieldConflict } from '../model/import.ts';
import { pointerTo } from '../read/body/member-errors.ts';
import { type Sentence, sentence } from '../texts/phrase.ts';
import { type Problem, problemOf, type RequestError } from '../texts/problem.ts';

/** @returns a function that puts into words that an item cannot have a value: the field's word, the value as text and as JSON, and why */
export const conflictWords = (language: Language, collection: Collection) => {
  const { word: wordOf } = language.fields(collection);
  const { the } = language.nouns(collection);
  const inWords = collection.fields.map((field) => ({ field, values: valuesIn(language, collection, field) }));
  return ({ field: name, value, key }: FieldConflict) => {
    const word = wordOf(name);
    const values = inWords.find(({ field }) => field.name === name)?.values;
    const text = values?.toText(value) ?? String(value);
    const detail: Sentence = sentence('value-taken', { word, value: text, the, key });
    return { word, text, json: values?.toJson(value), detail };
  };
};

/** @param conflicts at least one */
export const conflictProblem = (
  language: Language,
  collection: Collection,
  conflicts: readonly FieldConflict[],
): Problem => {
  const inWords = conflictWords(language, collection);
  const { of } = language.nouns(collection);
  const errors = conflicts.map((conflict) => (): RequestError => {
    const { word, json: value, detail } = inWords(conflict);
    return { place: { pointer: pointerTo(word) }, code: conflict.code, name: conflict.field, value, detail };
  });
  return problemOf(errors, { code: 'already-exists', detail: sentence('body-errors', { count: errors.length, of }) });
};
