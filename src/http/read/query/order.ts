import { type Direction, directions } from '../../../model/query.ts';
import { sentence, unknownSentence } from '../../../texts/phrase.ts';
import type { LazyError } from '../../../texts/problem.ts';
import { COMMA, oneOrMore, readCommaSeparated } from './comma-separated.ts';
import { NOTHING, once, type ParameterFactory } from './parameter.ts';
import { invalid } from './query-string.ts';

export const order: ParameterFactory = ({ parameters, directions: words }) => {
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
        const { names, errors } = readCommaSeparated(word, value, words.name, unknown);
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
