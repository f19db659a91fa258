import { vocabulary } from '../../../locale/vocabulary.ts';
import { type FormatName, formatNames } from '../../../model/query.ts';
import { unknownSentence } from '../../../texts/phrase.ts';
import { NOTHING, once, type ParameterFactory } from './parameter.ts';
import { invalid } from './query-string.ts';

/** What other services call them, in every language. */
const SYNONYMS = [
  ['excel', 'xlsx'],
  ['xls', 'xlsx'],
  ['jsonl', 'ndjson'],
  ['jsonlines', 'ndjson'],
] as const;

const formats = vocabulary(Object.fromEntries(formatNames.map((name) => [name, name])), [], SYNONYMS);

export const format: ParameterFactory = ({ parameters }) => {
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
