import { formats } from '../../formats/formats.ts';
import { vocabulary } from '../../locale/vocabulary.ts';
import { unknownSentence } from '../../texts/phrase.ts';
import { invalid, once, type ParameterFactory } from './parameter.ts';

export const format: ParameterFactory = ({ parameters }) => {
  const word = parameters.word('format');
  const names = formats.map(({ name }) => name);
  const {
    name: nameOf,
    known,
    suggest,
  } = vocabulary(
    Object.fromEntries(names.map((name) => [name, name])),
    [],
    formats.flatMap(({ name, synonyms = [] }) => synonyms.map((each) => [each, name] as const)),
  );
  return [
    {
      name: 'format',
      word,
      kind: 'token',
      parse: once(word, (value) => {
        const name = nameOf(value);
        if (name !== undefined) return { format: name };
        const suggestion = suggest(value);
        return invalid(word, unknownSentence('format', { word, value, known }, suggestion), suggestion);
      }),
      format: ({ format: name }) => (name === undefined ? undefined : [name]),
      schema: { type: 'string', enum: names },
      text: 'parameter-format',
    },
  ];
};
