import type { Field, Value } from '../field.ts';
import { type Measure, unitSign } from '../units.ts';
import { type JsonSchema, type Kind, type Values, type ValueWords, within } from './kind.ts';

/** Numbers beyond 2^53 become the greatest exact one, which is still outside every field's limits. */
const clamp = (value: number): number =>
  Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value)) + 0;

interface NumberStyle {
  readonly decimal: '.' | ',';
  /** Whether people write in a language, as in files and commands, and not by the rules of queries. */
  readonly isOfPeople: boolean;
  /** Whether a client has said what stands before decimals, so that nothing is ambiguous. */
  readonly isChosen: boolean;
}

const QUERY: NumberStyle = { decimal: '.', isOfPeople: false, isChosen: false };

/** The meaning of a text: a whole number of units of the last decimal, or two numbers if it may be either. */
type Reading = { readonly units: number } | { readonly readings: readonly [whole: string, decimal: string] };

const NUMBER = /^([+-]?)(\d+(?:[., \u00a0\u202f]\d+)*)$/;
const GROUPS = /^[1-9]\d{0,2}(?: \d{3})+$/;

/**
 * Two signs, or one sign twice, can only mean one number. A single sign before exactly three digits is for thousands if the
 * language has it so; if it may as well stand before decimals, both readings are returned.
 */
function readNumber(text: string, { scale = 0, unit }: Field, style: NumberStyle): Reading | undefined {
  const [, sign = '', digits = ''] = NUMBER.exec(removeUnit(style.isOfPeople ? text.trim() : text, unit)) ?? [];
  if (digits === '' || (sign === '+' && !style.isOfPeople)) return undefined;
  const groups = digits.split(/\D/);
  const signs = digits.replaceAll(/\d/g, '');
  const last = signs.at(-1) ?? '';
  const fraction = groups.at(-1) ?? '';
  const areGroups = GROUPS.test(groups.join(' '));
  if (last === '') return toReading(sign, digits, '', scale, style);
  if (signs.length > 1 || last.trim() === '') {
    const isDecimal = last.trim() !== '' && signs.indexOf(last) === signs.length - 1;
    const thousands = isDecimal ? groups.slice(0, -1) : groups;
    const areAlike = new Set(isDecimal ? signs.slice(0, -1) : signs).size === 1;
    if (!areAlike || !GROUPS.test(thousands.join(' '))) return undefined;
    return toReading(sign, thousands.join(''), isDecimal ? fraction : '', scale, style);
  }
  const isDecimal = last === style.decimal;
  if (areGroups && !(isDecimal && (scale === 3 || style.isChosen))) {
    if (!isDecimal && style.isOfPeople) return toReading(sign, groups.join(''), '', scale, style);
    const decimals = trimZeros(fraction);
    const point = style.isOfPeople ? style.decimal : '.';
    const decimal = sign + groups[0] + (decimals === '' ? '' : point + decimals);
    return { readings: [sign + groups.join(''), decimal] };
  }
  // Spreadsheet programs write a point in any language, and zeros behind integers.
  const isAllowed = isDecimal || (style.isOfPeople && (last === '.' || /^0+$/.test(fraction)));
  if (!isAllowed || (scale === 0 && !style.isOfPeople)) return undefined;
  return toReading(sign, groups[0] ?? '', fraction, scale, style);
}

function toReading(sign: string, whole: string, fraction: string, scale: number, { isOfPeople }: NumberStyle) {
  let units = clamp(Number(whole + fraction.slice(0, scale).padEnd(scale, '0')));
  if (/[1-9]/.test(fraction.slice(scale))) {
    const rounded = removeNoise(`${whole}.${fraction}`);
    if (!isOfPeople || rounded === undefined || !isExact(rounded, scale)) return undefined;
    units = Math.round(rounded * 10 ** scale);
  }
  return { units: sign === '-' ? 0 - units : units };
}

function readDigits(text: string): string {
  return (text.split(/e/i, 1)[0] ?? '').replaceAll(/\D/g, '').replace(/^0+/, '');
}

/** Removes zeros from the end; a regular expression would look for them again and again. */
function trimZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

/** @returns the number of a text that has more digits than a double can hold; `undefined` if it has none too many */
function removeNoise(text: string): number | undefined {
  const digits = readDigits(text);
  return digits.length > 15 ? Number(Number(text).toPrecision(15)) : undefined;
}

