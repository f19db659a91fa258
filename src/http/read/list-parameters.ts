import type { Language } from '../../locale/language.ts';
import { vocabulary } from '../../locale/vocabulary.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Field } from '../../model/field.ts';
import type { JsonSchema } from '../../model/kinds/kind.ts';
import { kindOf } from '../../model/kinds/kinds.ts';
import {
  type Direction,
  directions,
  type FormatName,
  formatNames,
  type Suffix,
  suffixes,
  withSuffix,
} from '../../model/query.ts';
import { sentence, unknownSentence } from '../../texts/phrase.ts';
import type { LazyError } from '../../texts/problem.ts';
import { groupBy } from './group-parameter.ts';
import { type Entry, NOTHING, once } from './list-parameter.ts';
import { invalid } from './query-string.ts';
import { search } from './search-parameter.ts';

/** Values of one parameter are separated by commas, which no word contains. */
const COMMA = ',';

/**
 * Reads each of several values.
 *
 * @param nameOf finds the name of a value
 * @param unknown the error of a value that has none
 */
const readSeveral = (
  word: string,
  value: string,
  nameOf: (part: string) => string | undefined,
  unknown: (part: string) => LazyError,
): { readonly names: readonly string[]; readonly errors: readonly LazyError[] } => {
  const parts = value.split(COMMA);
  if (parts.includes('')) return { names: [], errors: [invalid(word, sentence('list-empty', { word }))] };
  const read = parts.map((part) => ({ part, name: nameOf(part) }));
  return {
    names: read.flatMap(({ name }) => name ?? []),
    errors: read.flatMap(({ part, name }) => (name === undefined ? unknown(part) : [])),
  };
};

/** The error of a value that may come only once. */
const repeated = (word: string, values: readonly string[]): readonly LazyError[] =>
  [...new Set(values.filter((value, at) => values.indexOf(value) < at))].map((value) =>
    invalid(word, sentence('list-repeated', { word, value })),
  );

/** Each field as a filter, which matches any of the values that are sent. */
const equals: Entry = (language, collection) =>
  collection.fields.map((field) => {
    const { name } = field;
    const { folded, filter } = kindOf(field);
    const word = language.fields(collection).word(name);
    return {
      name,
      word,
      kind: 'filter',
      parse: (sent) => {
        const parsed = sent.filter((text) => text !== '').map(filter.parse);
        if (parsed.includes(undefined)) return invalid(word, { phrase: filter.fault, values: { word } });
        const values = parsed.filter((value) => value !== undefined);
        return values.length > 0 ? { filters: [{ field, operator: 'equals', values }] } : {};
      },
      format: ({ filters }) =>
        filters.find((each) => each.field === field && each.operator === 'equals')?.values.map(filter.format) ??
        NOTHING,
      schema: { type: 'array', items: filter.jsonSchema },
      text: folded ? 'filter-folded' : 'filter-exact',
      field: word,
    };
  });

const rangesOf = (collection: Collection): readonly (readonly [Field, Suffix])[] =>
  collection.fields
    .filter((field) => kindOf(field).hasRanges)
    .flatMap((field) => suffixes.map((suffix) => [field, suffix] as const));

/**
 * @returns the words of ranges by their names: of one language, or with the fields in one and the suffixes in another, as a
 * client writes them that mixes languages up
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

/** Either end of a range of each field that has an order. Unlike a filter it counts once, and is not empty. */
const ranges: Entry = (language, collection) => {
  const words = rangeWords(collection, language, language);
  return rangesOf(collection).map(([field, suffix]) => {
    const name = withSuffix(field.name, suffix);
    const word = words[name] ?? '';
    const to = words[withSuffix(field.name, 'to')] ?? '';
    const { filter } = kindOf(field);
    return {
      name,
      word,
      kind: 'range',
      parse: once(word, (text, sent) => {
        const value = filter.parse(text);
        if (value === undefined) return invalid(word, { phrase: filter.fault, values: { word } });
        const last = suffix === 'from' ? filter.parse(sent.get(to)?.[0] ?? '') : undefined;
        if (last !== undefined && value > last) return invalid(word, sentence('range-empty', { word, to }));
        return { filters: [{ field, operator: suffix, values: [value] }] };
      }),
      format: ({ filters }) =>
        filters.find((each) => each.field === field && each.operator === suffix)?.values.map(filter.format) ?? NOTHING,
      schema: filter.jsonSchema,
      text: `filter-${suffix}`,
      field: language.fields(collection).word(field.name),
    };
  });
};

/** @returns a schema of one value, or of several */
const oneOrMore = (schema: JsonSchema): JsonSchema => ({
  anyOf: [schema, { type: 'array', items: schema, minItems: 1 }],
});

