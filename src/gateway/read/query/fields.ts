/** Parameters whose values are words: of fields, of directions, of what is included, or of formats. */

import { WordIndex } from '../../../../packages/vocabularies/src/words.ts';
import { formats } from '../../formats/formats.ts';
import type { Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Field } from '../../model/field.ts';
import { getKind } from '../../model/kinds/kinds.ts';
import { type Direction, directions, type Included } from '../../model/query.ts';
import { sentence, unknownSentence } from '../../texts/phrase.ts';
import type { LazyError } from '../../texts/problem.ts';
import { orderedFields, suggestSort } from '../suggestions/suggestions.ts';
import { COMMA, invalid, oneOrMore, own, type ParameterFactory, readCommaSeparated, repeated } from './parameter.ts';

/** @returns a function that makes the error of a value that is none of some words */
const unknownIn =
  (
    kind: 'sort' | 'order' | 'include' | 'format',
    word: string,
    { suggest, nearest }: Pick<WordIndex, 'suggest' | 'nearest'>,
    values: Readonly<Record<string, string>> = {},
  ) =>
  (value: string, suggestion = suggest(value)): LazyError => {
    const detail = unknownSentence(kind, { word, value, known: nearest(value), ...values }, suggestion);
    return invalid(word, detail, suggestion, value);
  };

/** @returns a function that makes the error of a value that is no field, or none that has an order */
const unorderedIn = (language: Language, collection: Collection, word: string) => {
  const { name } = language.fields(collection);
  const unknown = unknownIn('sort', word, orderedFields(language, collection), { of: language.nouns(collection).of });
  return (value: string, suggestion?: string): LazyError =>
    name(value) === undefined
      ? unknown(value, suggestion)
      : invalid(word, sentence('sort-list', { word, value }), undefined, value);
};

/** @returns a field that lists are sorted by: values with words are in the order of these, whatever other languages have */
const byWord = (language: Language, collection: Collection, field: Field): Field => {
  if (!field.choices || getKind(field).folded) return field;
  const { word } = language.valueWords(collection, field).choices;
  const { compare } = new Intl.Collator(language.tag);
  return {
    ...field,
    indexed: false,
    sortedChoices: field.choices.toSorted((one, other) => compare(word(one), word(other))),
  };
};

/** A parameter whose values are fields. */
export const fieldList =
  (name: 'sort_by' | 'fields', member: 'sort' | 'fields'): ParameterFactory =>
  (language, collection) => {
    const fields = language.fields(collection);
    const { of } = language.nouns(collection);
    const word = language.parameters.word(name);
    const ordered = orderedFields(language, collection);
    const isSort = name === 'sort_by';
    const chosen = isSort ? ordered.fields.map((field) => byWord(language, collection, field)) : collection.fields;
    const order = language.parameters.word('order');
    const unknown = isSort ? unorderedIn(language, collection, word) : unknownIn('sort', word, fields, { of });
    return own(language, name, {
      kind: 'field',
      decides: isSort ? 'order' : 'members',
      parse: (value, sent) => {
        const { names, errors } = readCommaSeparated(word, value, isSort ? ordered.name : fields.name, unknown);
        const isUnclear = errors.some((error) => error().suggestion === undefined);
        const terms = isSort && isUnclear ? suggestSort(language, collection, value, sent.has(order)) : undefined;
        if (terms) return unknown(value, terms.suggestion);
        const faults = [...errors, ...repeated(word, names.map(fields.word))];
        if (faults.length > 0) return faults;
        return { [member]: names.flatMap((each) => chosen.filter((field) => field.name === each)) };
      },
      format: ({ [member]: asked }) => asked && [asked.map((field) => fields.word(field.name)).join(COMMA)],
      schema: oneOrMore({ type: 'string', enum: chosen.map((field) => fields.word(field.name)) }),
    });
  };