function isExact(value: number, scale: number): boolean {
  const units = Math.round(value * 10 ** scale);
  return Number.isSafeInteger(units) && units / 10 ** scale === value;
}

/** @returns a text without the unit or the currency of its field, which may stand behind a number */
function removeUnit(text: string, unit: string | undefined): string {
  if (unit === undefined) return text;
  const withoutPoint = text.endsWith('.') ? text.slice(0, -1) : text;
  const names = [unit, unitSign(unit)].map((name) => name.toLowerCase());
  const suffix = names.find((name) => withoutPoint.toLowerCase().endsWith(name));
  return suffix === undefined ? text : withoutPoint.slice(0, -suffix.length).trimEnd();
}

/** Numbers in JSON that may have more digits than a double holds, or become 0. */
export const IMPRECISE = /[\d.]{18}|\d[eE]-\d/;

/** Revives JSON: a number that a double cannot hold, such as `1e-400`, stays as it was sent, which no field takes. */
export function keepPrecision(_: string, value: unknown, { source = '' }: { readonly source?: string } = {}): unknown {
  if (typeof value !== 'number') return value;
  const digits = readDigits(source);
  const isLost = (value === 0 && digits !== '') || (!Number.isInteger(value) && trimZeros(digits).length > 17);
  return isLost ? (JSON as JSON & { rawJSON(text: string): unknown }).rawJSON(source) : value;
}

/** Reads the digits of a number of a workbook, which may have an exponent, and the noise of a double. */
function fromNumber(digits: string): unknown {
  const value = Number(digits);
  if (value === 0 && /^[^e]*[1-9]/i.test(digits)) return digits;
  return Number.isInteger(value) ? value : (removeNoise(digits) ?? value);
}

