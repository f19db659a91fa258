import { listTemplate } from '../../http/urls.ts';
import type { Language } from '../../locale/language.ts';
import { truncate } from '../../locale/truncate.ts';
import { valuesIn } from '../../locale/value-words.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Field } from '../../model/field.ts';
import { checkerIn, limitsOf } from '../../model/kinds/kinds.ts';
import { type PhraseName, type Sentence, sentence, unknownSentence } from '../../texts/phrase.ts';
import type { LazyError, ProblemCode, RequestError } from '../../texts/problem.ts';

/** @returns the JSON pointer to a member (RFC 6901 §3) */
export const pointerTo = (member: string): string => `/${truncate(member).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** @returns a value that was sent, as JSON; `undefined` for objects and arrays, whose pointer says enough */
const shown = (sent: unknown): string | undefined =>
  typeof sent === 'object' && sent !== null
    ? undefined
    : JSON.stringify(typeof sent === 'string' ? truncate(sent) : sent);

/** Makes the errors of the members of a body. */
export const memberErrors = (language: Language, collection: Collection, isRow: boolean) => {
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
      const { toJson, meant, fromNumber = meant, filter } = values;
      const read = typeof sent === 'number' ? fromNumber : meant;
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