/** A parameter whose values are words of fields. */
const fieldList =
  (name: 'sort_by' | 'fields', member: 'sort' | 'fields'): Entry =>
  (language, collection) => {
    const fields = language.fields(collection);
    const { of } = language.nouns(collection);
    const word = language.parameters.word(name);
    const unknown = (value: string): LazyError => {
      const suggestion = fields.suggest(value);
      return invalid(word, unknownSentence('sort', { word, value, of, known: fields.known }, suggestion), suggestion);
    };
    return [
      {
        name,
        word,
        kind: 'field',
        parse: once(word, (value) => {
          const { names, errors } = readSeveral(word, value, fields.name, unknown);
          const faults = [...errors, ...repeated(word, names.map(fields.word))];
          if (faults.length > 0) return faults;
          return { [member]: names.flatMap((each) => collection.fields.filter((field) => field.name === each)) };
        }),
        format: ({ [member]: chosen = [] }) =>
          chosen.length > 0 ? [chosen.map((field) => fields.word(field.name)).join(COMMA)] : NOTHING,
        schema: oneOrMore({ type: 'string', enum: collection.fields.map((field) => fields.word(field.name)) }),
        text: `parameter-${name}`,
      },
    ];
  };

/** The collections inside each item; there is no such parameter where there are none. */
const include: Entry = (language, collection) => {
  const { children } = collection;
  if (children.length === 0) return [];
  const paths = language.paths(collection);
  const { of } = language.nouns(collection);
  const word = language.parameters.word('include');
  const unknown = (value: string): LazyError => {
    const suggestion = paths.suggest(value);
    return invalid(word, unknownSentence('include', { word, value, of, known: paths.known }, suggestion), suggestion);
  };
  return [
    {
      name: 'include',
      word,
      kind: 'collection',
      parse: once(word, (value) => {
        const { names, errors } = readSeveral(word, value, paths.name, unknown);
        const faults = [...errors, ...repeated(word, names.map(paths.word))];
        return faults.length > 0 ? faults : { include: children.filter(({ name }) => names.includes(name)) };
      }),
      format: ({ include: nested = [] }) =>
        nested.length > 0 ? [nested.map(({ name }) => paths.word(name)).join(COMMA)] : NOTHING,
      schema: oneOrMore({ type: 'string', enum: children.map(({ name }) => paths.word(name)) }),
      text: 'parameter-include',
    },
  ];
};

const order: Entry = ({ parameters, directions: words }) => {
  const word = parameters.word('order');
  const sort = parameters.word('sort_by');
  const both = { asc: words.word('asc'), desc: words.word('desc') };
  const unknown = (value: string): LazyError => {
    const suggestion = words.suggest(value);
    return invalid(word, unknownSentence('order', { word, value, ...both }, suggestion), suggestion);
  };
  return [
    {
      name: 'order',
      word,
      kind: 'value',
      parse: once(word, (value, sent) => {
        const { names, errors } = readSeveral(word, value, words.name, unknown);
        if (errors.length > 0) return errors;
        const sorts = sent.get(sort)?.[0]?.split(COMMA).length ?? 1;
        if (names.length > sorts) return invalid(word, sentence('order-excess', { word, sort }));
        return { order: names as readonly Direction[] };
      }),
      format: ({ order }) => (order.length > 0 ? [order.map(words.word).join(COMMA)] : NOTHING),
      schema: oneOrMore({ type: 'string', enum: Object.keys(directions).map(words.word) }),
      text: 'parameter-order',
    },
  ];
};

const counting =
  (name: 'number_of_elements' | 'page', member: 'size' | 'page'): Entry =>
  ({ parameters }) => {
    const word = parameters.word(name);
    return [
      {
        name,
        word,
        kind: 'integer',
        parse: once(word, (value) =>
          /^\d+$/.test(value) && Number(value) > 0
            ? // Beyond every end, and still exact.
              { [member]: Math.min(Number(value), Number.MAX_SAFE_INTEGER) }
            : invalid(word, sentence('parameter-positive', { word })),
        ),
        format: ({ [member]: count }) => (count === undefined ? NOTHING : [String(count)]),
        schema: { type: 'integer', minimum: 1 },
        text: `parameter-${name}`,
      },
    ];
  };

const formats = vocabulary(Object.fromEntries(formatNames.map((name) => [name, name])), []);

const format: Entry = ({ parameters }) => {
  const word = parameters.word('format');
  return [
    {
      name: 'format',
      word,
      kind: 'token',
      parse: once(word, (value) => {
        const name = formats.name(value);
        if (name !== undefined) return { format: name as FormatName };
        const suggestion = formats.suggest(value);
        return invalid(word, unknownSentence('format', { word, value, known: formats.known }, suggestion), suggestion);
      }),
      format: ({ format: name }) => (name ? [name] : NOTHING),
      schema: { type: 'string', enum: formatNames },
      text: 'parameter-format',
    },
  ];
};

const ofItems: readonly Entry[] = [fieldList('fields', 'fields'), include];

/** @returns the parameters of a collection's items, which its lists have too */
export const itemParameters: Entry = (language, collection) => ofItems.flatMap((entry) => entry(language, collection));

/** Every parameter there is, in the order of documents and links: a new one is one more here. */
const entries: readonly Entry[] = [
  equals,
  fieldList('sort_by', 'sort'),
  order,
  counting('number_of_elements', 'size'),
  counting('page', 'page'),
  format,
  ...ofItems,
  ranges,
  search,
  groupBy,
];

/** @returns the parameters of a collection's lists */
export const listParameters: Entry = (language, collection) => entries.flatMap((entry) => entry(language, collection));
