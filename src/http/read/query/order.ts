import { type Direction, directions } from '../../../model/query.ts';
import { sentence, unknownSentence } from '../../../texts/phrase.ts';
import type { LazyError } from '../../../texts/problem.ts';
import { type Entry, NOTHING, once } from './parameter.ts';
import { invalid } from './query-string.ts';
import { COMMA, oneOrMore, readSeveral } from './several.ts';

export const order: Entry = ({ parameters, directions: words }) => {
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
