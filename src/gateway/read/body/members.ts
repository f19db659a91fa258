import { compose } from '../../../../packages/vocabularies/src/words.ts';
import { listTemplate } from '../../http/urls.ts';
import { type Language, valuesIn } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Cell, Field } from '../../model/field.ts';
import { checkerIn, limitsOf } from '../../model/kinds/kinds.ts';
import { type PhraseName, type Sentence, sentence, truncate, unknownSentence } from '../../texts/phrase.ts';
import {
  type LazyError,
  LISTED,
  newErrors,
  type Problem,
  type ProblemCode,
  problemOf,
  type RequestError,
} from '../../texts/problem.ts';

/** A body's members by field (`null` clears, `undefined` was not sent), or its errors. */
export type Members =
  | { readonly cells: readonly (Cell | undefined)[]; readonly problem: undefined }
  | { readonly cells: undefined; readonly problem: Problem };

/** Reads a body in one language. For `create`, required members must be present; for `update`, only those that are sent count. */
export type MembersReader = (body: unknown, purpose: 'create' | 'update') => Members;

export const isObject = (body: unknown): body is Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null && !Array.isArray(body);

/**
 * @param language whose words the members are
 * @param collection whose fields they are
 * @param isRow whether bodies are rows of a file, whose members may have canonical names
 * @returns a function that reads the members of a body
 */
