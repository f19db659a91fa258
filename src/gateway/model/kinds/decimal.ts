import type { Value } from '../field.ts';
import { bounded, type Kind, within } from './kind.ts';

const PLAIN = /^(-?)(\d+)(?:\.(\d+))?$/;
/** Numbers in files, perhaps with a sign between thousands: where a comma stands before decimals, and where a point does. */
const WITH_COMMA = /^([+-]?)(\d+|\d{1,3}(?:[. \u00a0\u202f]\d{3})+)(?:,(\d+))?$/;
const WITH_POINT = /^([+-]?)(\d+|\d{1,3}(?:[, \u00a0\u202f]\d{3})+)(?:\.(\d+))?$/;

/** @returns the number in units of its last decimal, exactly; `undefined` where the text has more decimals */
const unitsIn = (found: RegExpExecArray | null, scale: number): number | undefined => {
  const [, sign, whole = '', decimals = ''] = found ?? [];
  if (whole === '' || /[1-9]/.test(decimals.slice(scale))) return undefined;
  const units = bounded(Number(whole.replaceAll(/\D/g, '') + decimals.slice(0, scale).padEnd(scale, '0')));
  return sign === '-' ? 0 - units : units;
};

const written = (units: Value, scale: number, point: string): string => {
  const digits = String(Math.abs(Number(units))).padStart(scale + 1, '0');
  const sign = Number(units) < 0 ? '-' : '';
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}${point}${digits.slice(-scale)}`;
};

/** A double has too few digits to tell greater numbers of units from each other. */
const isExact = (value: number, scale: number): boolean => {
  const units = Math.round(value * 10 ** scale);
  return Number.isSafeInteger(units) && units / 10 ** scale === value;
};

/** A number with so many decimals at most, stored exactly: as a whole number of units of the last one. */
export const decimalKind: Kind = {
  column: 'INTEGER',
  folded: false,
  hasRanges: true,
  expected: 'value-decimal',
  limits: ({ min, max, scale = 0 }) => ({ min, max, scale }),
  toCell: (field) => (value) => {
    const { scale = 0 } = field;
    const number = within(field, typeof value === 'number' ? value : undefined);
    return number !== undefined && isExact(number, scale) ? Math.round(number * 10 ** scale) + 0 : undefined;
  },
  jsonSchema: ({ min, max }) => ({ type: 'number', minimum: min, maximum: max }),
  in: ({ scale = 0 }, { hasDecimalComma }) => {
    const [pattern, point] = hasDecimalComma ? [WITH_COMMA, ','] : [WITH_POINT, '.'];
    const inFile = (text: string): unknown => {
      const units = unitsIn(pattern.exec(text.trim()) ?? PLAIN.exec(text.trim()), scale);
      return units === undefined ? text : units / 10 ** scale;
    };
    const toJson = (units: Value): string => written(units, scale, '.');
    return {
      toJson,
      filter: {
        parse: (sent) => unitsIn(PLAIN.exec(sent), scale),
        format: toJson,
        fault: 'parameter-decimal',
        jsonSchema: { type: 'number' },
      },
      toText: (units) => written(units, scale, point),
      sheet: {
        type: 'number',
        ...(scale === 2 ? { format: 'money' } : {}),
        toNumber: (units) => Number(units) / 10 ** scale,
      },
      fromCell: (cell) => (typeof cell === 'string' ? inFile(cell) : cell),
      fromNumber: Number,
      meant: inFile,
      control: 'decimal',
    };
  },
};
