import { type FormerWord, WordIndex } from '../../../../packages/vocabularies/src/words.ts';
import { formats } from '../../formats/formats.ts';
import { getValues, type Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Field } from '../../model/field.ts';
import type { JsonSchema, Values } from '../../model/kinds/kind.ts';
import { describeLimits, getKind } from '../../model/kinds/kinds.ts';
import { type Direction, directions, type Included, type Suffix, suffixes, withSuffix } from '../../model/query.ts';
import { findSearchedFields, MOST_TERMS, searchTerms } from '../../model/search.ts';
import { type Sentence, sentence, unknownSentence } from '../../texts/phrase.ts';
import type { LazyError } from '../../texts/problem.ts';
import { createParameter, invalid, type ParameterFactory, parseOnce } from './parameter.ts';
import { findOrderedFields, suggestSort, suggestValue } from './suggestions.ts';

/** Separates the values of one parameter; no word contains it. */
const COMMA = ',';

function readCommaSeparated(
  word: string,
  value: string,
  findName: (part: string) => string | undefined,
  unknown: (part: string) => LazyError,
): { readonly names: readonly string[]; readonly errors: readonly LazyError[] } {
  const parts = value.split(COMMA);
  if (parts.includes('')) return { names: [], errors: [invalid(word, sentence('list-empty', { word }))] };
  return {
    names: parts.flatMap((part) => findName(part) ?? []),
    errors: parts.filter((part) => findName(part) === undefined).map((part) => unknown(part)),
  };
}

const findRepeated = (word: string, values: readonly string[]): readonly LazyError[] =>
  [...new Set(values.filter((value, at) => values.indexOf(value) < at))].map((value) =>
    invalid(word, sentence('list-repeated', { word, value })),
  );

/** @returns the schema of words of which one or several may be sent */
function describeWords(words: readonly string[]): JsonSchema {
  const schema = { type: 'string', enum: words };
  return { anyOf: [schema, { type: 'array', items: schema, minItems: 1 }] };
}

/** @returns the error of a filter's values, worked out only if it is listed; a single value may be meant as a range */
function describeValues(language: Language, collection: Collection, field: Field, sent: readonly string[]): LazyError {
  return () => {
    const { filter, explain } = getValues(language, collection, field);
    const word = language.fields(collection).word(field.name);
    const value = sent.find((text) => text !== '' && filter.parse(text) === undefined) ?? '';
    // Next to other values of the filter, a range would be another question.
    const { detail, suggestion } = (sent.length === 1 && suggestValue({ language, collection }, field, value)) || {};
    const { phrase = filter.fault, values } = explain?.(value, 'query') ?? {};
    const limits = describeLimits(field, language.valueWords(collection, field));
    const fault =
      suggestion === undefined
        ? { phrase, values: { word, ...limits, ...values } }
        : sentence('value-suggested', { word, value, suggestion });
    return invalid(word, detail ?? fault, suggestion, value)();
  };
}

/** A filter for each field: an item matches if the field has any of the values. */
export const equals: ParameterFactory = (language, collection) =>
  collection.fields.map((field) => {
    const { name } = field;
    const { filter } = getValues(language, collection, field);
    const word = language.fields(collection).word(name);
    return {
      name,
      word,
      kind: 'filter',
      decides: 'rows',
      parse: (sent) => {
        const parsedValues = sent.filter((text) => text !== '').map(filter.parse);
        if (parsedValues.includes(undefined)) return describeValues(language, collection, field, sent);
        const values = parsedValues.filter((value) => value !== undefined);
        return values.length > 0 ? { filters: [{ field, operator: 'equals', values }] } : {};
      },
      format: ({ filters }) =>
        filters.find((other) => other.field === field && other.operator === 'equals')?.values.map(filter.format),
      schema: { type: 'array', items: filter.jsonSchema },
      text: getKind(field).folded ? 'filter-folded' : 'filter-exact',
      field: word,
    };
  });