const reader = (language: Language, collection: Collection, isRow: boolean) => {
  const { word: wordOf, name: nameOf, suggest } = language.fields(collection);
  const { notObject, unknown, invalid, mistyped, missing, repeated } = memberErrors(language, collection, isRow);
  const fields = collection.fields.map((field) => ({
    field,
    word: wordOf(field.name),
    check: checkerIn(field, valuesIn(language, collection, field)),
  }));
  const names = fields.map(({ field }, at) => [field.name, at] as const);
  const indexByName = new Map(names);
  const indexByWord = new Map([...(isRow ? names : []), ...fields.map(({ word }, at) => [word, at] as const)]);

  /** @returns the errors of a body that lacks members which every new item must have */
  const errorsOfMissing = (body: object, isThere: (at: number) => boolean): readonly LazyError[] => {
    const lacking = fields.filter(({ field }, at) => field.required && !isThere(at));
    if (lacking.length === 0) return [];
    // A member that was misspelt is not missing, too.
    const meant = new Set(
      Object.keys(body)
        .filter((word) => !indexByWord.has(word))
        .slice(0, LISTED)
        .map(suggest),
    );
    return lacking.filter(({ word }) => !meant.has(word)).map(({ word }) => missing(word));
  };

  const nothing: readonly (Cell | undefined)[] = fields.map(() => undefined);
  /** @returns the members of a body, and their errors */
  return (body: unknown, purpose: 'create' | 'update' | 'row') => {
    const cells = nothing.slice();
    const errors = newErrors();
    if (!isObject(body)) {
      errors.add(notObject);
      return { cells, errors };
    }

    const isSent: boolean[] = [];
    for (const sent of Object.keys(body)) {
      const value = body[sent];
      const known = indexByWord.get(sent);
      const word = known === undefined ? compose(sent) : sent;
      const at = known ?? indexByWord.get(word) ?? indexByName.get(nameOf(word) ?? '');
      const member = at === undefined ? undefined : fields[at];
      if (at === undefined || !member) {
        errors.add(unknown(sent, value));
        continue;
      }
      const { field, check } = member;
      // By another name, or with its letters compose in another way.
      if (isSent[at]) {
        errors.add(repeated(member.word));
        continue;
      }
      isSent[at] = true;
      if (value === null) {
        // On create, a key that is null counts as absent.
        const clears = field.isKey ? purpose !== 'update' : !field.required;
        if (clears) cells[at] = null;
        else errors.add(invalid(word, sentence(field.isKey ? 'key-null' : 'field-null', { word }), null));
      } else {
        const { cell, fault } = check(value);
        if (fault === undefined) cells[at] = cell;
        else errors.add(mistyped(word, field, fault, value));
      }
    }
    if (purpose === 'create') {
      const isThere = (at: number): boolean => isSent[at] === true && !(fields[at]?.field.isKey && cells[at] === null);
      for (const error of errorsOfMissing(body, isThere)) errors.add(error);
    }
    return { cells, errors };
  };
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
export const rowMembersReader = (language: Language, collection: Collection) => {
  const read = reader(language, collection, true);
  return (row: unknown) => read(row, 'row');
};

/** @returns the JSON pointer to a member (RFC 6901 §3) */
export const pointerTo = (member: string): string => `/${truncate(member).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** @returns a value that was sent, as JSON; `undefined` for objects and arrays, whose pointer says enough */
const shown = (sent: unknown): string | undefined =>
  typeof sent === 'object' && sent !== null
    ? undefined
    : JSON.stringify(typeof sent === 'string' ? truncate(sent) : sent);

/** Makes the errors of the members of a body. */
const memberErrors = (language: Language, collection: Collection, isRow: boolean) => {
  const vocabulary = language.fields(collection);
  const { of } = language.nouns(collection);
  const paths = language.paths(collection);
  const errorAt = (
    word: string,
    code: ProblemCode,
    detail: Sentence,
    more: Partial<RequestError> = {},
  ): RequestError => ({
    place: { pointer: pointerTo(word) },
    code,
    name: vocabulary.name(word),
    detail,
    ...more,
  });
  const notObject: LazyError = () => ({
    place: { pointer: '' },
    code: 'invalid-value',
    detail: sentence(isRow ? 'row-not-object' : 'body-not-object', { of }),
  });
  const unknown =
    (word: string, sent: unknown): LazyError =>
    () => {
      const path = paths.suggest(word);
      const child = collection.children.find(({ name }) => path !== undefined && paths.name(path) === name);
      if (child) {
        const detail = sentence('field-nested', { word, of, path: listTemplate(language, child) });
        return errorAt(word, 'unknown-field', detail, { name: child.name });
      }
      const suggestion = vocabulary.suggest(word);
      const detail = unknownSentence('field', { word, of, known: vocabulary.nearest(word) }, suggestion);
      const name = suggestion && vocabulary.name(suggestion);
      return errorAt(word, 'unknown-field', detail, { name, value: shown(sent), suggestion });
    };
  const invalid =
    (word: string, detail: Sentence, sent: unknown): LazyError =>
    () =>
      errorAt(word, 'invalid-value', detail, { value: shown(sent) });
  /** What a response has where a reference is included is not what is sent. */
  const wholeItem = (word: string, list: string, sent: object): RequestError => {
    const referred = language.collection(list);
    const key = language.fields(referred).word(referred.key.name);
    const known: unknown = Reflect.get(sent, key);
    const detail = sentence('reference-item', { word, key, list: language.listWord(list) });
    const suggestion = typeof known === 'string' ? truncate(known) : undefined;
    return errorAt(word, 'invalid-value', detail, { suggestion });
  };
  /** A value that is not valid, but means one that is, such as `"2008"` and `"true"`, is told how that is written. */
  const mistyped =
    (word: string, field: Field, phrase: PhraseName, sent: unknown): LazyError =>
    () => {
      const value = shown(sent);
      if (field.refersTo !== undefined && typeof sent === 'object' && sent)
        return wholeItem(word, field.refersTo, sent);
      const values = valuesIn(language, collection, field);
      const { toJson, suggest, fromNumber = suggest, filter } = values;
      const explanation = typeof sent === 'string' ? values.explain?.(sent, 'json') : undefined;
      if (explanation) {
        const detail = { phrase: explanation.phrase, values: { word, ...explanation.values } };
        return errorAt(word, 'invalid-value', detail, { value, suggestion: explanation.suggestion });
      }
      const read = typeof sent === 'number' ? fromNumber : suggest;
      const { cell } = checkerIn(field, values)(typeof sent === 'object' ? sent : read(String(sent)));
      const detail = { phrase, values: { word, ...limitsOf(field, language.valueWords(collection, field)) } };
      if (cell === undefined || cell === null) return errorAt(word, 'invalid-value', detail, { value });
      const written = toJson(cell);
      // Its quotation marks are there already.
      if (typeof sent === 'string' && /^["[]/.test(written)) {
        const suggestion = written.startsWith('[') ? written : filter.format(cell);
        const suggested = sentence('value-suggested', { word, value: truncate(sent), suggestion });
        return errorAt(word, 'invalid-value', suggested, { value, suggestion });
      }
      const remedy = sentence(typeof cell === 'string' ? 'value-quoted' : 'value-unquoted', { suggestion: written });
      return errorAt(word, 'invalid-value', detail, { value, suggestion: written, remedy });
    };
  const missing =
    (word: string): LazyError =>
    () =>
      errorAt(word, 'missing-field', sentence('field-missing', { word }));
  const repeated =
    (word: string): LazyError =>
    () =>
      errorAt(word, 'malformed-json', sentence('json-repeated', { word }));
  return { notObject, unknown, invalid, mistyped, missing, repeated };
};
