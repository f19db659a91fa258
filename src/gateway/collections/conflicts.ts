/** Why a store does not take an item, in words. */
import { createItemWriter } from '../formats/json.ts';
import { getValues, type Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import type { Cell } from '../model/field.ts';
import { type FieldConflict, type InUse, MOST_REFERRING, type RowConflict, type RowError } from '../model/import.ts';
import { pointerTo } from '../read/body/members.ts';
import { itemSentence, type Sentence, sentence, truncate } from '../texts/phrase.ts';
import { combineErrors, type RequestError } from '../texts/problem.ts';

/** @returns why an item cannot have a value, with the field's word, and the value as text and as JSON */
function explainValue(language: Language, collection: Collection, conflict: FieldConflict) {
  const { field: name, value } = conflict;
  const field = collection.fields.find((other) => other.name === name);
  const values = field && getValues(language, collection, field);
  const word = language.fields(collection).word(name);
  const text = values?.toText(value) ?? String(value);
  const list = field?.refersTo === undefined ? '' : language.paths(undefined).word(field.refersTo);
  const detail =
    conflict.code === 'already-exists'
      ? sentence('value-taken', { word, value: text, the: language.nouns(collection).the, key: conflict.key })
      : sentence('reference-missing', { word, value: text, list });
  return { word, text, json: values?.toJson(value), detail };
}

export function conflictProblem(language: Language, collection: Collection, conflicts: readonly FieldConflict[]) {
  const errors = conflicts.map((conflict) => (): RequestError => {
    const { word, json: value, detail } = explainValue(language, collection, conflict);
    return { place: { pointer: pointerTo(word) }, code: conflict.code, name: conflict.field, value, detail };
  });
  const code = conflicts.every((conflict) => conflict.code === 'already-exists') ? 'already-exists' : 'invalid-body';
  const detail = sentence('body-errors', { count: errors.length, of: language.nouns(collection).of });
  return combineErrors(errors, { code, detail });
}

export function inUseSentence(language: Language, of: Collection, { key, collection, count }: InUse): Sentence {
  const values = { the: language.nouns(of).the, key, list: language.listWord(collection) };
  if (count > MOST_REFERRING) return sentence('item-in-use-more', { ...values, count: MOST_REFERRING });
  return sentence('item-in-use', { ...values, count });
}

type StaleRow = Extract<RowConflict, { readonly code: 'stale' }>;

function explainStale(language: Language, collection: Collection, { code, key, before, after }: StaleRow): RowError {
  const { word } = language.fields(collection);
  const { the } = language.nouns(collection);
  const write = createItemWriter({ language, collection, fields: collection.fields, included: [] });
  const inWords = (cells: readonly Cell[] | undefined) => cells && JSON.parse(write([0, ...cells]));
  const differing = collection.fields.filter((_, at) => (before?.[at] ?? after?.[at] ?? null) !== null);
  const words = differing.map(({ name }) => word(name)).join(', ');
  const detail =
    words === '' ? sentence('row-stale', { the, key }) : sentence('row-stale-members', { the, key, words });
  return {
    ...{ column: word(collection.key.name), code, value: truncate(key), detail },
    ...{ before: inWords(before), after: inWords(after) },
  };
}

/** @returns the error of a row of a file in words; `error` may be a conflict with stored rows */
export function explainRow(language: Language, collection: Collection, error: RowError | RowConflict): RowError {
  if ('detail' in error) return error;
  const { word } = language.fields(collection);
  if (error.code === 'stale') return explainStale(language, collection, error);
  const { code } = error;
  const row = 'row' in error ? error.row : undefined;
  if ('value' in error) {
    const { word: column, text, detail } = explainValue(language, collection, error);
    const repeated = row !== undefined && sentence('row-repeated', { word: column, key: text, row });
    return { column, code, value: truncate(text), detail: repeated || detail };
  }
  if (!('key' in error)) {
    const column = word(error.field);
    return { column, code, detail: sentence('field-missing', { word: column }) };
  }
  const { key } = error;
  // A list across parents has a column for the key of the parent.
  const owner = code === 'not-found' && error.field !== undefined ? collection.flattens?.parent : undefined;
  const column = word(owner?.name ?? collection.key.name);
  const { the } = language.nouns(owner ?? collection);
  const within = owner ? undefined : collection.parent && language.nouns(collection.parent).within;
  const detail = itemSentence(code === 'already-exists' ? 'exists' : 'missing', { the, key }, within);
  const repeated = row !== undefined && sentence('row-repeated', { word: column, key, row });
  return { column, code, value: truncate(key), detail: repeated || detail };
}
