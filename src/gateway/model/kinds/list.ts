import type { Value } from '../field.ts';
import type { Kind } from './kind.ts';
import { CONTROL, isLengthWithin, SAFE, storable, stringOf, textValues } from './text.ts';

/** Between the texts of a cell: a line break, which none of them contains. */
export const LINE = '\n';
const LINES = /\r\n?|\n/;
/** Where people write several texts in one. */
const BETWEEN = /[,;]/;
const PATTERN = `^${SAFE}*$`;

const textsIn = (cell: Value): readonly string[] => String(cell).split(LINE);

/** Texts, stored in one, a line each, and returned exactly as sent. None at all is no value. */
export const listKind: Kind = {
  column: 'TEXT',
  folded: true,
  hasRanges: false,
  isList: true,
  expected: 'value-list',
  expectedInCell: 'cell-list',
  limits: ({ max, most = Infinity }) => ({ max, most }),
  toCell: ({ most = Infinity, ...field }) => {
    const toText = storable((text) => {
      if (text.trim() === '') return { fault: 'list-blank' };
      return isLengthWithin(text, field) && !CONTROL.test(text) ? text : undefined;
    });
    return (value) => {
      if (!Array.isArray(value) || value.length > most) return undefined;
      const texts = value.map(toText);
      const wrong = texts.findIndex((text) => typeof text !== 'string');
      if (wrong !== -1) return texts[wrong];
      return texts.length === 0 ? null : texts.join(LINE);
    };
  },
  jsonSchema: ({ most, ...field }) => ({ type: 'array', items: stringOf(PATTERN, field), maxItems: most }),
  in: () => ({
    ...textValues,
    toJson: (cell) => `[${textsIn(cell).map(textValues.toJson).join()}]`,
    filter: {
      parse: (sent) => (CONTROL.test(sent) ? undefined : sent),
      format: String,
      fault: 'parameter-list',
      jsonSchema: { type: 'string', pattern: PATTERN },
    },
    fromCell: (cell) => (typeof cell === 'string' ? cell.split(LINES) : cell),
    meant: (text) =>
      text
        .split(BETWEEN)
        .map((each) => each.trim())
        .filter((each) => each !== ''),
  }),
};
