import type { FormerWord, WordIndex } from '../../../../packages/vocabularies/src/words.ts';
import { type Language, valuesIn } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Field } from '../../model/field.ts';
import { describeLimits, getKind } from '../../model/kinds/kinds.ts';
import { type Suffix, suffixes, withSuffix } from '../../model/query.ts';
import { MOST_TERMS, searchedIn, searchTerms } from '../../model/search.ts';
import { sentence } from '../../texts/phrase.ts';
import type { LazyError } from '../../texts/problem.ts';
import { suggestValue } from '../suggestions/suggestions.ts';
import { invalid, once, own, type ParameterFactory } from './parameter.ts';

/** A filter for each field: an item matches where the field has any of the values. */
export const equals: ParameterFactory = (language, collection) =>
  collection.fields.map((field) => {
    const { name } = field;
    const { filter } = valuesIn(language, collection, field);
    const word = language.fields(collection).word(name);
    const invalidValue =
      (sent: readonly string[]): LazyError =>
      () => {
        const value = sent.find((text) => text !== '' && filter.parse(text) === undefined) ?? '';
        // Next to other values of the filter, a range would be another question.
        const { detail, suggestion } = (sent.length === 1 && suggestValue(language, collection, field, value)) || {};
        const unclear = suggestion === undefined && {
          phrase: filter.fault,
          values: { word, ...describeLimits(field, language.valueWords(collection, field)) },
        };
        const suggested = () => sentence('value-suggested', { word, value, suggestion: suggestion ?? '' });
        return invalid(word, detail ?? (unclear || suggested()), suggestion, value)();
      };
    return {
      name,
      word,
      kind: 'filter',
      decides: 'rows',
      parse: (sent) => {
        const parsed = sent.filter((text) => text !== '').map(filter.parse);
        if (parsed.includes(undefined)) return invalidValue(sent);
        const values = parsed.filter((value) => value !== undefined);
        return values.length > 0 ? { filters: [{ field, operator: 'equals', values }] } : {};
      },
      format: ({ filters }) =>
        filters.find((each) => each.field === field && each.operator === 'equals')?.values.map(filter.format),
      schema: { type: 'array', items: filter.jsonSchema },
      text: getKind(field).folded ? 'filter-folded' : 'filter-exact',
      field: word,
    };
  });

const rangesOf = (collection: Collection): readonly (readonly [Field, Suffix])[] =>
  collection.fields
    .filter((field) => getKind(field).hasRanges)
    .flatMap((field) => suffixes.map((suffix) => [field, suffix] as const));

/**
 * @returns the words of ranges by name: all in one language, or the fields in one and the suffixes in another, as a client that
 * mixes languages writes them
 */
export const rangeWords = (
  collection: Collection,
  { fields }: Language,
  { suffixes }: Language,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    rangesOf(collection).map(([{ name }, suffix]) => [
      withSuffix(name, suffix),
      withSuffix(fields(collection).word(name), suffixes.word(suffix)),
    ]),
  );

/** A word that stands for a parameter: the word of today, and what of it was replaced. */
interface Called {
  readonly sent: string;
  readonly word: string;
  readonly parts: readonly FormerWord[];
}

/** @returns what a word is, and was before */
const calls = ({ word, former }: WordIndex, name: string): readonly Called[] => [
  { sent: word(name), word: word(name), parts: [] },
  ...former(name).map((each) => ({ sent: each.word, word: each.now, parts: [each] })),
];

/** @returns the parameters of a list by what they were called before; a range by its field's former word, or its suffix's */
export const formerParameters = (language: Language, collection: Collection): ReadonlyMap<string, Called> => {
  const { suffixes, parameters, fields } = language;
  const words = fields(collection);
  const ofRanges = rangesOf(collection).flatMap(([{ name }, suffix]) =>
    calls(words, name).flatMap((field) =>
      calls(suffixes, suffix).map((end) => ({
        sent: withSuffix(field.sent, end.sent),
        word: withSuffix(field.word, end.word),
        parts: [...field.parts, ...end.parts],
      })),
    ),
  );
  const alone = [words, parameters].flatMap((each) => each.names.flatMap((name) => calls(each, name)));
  return new Map([...alone, ...ofRanges].filter(({ parts }) => parts.length > 0).map((each) => [each.sent, each]));
};

/** Both ends of a range for each ordered field. Unlike a filter, an end may occur only once and must not be empty. */
export const ranges: ParameterFactory = (language, collection) => {
  const words = rangeWords(collection, language, language);
  return rangesOf(collection).map(([field, suffix]) => {
    const name = withSuffix(field.name, suffix);
    const word = words[name] ?? '';
    const to = words[withSuffix(field.name, 'to')] ?? '';
    const { filter, suggest, explain } = valuesIn(language, collection, field);
    const limits = describeLimits(field, language.valueWords(collection, field));
    const refuse = (text: string): LazyError => {
      const { phrase, values, suggestion: other } = explain?.(text, 'query') ?? {};
      if (phrase) return invalid(word, sentence(phrase, { word, ...values }), other);
      const value = filter.parse(String(suggest(text)));
      if (value === undefined) return invalid(word, { phrase: filter.fault, values: { word, ...limits } });
      const suggestion = filter.format(value);
      return invalid(word, sentence('value-suggested', { word, value: text, suggestion }), suggestion);
    };
    return {
      name,
      word,
      kind: 'range',
      decides: 'rows',
      parse: once(word, (text, sent) => {
        const value = filter.parse(text);
        if (value === undefined) return refuse(text);
        const last = suffix === 'from' ? filter.parse(sent.get(to)?.[0] ?? '') : undefined;
        if (last !== undefined && value > last) return invalid(word, sentence('range-empty', { word, to }));
        return { filters: [{ field, operator: suffix, values: [value] }] };
      }),
      format: ({ filters }) =>
        filters.find((each) => each.field === field && each.operator === suffix)?.values.map(filter.format),
      schema: filter.jsonSchema,
      text: `filter-${suffix}`,
      field: language.fields(collection).word(field.name),
    };
  });
};

/** Words, each of which must begin a word of a searchable text; the characters between them are ignored. */
export const search: ParameterFactory = (language, collection) => {
  if (!searchedIn(collection)) return [];
  const word = language.parameters.word('search');
  return own(language, 'search', {
    kind: 'text',
    decides: 'rows',
    parse: (value) => {
      const { length } = searchTerms(value);
      if (length === 0) return invalid(word, sentence('search-empty', { word }));
      if (length > MOST_TERMS) return invalid(word, sentence('search-words', { word, limit: MOST_TERMS }));
      return { search: value };
    },
    format: ({ search: text }) => (text === undefined ? undefined : [text]),
    schema: { type: 'string', minLength: 1 },
  });
};
