import { unknownSentence } from '../../../texts/phrase.ts';
import type { LazyError } from '../../../texts/problem.ts';
import { COMMA, oneOrMore, readCommaSeparated, repeated } from './comma-separated.ts';
import { NOTHING, once, type ParameterFactory } from './parameter.ts';
import { invalid } from './query-string.ts';

/** A parameter whose values are fields. */
export const fieldList =
  (name: 'sort_by' | 'fields', member: 'sort' | 'fields'): ParameterFactory =>
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
          const { names, errors } = readCommaSeparated(word, value, fields.name, unknown);
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
