import { fold } from '../../../../packages/vocabularies/src/words.ts';
import type { Value } from '../field.ts';
import type { Kind } from './kind.ts';

const parseFlag = (text: string): Value | undefined => (text === 'true' ? 1 : text === 'false' ? 0 : undefined);
const formatFlag = (value: Value): string => (value === 1 ? 'true' : 'false');
const jsonSchema = { type: 'boolean' } as const;

/** `true` or `false`, stored as 1 and 0. */
export const flagKind: Kind = {
  column: 'INTEGER',
  folded: false,
  hasRanges: false,
  expected: 'value-flag',
  expectedInCell: 'value-choice',
  limits: (_, { knownFlags }) => ({ known: knownFlags }),
  toCell: () => (value) => (typeof value === 'boolean' ? Number(value) : undefined),
  jsonSchema: () => jsonSchema,
  in: (_, { flags, everyFlag }) => ({
    toJson: formatFlag,
    filter: { parse: parseFlag, format: formatFlag, fault: 'parameter-flag', jsonSchema },
    toText: formatFlag,
    sheet: { type: 'boolean' },
    fromCell: (cell) => (typeof cell === 'string' ? (flags.get(fold(cell.trim())) ?? cell) : cell),
    meant: (text) => everyFlag.get(fold(text.trim())) ?? text,
    control: 'flag',
  }),
};
