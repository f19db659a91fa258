import type { Value } from '../field.ts';
import { type Kind, within } from './kind.ts';

export const DAY = 86_400_000;
/** The first day of March 1900, from which on spreadsheet programs agree on the days since 1970, and how many they count to that. */
const [SHEETS_BEGIN, SHEETS_COUNT] = [-25_508, 25_569];

/** @returns the number by which a spreadsheet counts a time. @param days since the beginning of 1970 */
export const sheetDays = (days: number): number | undefined => (days < SHEETS_BEGIN ? undefined : days + SHEETS_COUNT);

const ISO = /^\d{4}-\d\d-\d\d$/;
/** As spreadsheet programs write it, with the day before the month where the language does. */
const YEAR_FIRST = /^(\d{4})[-/.](\d\d?)[-/.](\d\d?)$/;
const DAY_FIRST = /^(\d\d?)[-/.](\d\d?)[-/.](\d{4})$/;

const written = (day: Value): string => new Date(Number(day) * DAY).toISOString().slice(0, 10);

/** @returns days since the beginning of 1970; `undefined` for what is no day, such as 30 February */
export const dayIn = (text: string): number | undefined => {
  const day = ISO.test(text) ? Date.parse(text) / DAY : Number.NaN;
  return !Number.isNaN(day) && written(day) === text ? day : undefined;
};

const isoOf = (year = '', month = '', day = ''): string => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;

const inFile = (text: string, isDayFirst: boolean): string => {
  const [, year, month, day] = YEAR_FIRST.exec(text.trim()) ?? [];
  if (year !== undefined) return isoOf(year, month, day);
  const [, first, second, last] = (isDayFirst && DAY_FIRST.exec(text.trim())) || [];
  return last === undefined ? text : isoOf(last, second, first);
};

const jsonSchema = { type: 'string', format: 'date' } as const;

/** A day of the calendar, stored as days since the beginning of 1970, and written as ISO 8601 does. */
export const dateKind: Kind = {
  column: 'INTEGER',
  folded: false,
  hasRanges: true,
  expected: 'value-date',
  limits: ({ min, max }) => ({ min: written(min), max: written(max) }),
  toCell: (field) => (value) => within(field, typeof value === 'string' ? dayIn(value) : undefined),
  jsonSchema: () => jsonSchema,
  in: (_, { isDayFirst }) => ({
    toJson: (day) => `"${written(day)}"`,
    filter: { parse: dayIn, format: written, fault: 'parameter-date', jsonSchema },
    toText: written,
    sheet: { type: 'number', format: 'date', toNumber: (day) => sheetDays(Number(day)) },
    fromCell: (cell) => (typeof cell === 'string' ? inFile(cell, isDayFirst) : cell),
    // A time is none of a date.
    fromDays: (days) => (Number.isInteger(days) && Math.abs(days) < 1e8 ? written(days) : undefined),
    meant: (text) => inFile(text, isDayFirst),
    control: 'date',
  }),
};
