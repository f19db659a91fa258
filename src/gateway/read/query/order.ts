import { type Direction, directions } from '../../model/query.ts';
import { sentence, unknownSentence } from '../../texts/phrase.ts';
import type { LazyError } from '../../texts/problem.ts';
import { sortTerms } from '../meant/sort-terms.ts';
import { COMMA, NOTHING, once, oneOrMore, type ParameterFactory, readCommaSeparated } from './parameter.ts';
import { invalid } from './query-string.ts';

export const order: ParameterFactory = (language, collection) => {
  const { parameters, directions: words } = language;
  const sorted = sortTerms(language, collection);
  const word = parameters.word('order');
  const sort = parameters.word('sort_by');
  const both = { asc: words.word('asc'), desc: words.word('desc') };
  const unknown = (value: string, suggestion = words.suggest(value)): LazyError => {
    return invalid(word, unknownSentence('order', { word, value, ...both }, suggestion), suggestion, value);
  };
  return [
    {
      name: 'order',
      word,
      kind: 'value',
      isPure: true,
      parse: once(word, (value, sent) => {
        const { names, errors } = readCommaSeparated(word, value, words.name, unknown);
        // `order=year`, `order=-year`
        const terms = errors.length > 0 && !sent.has(sort) ? sorted(value, false) : undefined;
        if (terms && terms.name !== 'order') return unknown(value, terms.suggestion);
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
