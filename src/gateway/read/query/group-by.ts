import { sentence, unknownSentence } from '../../texts/phrase.ts';
import { COMMA, NOTHING, once, type ParameterFactory } from './parameter.ts';
import { invalid } from './query-string.ts';

/**
 * The field by whose values items are counted. Groups have a fixed order and fixed members, so parameters that change these
 * are errors.
 */
export const groupBy: ParameterFactory = (language, collection) => {
  const fields = language.fields(collection);
  const { parameters } = language;
  const { of } = language.nouns(collection);
  const word = parameters.word('group_by');
  const orders = ['sort_by', 'order'].map(parameters.word);
  const members = ['fields', 'include'].map(parameters.word);
  return [
    {
      name: 'group_by',
      word,
      kind: 'field',
      isPure: true,
      parse: once(word, (value, sent) => {
        const name = fields.name(value);
        const group = collection.fields.find((field) => field.name === name);
        if (!group) {
          if (value.includes(COMMA)) return invalid(word, sentence('group-several', { word }));
          const suggestion = fields.suggest(value);
          const values = { word, value, of, known: fields.known };
          return invalid(word, unknownSentence('sort', values, suggestion), suggestion);
        }
        const refused = [...orders, ...members].filter((each) => sent.has(each));
        if (refused.length === 0) return { group };
        return refused.map((each) => {
          const phrase = orders.includes(each) ? 'group-ordered' : 'group-whole';
          return invalid(each, sentence(phrase, { word: each, group: word }));
        });
      }),
      format: ({ group }) => (group ? [fields.word(group.name)] : NOTHING),
      schema: { type: 'string', enum: collection.fields.map(({ name }) => fields.word(name)) },
      text: 'parameter-group_by',
    },
  ];
};
