import type { Language } from '../../../locale/language.ts';
import { truncate } from '../../../locale/truncate.ts';
import type { Collection } from '../../../model/catalogue.ts';
import type { Cell } from '../../../model/field.ts';
import { valueChecker } from '../../../model/kinds/check-value.ts';
import { memoized } from '../../../model/memoized.ts';
import { type Sentence, sentence, unknownSentence } from '../../../texts/phrase.ts';
import {
  type Errors,
  type LazyError,
  newErrors,
  type Problem,
  type ProblemCode,
  problemOf,
  type RequestError,
} from '../../../texts/problem.ts';

/** A body's members by field (`null` clears, `undefined` was not sent), or its errors. */
export type Members =
  | { readonly cells: readonly (Cell | undefined)[]; readonly problem: undefined }
  | { readonly cells: undefined; readonly problem: Problem };

/** Reads a body in one language. For `create`, required members must be present; for `update`, only those that are sent count. */
export type MembersReader = (body: unknown, purpose: 'create' | 'update') => Members;

/** @returns the JSON pointer to a member (RFC 6901 §3) */
export const pointerTo = (member: string): string => `/${truncate(member).replaceAll('~', '~0').replaceAll('/', '~1')}`;

export const isObject = (body: unknown): body is Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null && !Array.isArray(body);

const renamed = (body: object, from: string, to: string): object =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name === from ? to : name, value]));

/** The members of a body, and their errors. */
interface Read {
  readonly cells: readonly (Cell | undefined)[];
  readonly errors: Pick<Errors, 'count' | 'listed'>;
}

/** Makes the errors of the members of a body. */
const memberErrors = (language: Language, collection: Collection, isRow: boolean) => {
  const vocabulary = language.fields(collection);
  const { of } = language.nouns(collection);
  const errorAt = (word: string, code: ProblemCode, detail: Sentence, suggestion?: string): RequestError => ({
    place: { pointer: pointerTo(word) },
    code,
    detail,
    suggestion,
  });
  const notObject: LazyError = () => ({
    place: { pointer: '' },
    code: 'invalid-value',
    detail: sentence(isRow ? 'row-not-object' : 'body-not-object', { of }),
  });
  const unknown =
    (word: string): LazyError =>
    () => {
      const suggestion = vocabulary.suggest(word);
      const detail = unknownSentence('field', { word, of, known: vocabulary.known }, suggestion);
      return errorAt(word, 'unknown-field', detail, suggestion);
    };
  const invalid =
    (word: string, detail: Sentence): LazyError =>
    () =>
      errorAt(word, 'invalid-value', detail);
  const missing =
    (word: string): LazyError =>
    () =>
      errorAt(word, 'missing-field', sentence('field-missing', { word }));
  const repeated =
    (word: string): LazyError =>
    () =>
      errorAt(word, 'malformed-json', sentence('json-repeated', { word }));
  return { notObject, unknown, invalid, missing, repeated };
};

/**
 * @param language whose words the members are
 * @param collection whose fields they are
 * @param isRow whether bodies are rows of a file, whose members may have canonical names
 * @returns a function that reads the members of a body
 */
const reader = (language: Language, collection: Collection, isRow: boolean) => {
  const { word: wordOf } = language.fields(collection);
  const { notObject, unknown, invalid, missing, repeated } = memberErrors(language, collection, isRow);
  const fields = collection.fields.map((field) => ({
    field,
    word: wordOf(field.name),
    // Most values occur in many rows.
    check: isRow && !field.isKey ? memoized(valueChecker(field)) : valueChecker(field),
  }));
  const names = fields.map(({ field }, at) => [field.name, at] as const);
  const indexByWord = new Map([...(isRow ? names : []), ...fields.map(({ word }, at) => [word, at] as const)]);

  /** @returns the errors of a body that lacks members which every new item must have */
  const errorsOfMissing = (body: object, cells: readonly (Cell | undefined)[]): readonly LazyError[] =>
    fields.flatMap(({ field, word }, at) => {
      const isThere = Object.hasOwn(body, word) && !(field.isKey && cells[at] === null);
      return field.required && !isThere ? [missing(word)] : [];
    });

  const read = (body: unknown, purpose: 'create' | 'update' | 'row'): Read => {
    const cells: (Cell | undefined)[] = Array(fields.length).fill(undefined);
    const errors = newErrors();
    if (!isObject(body)) {
      errors.add(notObject);
      return { cells, errors };
    }

    for (const [word, value] of Object.entries(body)) {
      const at = indexByWord.get(word);
      const member = at === undefined ? undefined : fields[at];
      if (at === undefined || !member) {
        const composed = word.normalize();
        const isKnown = composed !== word && indexByWord.has(composed);
        if (isKnown && !Object.hasOwn(body, composed)) return read(renamed(body, word, composed), purpose);
        errors.add(isKnown ? repeated(composed) : unknown(word));
        continue;
      }
      const { field, check } = member;
      if (isRow && word !== member.word && Object.hasOwn(body, member.word)) {
        errors.add(repeated(member.word));
        continue;
      }
      if (value === null) {
        // On create, a key that is null counts as absent.
        const clears = field.isKey ? purpose !== 'update' : !field.required;
        if (clears) cells[at] = null;
        else errors.add(invalid(word, sentence(field.isKey ? 'key-null' : 'field-null', { word })));
      } else {
        const { cell, fault } = check(value);
        if (fault === undefined) cells[at] = cell;
        else errors.add(invalid(word, { phrase: fault, values: { word, min: field.min, max: field.max } }));
      }
    }
    if (purpose === 'create') for (const error of errorsOfMissing(body, cells)) errors.add(error);
    return { cells, errors };
  };
  return read;
};

/** @returns a reader of bodies of one item */
export const membersReader = (language: Language, collection: Collection): MembersReader => {
  const read = reader(language, collection, false);
  const { of } = language.nouns(collection);
  return (body, purpose) => {
    const { cells, errors } = read(body, purpose);
    if (errors.count() === 0) return { cells, problem: undefined };
    const detail = sentence('body-errors', { count: errors.count(), of });
    return { cells: undefined, problem: problemOf(errors.listed, { code: 'invalid-body', detail }) };
  };
};

/** @returns a reader of rows of a file, which does not check for required members */
export const rowMembersReader = (language: Language, collection: Collection): ((row: unknown) => Read) => {
  const read = reader(language, collection, true);
  return (row) => read(row, 'row');
};
