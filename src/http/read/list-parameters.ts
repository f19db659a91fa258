import type { Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { JsonSchema } from '../../model/kinds/kind.ts';
import { kindOf } from '../../model/kinds/kinds.ts';
import { type Direction, directions, type Query } from '../../model/query.ts';
import type { TextName } from '../../texts/document-text.ts';
import { sentence, unknownSentence } from '../../texts/phrase.ts';
import type { LazyError } from '../../texts/problem.ts';
import { invalid, readOnce } from './query-string.ts';

/** What a parameter says: a piece of the whole query, or an error. */
type Piece = Partial<Query> | LazyError;

/** One parameter of a list's query, in one language. Everything that knows of it follows from here. */
interface ListParameter {
  /** The same in every language. */
  readonly name: string;
  readonly word: string;
  /** What its values are: a filter's, a field's word, a direction's word, or a whole number from 1. */
  readonly kind: 'filter' | 'field' | 'value' | 'integer';
  /** @param values all that were sent, in their order, at least one */
  readonly parse: (values: readonly string[]) => Piece;
  /** Writes what `parse` reads; nothing where a query says nothing of it. */
  readonly format: (query: Query) => readonly string[];
  readonly schema: JsonSchema;
  /** What documents say of it. */
  readonly text: TextName;
}

type Entry = (language: Language, collection: Collection) => readonly ListParameter[];

const NOTHING: readonly string[] = [];

/** A parameter that counts once and is not empty. */
const once = (word: string, parse: (value: string) => Piece) => (values: readonly string[]) =>
  readOnce((_, value) => parse(value), word, values);

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
    };
  });

const sortBy: Entry = (language, collection) => {
  const fields = language.fields(collection);
  const { of } = language.nouns(collection);
  const word = language.parameters.word('sort_by');
  return [
    {
      name: 'sort_by',
      word,
      kind: 'field',
      parse: once(word, (value) => {
        const name = fields.name(value);
        const sort = collection.fields.find((field) => field.name === name);
        if (sort) return { sort };
        const suggestion = fields.suggest(value);
        return invalid(word, unknownSentence('sort', { word, value, of, known: fields.known }, suggestion), suggestion);
      }),
      format: ({ sort }) => (sort ? [fields.word(sort.name)] : NOTHING),
      schema: { type: 'string', enum: collection.fields.map(({ name }) => fields.word(name)) },
      text: 'parameter-sort_by',
    },
  ];
};

const order: Entry = ({ parameters, directions: words }) => {
  const word = parameters.word('order');
  const both = { asc: words.word('asc'), desc: words.word('desc') };
  return [
    {
      name: 'order',
      word,
      kind: 'value',
      parse: once(word, (value) => {
        const name = words.name(value);
        if (name !== undefined) return { order: name as Direction };
        const suggestion = words.suggest(value);
        return invalid(word, unknownSentence('order', { word, value, ...both }, suggestion), suggestion);
      }),
      format: ({ order }) => (order ? [words.word(order)] : NOTHING),
      schema: { type: 'string', enum: Object.keys(directions).map(words.word) },
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

/** Every parameter there is, in the order of documents and links: a new one is one more here. */
const entries: readonly Entry[] = [
  equals,
  sortBy,
  order,
  counting('number_of_elements', 'size'),
  counting('page', 'page'),
];

/** @returns the parameters of a collection's lists */
export const listParameters: Entry = (language, collection) => entries.flatMap((entry) => entry(language, collection));
