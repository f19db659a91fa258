import { bounded, type Kind, type Values, within } from './kind.ts';

const WHOLE = /^-?\d+$/;
/** As spreadsheet programs write it. Three zeros are not accepted: they may mean thousands. */
const WHOLE_CELL = /^([+-]?\d+)(?:[.,]0{1,2})?$/;

const fromText = (cell: string | boolean): unknown => {
  const [, digits] = (typeof cell === 'string' && WHOLE_CELL.exec(cell.trim())) || [];
  return digits === undefined ? cell : Number(digits);
};

const integerValues: Values = {
  toJson: String,
  filter: {
    parse: (sent) => (WHOLE.test(sent) ? bounded(Number(sent)) : undefined),
    format: String,
    fault: 'parameter-integer',
    jsonSchema: { type: 'integer' },
  },
  toText: String,
  sheet: { type: 'number' },
  fromCell: fromText,
  meant: fromText,
  control: 'numeric',
};

/** A whole number within the field's limits; `1.0` is one, `-0` is 0. */
export const integerKind: Kind = {
  column: 'INTEGER',
  folded: false,
  hasRanges: true,
  expected: 'value-integer',
  toCell: (field) => (value) => (Number.isSafeInteger(value) ? within(field, Number(value)) : undefined),
  jsonSchema: ({ min, max }) => ({ type: 'integer', format: 'int32', minimum: min, maximum: max }),
  in: () => integerValues,
};
