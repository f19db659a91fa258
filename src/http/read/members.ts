import { truncate } from '../../locale/echo.ts';
import type { Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Cell } from '../../model/field.ts';
import { valueChecker } from '../../model/kinds/check-value.ts';
import { type Sentence, sentence, unknownSentence } from '../../texts/phrase.ts';
import { type LazyError, type Problem, problemOf } from '../../texts/problem.ts';

/** A body's members by field: `null` clears, `undefined` was not sent. Or what is wrong with it. */
export type Members =
  | { readonly cells: readonly (Cell | undefined)[]; readonly problem: undefined }
  | { readonly cells: undefined; readonly problem: Problem };

/** Reads a body in one language. `create`: required members must be there. `update`: those that are sent count. */
export type MembersReader = (body: unknown, purpose: 'create' | 'update') => Members;

/** RFC 6901 §3. */
const pointerTo = (member: string): string => `/${truncate(member).replaceAll('~', '~0').replaceAll('/', '~1')}`;

const isObject = (body: unknown): body is Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null && !Array.isArray(body);

/**
 * @param language whose words the members are
 * @param collection whose fields they are
 */
export const membersReader = (language: Language, collection: Collection): MembersReader => {
  const vocabulary = language.fields(collection);
  const { of } = language.nouns(collection);
  const fields = collection.fields.map((field) => ({
    field,
    word: vocabulary.word(field.name),
    check: valueChecker(field),
  }));
  const places = new Map(fields.map(({ word }, at) => [word, at]));

  const refused = (errors: readonly LazyError[]): Members => ({
    cells: undefined,
    problem: problemOf(errors, { code: 'invalid-body', detail: sentence('body-errors', { count: errors.length, of }) }),
  });
  const notObject: LazyError = () => ({
    place: { pointer: '' },
    code: 'invalid-value',
    detail: sentence('body-not-object', { of }),
  });
  const unknown =
    (word: string): LazyError =>
    () => {
      const suggestion = vocabulary.suggest(word);
      return {
        place: { pointer: pointerTo(word) },
        code: 'unknown-field',
        detail: unknownSentence('field', { word, of, known: vocabulary.known }, suggestion),
        suggestion,
      };
    };
  const invalid =
    (word: string, detail: Sentence): LazyError =>
    () => ({
      place: { pointer: pointerTo(word) },
      code: 'invalid-value',
      detail,
    });

  const missing =
    (word: string): LazyError =>
    () => ({
      place: { pointer: pointerTo(word) },
      code: 'missing-field',
      detail: sentence('field-missing', { word }),
    });

  return (body, purpose) => {
    if (!isObject(body)) return refused([notObject]);
    const cells: (Cell | undefined)[] = Array(fields.length).fill(undefined);
    const errors: LazyError[] = [];

    for (const [word, value] of Object.entries(body)) {
      const at = places.get(word);
      const member = at === undefined ? undefined : fields[at];
      if (at === undefined || !member) {
        errors.push(unknown(word));
        continue;
      }
      const { field, check } = member;
      if (value === null) {
        // On create a key that is null is as if absent, which `missing` answers for.
        const clears = field.isKey ? purpose === 'create' : !field.required;
        if (clears) cells[at] = null;
        else errors.push(invalid(word, sentence(field.isKey ? 'key-null' : 'field-null', { word })));
      } else {
        const { cell, fault } = check(value);
        if (fault === undefined) cells[at] = cell;
        else errors.push(invalid(word, { phrase: fault, values: { word, min: field.min, max: field.max } }));
      }
    }
    if (purpose === 'create') {
      for (const [at, { field, word }] of fields.entries()) {
        const isThere = Object.hasOwn(body, word) && !(field.isKey && cells[at] === null);
        if (!field.required || isThere) continue;
        errors.push(missing(word));
      }
    }
    return errors.length > 0 ? refused(errors) : { cells, problem: undefined };
  };
};
