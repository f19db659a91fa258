import { unknownSentence } from '../../texts/phrase.ts';
import type { LazyError } from '../../texts/problem.ts';
import { sortTerms } from '../meant/sort-terms.ts';
import { COMMA, NOTHING, once, oneOrMore, type ParameterFactory, readCommaSeparated, repeated } from './parameter.ts';
import { invalid } from './query-string.ts';

/** A parameter whose values are fields. */
export const fieldList =
  (name: 'sort_by' | 'fields', member: 'sort' | 'fields'): ParameterFactory =>
  (language, collection) => {
    const fields = language.fields(collection);
    const { of } = language.nouns(collection);
    const word = language.parameters.word(name);
    const sorted = sortTerms(language, collection);
    const order = language.parameters.word('order');
    const unknown = (value: string, suggestion = fields.suggest(value)): LazyError => {
      const known = fields.nearest(value);
      return invalid(word, unknownSentence('sort', { word, value, of, known }, suggestion), suggestion, value);
    };
    return [
      {
        name,
        word,
        kind: 'field',
        isPure: true,
        parse: once(word, (value, sent) => {
          const { names, errors } = readCommaSeparated(word, value, fields.name, unknown);
          const isUnclear = errors.some((error) => error().suggestion === undefined);
          const terms = name === 'sort_by' && isUnclear ? sorted(value, sent.has(order)) : undefined;
          if (terms) return unknown(value, terms.suggestion);
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
