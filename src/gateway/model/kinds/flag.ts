import type { Value } from '../field.ts';
import { fold } from '../search/fold.ts';
import type { Kind } from './kind.ts';

const VALUES: ReadonlyMap<string, Value> = new Map([
  ['true', 1],
  ['false', 0],
]);

const format = (value: Value): string => (value === 1 ? 'true' : 'false');

/** `true` or `false`, stored as 1 and 0. */
export const flagKind: Kind = {
  column: 'INTEGER',
  folded: false,
  expected: 'value-flag',
  expectedInCell: 'cell-flag',
  schema: (zod) => zod.boolean().transform(Number),
  jsonSchema: () => ({ type: 'boolean' }),
  fromCell: (cell, flags) => (typeof cell === 'string' ? (flags.get(fold(cell.trim())) ?? cell) : cell),
  filter: { parse: (sent) => VALUES.get(sent), format, fault: 'parameter-flag', jsonSchema: { type: 'boolean' } },
  sheetType: 'boolean',
  hasRanges: false,
  toJson: format,
};