export const order: ParameterFactory = (language, collection) => {
  const { parameters, directions: words } = language;
  const word = parameters.word('order');
  const sort = parameters.word('sort_by');
  const unknown = unknownIn('order', word, words, { asc: words.word('asc'), desc: words.word('desc') });
  return own(language, 'order', {
    kind: 'value',
    decides: 'order',
    parse: (value, sent) => {
      const { names, errors } = readCommaSeparated(word, value, words.name, unknown);
      // `order=year`, `order=-year`
      const terms = errors.length > 0 && !sent.has(sort) ? suggestSort(language, collection, value, false) : undefined;
      if (terms && terms.name !== 'order') return unknown(value, terms.suggestion);
      if (errors.length > 0) return errors;
      const sorts = sent.get(sort)?.[0]?.split(COMMA).length ?? 1;
      if (names.length > sorts) return invalid(word, sentence('order-excess', { word, sort }));
      return { order: names as readonly Direction[] };
    },
    format: ({ order }) => [order.map(words.word).join(COMMA)],
    schema: oneOrMore({ type: 'string', enum: Object.keys(directions).map(words.word) }),
  });
};

/** The field by whose values items are counted. */
export const groupBy: ParameterFactory = (language, collection) => {
  const fields = language.fields(collection);
  const word = language.parameters.word('group_by');
  const ordered = orderedFields(language, collection);
  const unknown = unorderedIn(language, collection, word);
  return own(language, 'group_by', {
    kind: 'field',
    decides: 'groups',
    parse: (value) => {
      const name = ordered.name(value);
      const group = ordered.fields.find((field) => field.name === name);
      if (group) return { group };
      return value.includes(COMMA) ? invalid(word, sentence('group-several', { word })) : unknown(value);
    },
    format: ({ group }) => group && [fields.word(group.name)],
    schema: { type: 'string', enum: ordered.fields.map(({ name }) => fields.word(name)) },
  });
};

/** What is included in each item. A collection without nested ones, whose fields refer to nothing, has no such parameter. */
export const include: ParameterFactory = (language, collection) => {
  const { children, fields } = collection;
  const referred = fields.flatMap((through): readonly Included[] => {
    const { name, refersTo } = through;
    return refersTo === undefined ? [] : [{ ...language.collection(refersTo), name, through }];
  });
  if (children.length + referred.length === 0) return [];
  const all = [...children, ...referred];
  const words = language.included(collection);
  const { of } = language.nouns(collection);
  const word = language.parameters.word('include');
  const unknown = unknownIn('include', word, words, { of });
  return own(language, 'include', {
    kind: 'collection',
    decides: 'members',
    parse: (value) => {
      const { names, errors } = readCommaSeparated(word, value, words.name, unknown);
      const faults = [...errors, ...repeated(word, names.map(words.word))];
      return faults.length > 0 ? faults : { include: all.filter(({ name }) => names.includes(name)) };
    },
    format: ({ include: asked }) => asked && [asked.map(({ name }) => words.word(name)).join(COMMA)],
    schema: oneOrMore({ type: 'string', enum: all.map(({ name }) => words.word(name)) }),
  });
};

/** The format of the response, whose names are the same in every language. */
export const format: ParameterFactory = (language) => {
  const word = language.parameters.word('format');
  const names = formats.map(({ name }) => name);
  const words = new WordIndex(
    Object.fromEntries(names.map((name) => [name, name])),
    [],
    formats.flatMap(({ name, synonyms = [] }) => synonyms.map((each) => [each, name] as const)),
  );
  const unknown = unknownIn('format', word, words, { known: words.known });
  return own(language, 'format', {
    kind: 'token',
    decides: 'format',
    parse: (value) => {
      const name = words.name(value);
      return name === undefined ? unknown(value) : { format: name };
    },
    format: ({ format: name }) => (name === undefined ? undefined : [name]),
    schema: { type: 'string', enum: names },
  });
};
