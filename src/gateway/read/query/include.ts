import { unknownSentence } from '../../texts/phrase.ts';
import type { LazyError } from '../../texts/problem.ts';
import { COMMA, NOTHING, once, oneOrMore, type ParameterFactory, readCommaSeparated, repeated } from './parameter.ts';
import { invalid } from './query-string.ts';

/** The nested collections whose items are included in each item. A collection without nested ones has no such parameter. */
export const include: ParameterFactory = (language, collection) => {
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
      isPure: true,
      parse: once(word, (value) => {
        const { names, errors } = readCommaSeparated(word, value, paths.name, unknown);
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
