import type { Kind } from './kind.ts';

const WHOLE = /^-?\d+$/;
/** As spreadsheet programs write it. Three zeros are not accepted: they may mean thousands. */
const WHOLE_CELL = /^([+-]?\d+)(?:[.,]0{1,2})?$/;

/** Numbers beyond 2^53 become the greatest exact one, which is still outside every field's limits. */
const bounded = (value: number): number =>
  Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value)) + 0;

/** A whole number within the field's limits; `1.0` is one, `-0` is 0. */
export const integerKind: Kind = {
  column: 'INTEGER',
  folded: false,
  expected: 'value-integer',
  schema: (zod, { min, max }) =>
    zod
      .int()
      .min(min)
      .max(max)
      .overwrite((value) => value + 0),
  jsonSchema: ({ min, max }) => ({ type: 'integer', format: 'int32', minimum: min, maximum: max }),
  fromCell: (cell) => {
    const [, digits] = (typeof cell === 'string' && WHOLE_CELL.exec(cell.trim())) || [];
    return digits === undefined ? cell : Number(digits);
  },
  filter: {
    parse: (sent) => (WHOLE.test(sent) ? bounded(Number(sent)) : undefined),
    format: String,
    fault: 'parameter-integer',
    jsonSchema: { type: 'integer' },
  },
  sheetType: 'number',
  hasRanges: true,
  toJson: String,
};