const listRanges = (collection: Collection): readonly (readonly [Field, Suffix])[] =>
  collection.fields
    .filter((field) => getKind(field).hasRanges)
    .flatMap((field) => suffixes.map((suffix) => [field, suffix] as const));

/** @returns the words of ranges by name; a client that mixes languages has the fields in one and the suffixes in another */
export const rangeWords = (collection: Collection, { fields }: Language, { suffixes }: Language) =>
  Object.fromEntries(
    listRanges(collection).map(([{ name }, suffix]) => {
      return [withSuffix(name, suffix), withSuffix(fields(collection).word(name), suffixes.word(suffix))];
    }),
  );

/** A way to write the word of today, and the former words in it. */
interface Spelling {
  readonly text: string;
  readonly word: string;
  readonly parts: readonly FormerWord[];
}

const listSpellings = ({ word, former }: WordIndex, name: string): readonly Spelling[] => [
  { text: word(name), word: word(name), parts: [] },
  ...former(name).map((formerWord) => ({ text: formerWord.word, word: formerWord.now, parts: [formerWord] })),
];

/** @returns the parameters of a list by what they were called before; a range by its field's former word, or its suffix's */
export function formerParameters(language: Language, collection: Collection): ReadonlyMap<string, Spelling> {
  const { suffixes, parameters, fields } = language;
  const words = fields(collection);
  const ranges = listRanges(collection).flatMap(([{ name }, suffix]) =>
    listSpellings(words, name).flatMap((field) =>
      listSpellings(suffixes, suffix).map((end) => ({
        text: withSuffix(field.text, end.text),
        word: withSuffix(field.word, end.word),
        parts: [...field.parts, ...end.parts],
      })),
    ),
  );
  const others = [words, parameters].flatMap((index) => index.names.flatMap((name) => listSpellings(index, name)));
  const former = [...others, ...ranges].filter(({ parts }) => parts.length > 0);
  return new Map(former.map((spelling) => [spelling.text, spelling]));
}

/** @returns the error of an end of a range, with the value that it probably stands for */
function describeEnd(word: string, text: string, limits: Sentence['values'], values: Values): LazyError {
  const { filter, suggest, explain } = values;
  const { phrase, values: explained, suggestion: other } = explain?.(text, 'query') ?? {};
  if (phrase) return invalid(word, sentence(phrase, { word, ...explained }), other);
  const value = filter.parse(String(suggest(text)));
  if (value === undefined) return invalid(word, { phrase: filter.fault, values: { word, ...limits } });
  const suggestion = filter.format(value);
  return invalid(word, sentence('value-suggested', { word, value: text, suggestion }), suggestion);
}

/** Both ends of a range for each ordered field. Unlike a filter, an end may occur only once and must not be empty. */
export const ranges: ParameterFactory = (language, collection) => {
  const words = rangeWords(collection, language, language);
  return listRanges(collection).map(([field, suffix]) => {
    const name = withSuffix(field.name, suffix);
    const word = words[name] ?? '';
    const to = words[withSuffix(field.name, 'to')] ?? '';
    const values = getValues(language, collection, field);
    const { filter } = values;
    const read = (text: string, end = suffix) => (filter.parseEnd ?? filter.parse)(text, end);
    const limits = describeLimits(field, language.valueWords(collection, field));
    return {
      name,
      word,
      kind: 'range',
      decides: 'rows',
      parse: parseOnce(word, (text, sent) => {
        const value = read(text);
        if (value === undefined) return describeEnd(word, text, limits, values);
        const last = suffix === 'from' ? read(sent.get(to)?.[0] ?? '', 'to') : undefined;
        if (last !== undefined && value > last) return invalid(word, sentence('range-empty', { word, to }));
        return { filters: [{ field, operator: suffix, values: [value] }] };
      }),
      format: ({ filters }) =>
        filters.find((other) => other.field === field && other.operator === suffix)?.values.map(filter.format),
      schema: filter.jsonSchema,
      text: `filter-${suffix}`,
      field: language.fields(collection).word(field.name),
    };
  });
};