function formatUnits(units: Value, scale: number, point: string): string {
  const digits = String(Math.abs(Number(units))).padStart(scale + 1, '0');
  const sign = Number(units) < 0 ? '-' : '';
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}${point}${digits.slice(-scale)}`;
}

function readUnits(text: string, field: Field, style: NumberStyle): number | undefined {
  const reading = readNumber(text, field, style);
  return reading && 'units' in reading ? reading.units : undefined;
}

function numberValues(field: Field, { decimal, hasChosenDecimal }: ValueWords): Omit<Values, 'control'> {
  const { scale = 0 } = field;
  const style: NumberStyle = { decimal, isOfPeople: true, isChosen: hasChosenDecimal };
  const styles = [QUERY, style, { ...style, decimal: decimal === ',' ? '.' : ',' } as const];
  const toJson = (units: Value): string => formatUnits(units, scale, '.');
  const explain: Values['explain'] = (text, place) => {
    const reading = readNumber(text, field, place === 'cell' ? style : QUERY);
    if (!reading || 'units' in reading) return undefined;
    const [whole, decimals] = reading.readings;
    return { phrase: 'number-ambiguous', values: { value: text, whole, decimals } };
  };
  return {
    toJson,
    filter: {
      parse: (text) => readUnits(text, field, QUERY),
      format: toJson,
      fault: scale === 0 ? 'parameter-integer' : 'parameter-decimal',
      jsonSchema: { type: scale === 0 ? 'integer' : 'number' },
    },
    toText: (units) => formatUnits(units, scale, decimal),
    sheet: {
      type: 'number',
      ...(scale === 2 ? { format: 'money' } : {}),
      ...(scale > 0 ? { toNumber: (units: Value) => Number(units) / 10 ** scale } : {}),
    },
    fromCell: (cell) => {
      const units = typeof cell === 'string' ? readUnits(cell, field, style) : undefined;
      return units === undefined ? cell : units / 10 ** scale;
    },
    fromNumber,
    explain,
    suggest: (text) => {
      if (explain(text, 'query')) return text;
      const units = styles.map((other) => readUnits(text, field, other)).find((reading) => reading !== undefined);
      return units === undefined ? text : units / 10 ** scale;
    },
  };
}

/** More decimals than any unit has: the ends of ranges, and what is refused, may have them. */
const FINE = 6;

/** Numbers in another unit than that in which they are stored: only those are values that a stored one is written as. */
function measuredValues(field: Field, words: ValueWords, measure: Measure): Omit<Values, 'control'> {
  const { scale: stored = 0 } = field;
  const { scale, unit, show, nearest } = measure;
  const displayField = { ...field, scale, unit };
  const values = numberValues(displayField, words);
  const { filter } = values;
  const style: NumberStyle = { decimal: words.decimal, isOfPeople: true, isChosen: words.hasChosenDecimal };
  const readFine = (text: string, of: NumberStyle): number | undefined => {
    const units = readUnits(text, { ...displayField, scale: FINE }, of);
    return units === undefined ? undefined : units / 10 ** FINE;
  };
  const toCell = (value: number): number | undefined => {
    const cell = nearest(value);
    return isExact(value, scale) && show(cell) === Math.round(value * 10 ** scale) ? cell : undefined;
  };
  const fromJson = (value: unknown): unknown =>
    typeof value === 'number' ? (toCell(value) ?? Number.NaN) / 10 ** stored : value;
  const explain: Values['explain'] = (text, place) => {
    const known = values.explain?.(text, place);
    const value = readFine(text, place === 'cell' ? style : QUERY);
    if (known || value === undefined || toCell(value) !== undefined) return known;
    const cell = nearest(value);
    const least = show(cell) / 10 ** scale < value ? cell : cell - 1;
    if (least < field.min * 10 ** stored || least >= field.max * 10 ** stored) return undefined;
    const write = (units: number) => formatUnits(show(units), scale, place === 'cell' ? words.decimal : '.');
    const [low, high] = [write(least), write(least + 1)];
    const suggestion = cell === least ? low : high;
    return { phrase: 'value-between', values: { value: text, unit, stored: field.unit ?? '', low, high }, suggestion };
  };
  return {
    ...values,
    expected: scale === 0 ? 'value-integer' : 'value-decimal',
    toJson: (cell) => values.toJson(show(Number(cell))),
    fromJson,
    filter: {
      ...filter,
      parse: (text) => {
        const units = filter.parse(text);
        return units === undefined ? undefined : toCell(Number(units) / 10 ** scale);
      },
      parseEnd: (text, end) => {
        const value = readFine(text, QUERY);
        if (value === undefined) return undefined;
        const cell = nearest(value);
        const difference = show(cell) / 10 ** scale - value;
        if (end === 'from') return difference < 0 ? cell + 1 : cell;
        return difference > 0 ? cell - 1 : cell;
      },
      format: (cell) => filter.format(show(Number(cell))),
    },
    toText: (cell) => values.toText(show(Number(cell))),
    sheet: { type: 'number', toNumber: (cell) => show(Number(cell)) / 10 ** scale },
    fromCell: (cell) => fromJson(values.fromCell(cell)),
    fromNumber: (digits) => fromJson(fromNumber(digits)),
    explain,
  };
}

const createValues = (field: Field, words: ValueWords): Omit<Values, 'control'> =>
  words.measure ? measuredValues(field, words, words.measure) : numberValues(field, words);

/** @returns the limits of a field in the unit in which its numbers are written, and the count of their decimals */
function convertLimits(field: Field, { measure }: ValueWords): { min: number; max: number; count: number } {
  const { min, max, scale = 0 } = field;
  if (!measure) return { min, max, count: scale };
  const [low = 0, high = 0] = [min, max].map((limit) => measure.show(limit * 10 ** scale) / 10 ** measure.scale);
  return { min: low, max: high, count: measure.scale };
}

function describeSchema(field: Field, words: ValueWords): JsonSchema {
  const { min: minimum, max: maximum, count } = convertLimits(field, words);
  return count === 0 ? { type: 'integer', format: 'int32', minimum, maximum } : { type: 'number', minimum, maximum };
}

/** A whole number within the field's limits; `1.0` is one, `-0` is 0. */
export const integerKind: Kind = {
  column: 'INTEGER',
  hasRanges: true,
  expected: 'value-integer',
  toCell: (field) => (value) => (Number.isSafeInteger(value) ? within(field, Number(value)) : undefined),
  limits: convertLimits,
  jsonSchema: describeSchema,
  in: (field, words) => ({ ...createValues(field, words), control: words.measure?.scale ? 'decimal' : 'numeric' }),
};

export const decimalKind: Kind = {
  ...integerKind,
  expected: 'value-decimal',
  toCell: (field) => (value) => {
    const { scale = 0 } = field;
    const number = within(field, typeof value === 'number' ? value : undefined);
    return number !== undefined && isExact(number, scale) ? Math.round(number * 10 ** scale) + 0 : undefined;
  },
  jsonSchema: (field, words) => {
    const { min: minimum, max: maximum } = convertLimits(field, words);
    return { type: 'number', minimum, maximum };
  },
  in: (field, words) => ({ ...createValues(field, words), control: 'decimal' }),
};