/** Words, each of which must begin a word of a searchable text; the characters between them are ignored. */
export const search: ParameterFactory = (language, collection) => {
  if (!findSearchedFields(collection)) return [];
  const word = language.parameters.word('search');
  return createParameter(language, 'search', {
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
function unorderedIn(language: Language, collection: Collection, word: string) {
  const { name } = language.fields(collection);
  const unknown = unknownIn('sort', word, findOrderedFields(language, collection), {
    of: language.nouns(collection).of,
  });
  return (value: string, suggestion?: string): LazyError =>
    name(value) === undefined
      ? unknown(value, suggestion)
      : invalid(word, sentence('sort-list', { word, value }), undefined, value);
}

/** @returns a field that lists are sorted by: values with words are in the order of these, whatever other languages have */
function orderByWord(language: Language, collection: Collection, field: Field): Field {
  if (!field.choices || getKind(field).folded) return field;
  const { word } = language.valueWords(collection, field).choices;
  const { compare } = new Intl.Collator(language.tag);
  return {
    ...field,
    indexed: false,
    sortedChoices: field.choices.toSorted((one, other) => compare(word(one), word(other))),
  };
}

function findFields(fields: readonly Field[], names: readonly string[]): readonly Field[] {
  return names.flatMap((name) => fields.find((field) => field.name === name) ?? []);
}

export const selectedFields: ParameterFactory = (language, collection) => {
  const fields = language.fields(collection);
  const word = language.parameters.word('fields');
  const unknown = unknownIn('sort', word, fields, { of: language.nouns(collection).of });
  return createParameter(language, 'fields', {
    kind: 'field',
    decides: 'members',
    parse: (value) => {
      const { names, errors } = readCommaSeparated(word, value, fields.name, unknown);
      const faults = [...errors, ...findRepeated(word, names.map(fields.word))];
      return faults.length > 0 ? faults : { fields: findFields(collection.fields, names) };
    },
    format: (query) => query.fields && [query.fields.map(({ name }) => fields.word(name)).join(COMMA)],
    schema: describeWords(collection.fields.map(({ name }) => fields.word(name))),
  });
};

export const sortBy: ParameterFactory = (language, collection) => {
  const fields = language.fields(collection);
  const word = language.parameters.word('sort_by');
  const order = language.parameters.word('order');
  const ordered = findOrderedFields(language, collection);
  const candidates = ordered.fields.map((field) => orderByWord(language, collection, field));
  const unknown = unorderedIn(language, collection, word);
  return createParameter(language, 'sort_by', {
    kind: 'field',
    decides: 'order',
    parse: (value, sent) => {
      const { names, errors } = readCommaSeparated(word, value, ordered.name, unknown);
      const isUnclear = errors.some((error) => error().suggestion === undefined);
      const terms = isUnclear ? suggestSort({ language, collection }, value, sent.has(order)) : undefined;
      if (terms) return unknown(value, terms.suggestion);
      const faults = [...errors, ...findRepeated(word, names.map(fields.word))];
      return faults.length > 0 ? faults : { sort: findFields(candidates, names) };
    },
    format: ({ sort }) => [sort.map(({ name }) => fields.word(name)).join(COMMA)],
    schema: describeWords(candidates.map(({ name }) => fields.word(name))),
  });
};

export const order: ParameterFactory = (language, collection) => {
  const { parameters, directions: words } = language;
  const word = parameters.word('order');
  const sort = parameters.word('sort_by');
  const unknown = unknownIn('order', word, words, { asc: words.word('asc'), desc: words.word('desc') });
  return createParameter(language, 'order', {
    kind: 'value',
    decides: 'order',
    parse: (value, sent) => {
      const { names, errors } = readCommaSeparated(word, value, words.name, unknown);
      // `order=year`, `order=-year`
      const terms =
        errors.length > 0 && !sent.has(sort) ? suggestSort({ language, collection }, value, false) : undefined;
      if (terms && terms.name !== 'order') return unknown(value, terms.suggestion);
      if (errors.length > 0) return errors;
      const sorts = sent.get(sort)?.[0]?.split(COMMA).length ?? 1;
      if (names.length > sorts) return invalid(word, sentence('order-excess', { word, sort }));
      return { order: names as readonly Direction[] };
    },
    format: ({ order }) => [order.map(words.word).join(COMMA)],
    schema: describeWords(Object.keys(directions).map(words.word)),
  });
};

export const groupBy: ParameterFactory = (language, collection) => {
  const fields = language.fields(collection);
  const word = language.parameters.word('group_by');
  const ordered = findOrderedFields(language, collection);
  const unknown = unorderedIn(language, collection, word);
  return createParameter(language, 'group_by', {
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

/** Names what each item includes. A collection without nested collections and references has no such parameter. */
export const include: ParameterFactory = (language, collection) => {
  const { children, fields } = collection;
  const references = fields.flatMap((through): readonly Included[] => {
    const { name, refersTo } = through;
    return refersTo === undefined ? [] : [{ ...language.collection(refersTo), name, through }];
  });
  if (children.length + references.length === 0) return [];
  const all = [...children, ...references];
  const words = language.included(collection);
  const { of } = language.nouns(collection);
  const word = language.parameters.word('include');
  const unknown = unknownIn('include', word, words, { of });
  return createParameter(language, 'include', {
    kind: 'collection',
    decides: 'members',
    parse: (value) => {
      const { names, errors } = readCommaSeparated(word, value, words.name, unknown);
      const faults = [...errors, ...findRepeated(word, names.map(words.word))];
      return faults.length > 0 ? faults : { include: all.filter(({ name }) => names.includes(name)) };
    },
    format: ({ include: selection }) => selection && [selection.map(({ name }) => words.word(name)).join(COMMA)],
    schema: describeWords(all.map(({ name }) => words.word(name))),
  });
};

/** The format of the response, whose names are the same in every language. */
export const format: ParameterFactory = (language) => {
  const word = language.parameters.word('format');
  const names = formats.map(({ name }) => name);
  const synonyms = formats.flatMap(({ name, synonyms = [] }) => synonyms.map((synonym) => [synonym, name] as const));
  const words = new WordIndex(Object.fromEntries(names.map((name) => [name, name])), [], synonyms);
  const unknown = unknownIn('format', word, words, { known: words.known });
  return createParameter(language, 'format', {
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

const DIGITS = /^\d+$/;

export const positiveInteger =
  (name: 'number_of_elements' | 'page', member: 'size' | 'page'): ParameterFactory =>
  (language) => {
    const word = language.parameters.word(name);
    return createParameter(language, name, {
      kind: 'integer',
      decides: name === 'page' ? 'page' : 'size',
      parse: (value) =>
        DIGITS.test(value) && Number(value) > 0
          ? // A larger number is beyond the end of every list, too.
            { [member]: Math.min(Number(value), Number.MAX_SAFE_INTEGER) }
          : invalid(word, sentence('parameter-positive', { word })),
      format: ({ [member]: count }) => [String(count)],
      schema: { type: 'integer', minimum: 1 },
    });
  };

/** The position is read once the whole query is known. */
export const after: ParameterFactory = (language) =>
  createParameter(language, 'after', {
    kind: 'token',
    decides: 'position',
    parse: (token) => ({ after: { token, position: [] } }),
    format: ({ after: position }) => position && [position.token],
    schema: { type: 'string' },
  });

/** The position is read once the whole query is known. */
export const changedSince: ParameterFactory = (language) =>
  createParameter(language, 'changed_since', {
    kind: 'token',
    decides: 'changes',
    isPure: false,
    parse: (token) => ({ changesAfter: { token, change: 0 } }),
    format: ({ changesAfter }) => changesAfter && [changesAfter.token],
    schema: { type: 'string' },
  });
