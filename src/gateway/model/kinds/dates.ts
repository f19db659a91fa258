import type { Value } from '../field.ts';
import { type Explanation, type Kind, type Values, within } from './kind.ts';

const DAY = 86_400_000;
/** The first day of March 1900, from which on spreadsheet programs agree on the days since 1970, and how many they count to that. */
const [SHEETS_BEGIN, SHEETS_COUNT] = [-25_508, 25_569];

const toSheetDays = (days: number): number | undefined => (days < SHEETS_BEGIN ? undefined : days + SHEETS_COUNT);

const ISO_DAY = /^\d{4}-\d\d-\d\d$/;
/** RFC 3339 §5.6, without leap seconds. */
const INSTANT =
  /^(\d{4}-\d\d-\d\d)T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:(\.\d{1,3})\d*)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;
/** As people and spreadsheet programs write a day, and perhaps a time behind it. */
const WRITTEN =
  /^(?:(\d{4})[-/.](\d\d?)[-/.](\d\d?)|(\d\d?)[-/.](\d\d?)[-/.](\d{4}))(?:[T ](\d\d?):(\d\d)(?::(\d\d)(\.\d+)?)?)?$/i;

const formatDay = (day: Value): string => new Date(Number(day) * DAY).toISOString().slice(0, 10);

/** @returns days since the beginning of 1970; `undefined` for what is no day, such as 30 February */
function parseDay(text: string): number | undefined {
  const day = ISO_DAY.test(text) ? Date.parse(text) / DAY : Number.NaN;
  return !Number.isNaN(day) && formatDay(day) === text ? day : undefined;
}

/** @returns the ISO forms of a day and of the time behind it, if there is one; days stand before months if the language has it so */
function readWritten(text: string, isDayFirst: boolean): readonly [day: string, time?: string] | undefined {
  const [, year, month, day, first, second, last, hour, minute, seconds = '00', fraction = ''] =
    WRITTEN.exec(text.trim()) ?? [];
  if (year === undefined && (last === undefined || !isDayFirst)) return undefined;
  const parts = year === undefined ? [last, second, first] : [year, month, day];
  const iso = parts.map((part = '') => part.padStart(2, '0')).join('-');
  return hour === undefined ? [iso] : [iso, `${hour.padStart(2, '0')}:${minute}:${seconds}${fraction}`];
}

const MIDNIGHT = /^[0:.]+$/;
const DAY_SCHEMA = { type: 'string', format: 'date' } as const;
const MOMENT_SCHEMA = { type: 'string', format: 'date-time' } as const;

/** @returns the ISO form of a day as people write it; any other text as it is */
function suggestDay(text: string, isDayFirst: boolean): string {
  const [day, time = '0'] = readWritten(text, isDayFirst) ?? [];
  return day !== undefined && MIDNIGHT.test(time) ? day : text;
}

function explainDay(text: string, isDayFirst: boolean): Explanation | undefined {
  const [date = '', time] = readWritten(text.replace(/Z$/i, ''), isDayFirst) ?? [];
  if (time === undefined || MIDNIGHT.test(time) || parseDay(date) === undefined) return undefined;
  return { phrase: 'date-with-time', values: { value: text, date }, suggestion: date };
}

/** The part of the values that is the same in every language. */
const dayValues = {
  toJson: (day: Value) => `"${formatDay(day)}"`,
  filter: { parse: parseDay, format: formatDay, fault: 'parameter-date', jsonSchema: DAY_SCHEMA },
  toText: formatDay,
  sheet: { type: 'number', format: 'date', toNumber: (day: Value) => toSheetDays(Number(day)) },
  fromDays: (days: number) => (Number.isInteger(days) && Math.abs(days) < 1e8 ? formatDay(days) : undefined),
  control: 'date',
} as const;

/** A day of the calendar, stored as days since the beginning of 1970, and written as ISO 8601 does. */
export const dateKind: Kind = {
  column: 'INTEGER',
  folded: false,
  hasRanges: true,
  expected: 'value-date',
  limits: ({ min, max }) => ({ min: formatDay(min), max: formatDay(max) }),
  toCell: (field) => (value) => within(field, typeof value === 'string' ? parseDay(value) : undefined),
  jsonSchema: () => DAY_SCHEMA,
  in: (_, { isDayFirst }): Values => ({
    ...dayValues,
    fromCell: (cell) => (typeof cell === 'string' ? suggestDay(cell, isDayFirst) : cell),
    explain: (text) => explainDay(text, isDayFirst),
    suggest: (text) => suggestDay(text, isDayFirst),
  }),
};

const formatInstant = (instant: Value): string => new Date(Number(instant)).toISOString().replace('.000Z', 'Z');

/** @returns milliseconds since the beginning of 1970, without the rest of a longer fraction */
function parseInstant(text: string): number | undefined {
  const [, day = '', time, fraction = '', zone = ''] = INSTANT.exec(text) ?? [];
  return parseDay(day) === undefined ? undefined : Date.parse(`${day}T${time}${fraction}${zone.toUpperCase()}`);
}

/** Milliseconds by which the clock of a zone is ahead of UTC. */
type Offsets = (instant: number) => number;

function createOffsets(zone: string): Offsets {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  return (instant) => {
    const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign = '+', hours = 0, minutes = 0, seconds = 0] = /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name) ?? [];
    return Number(`${sign}1`) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
  };
}

/** @returns a moment, of milliseconds since 1970 as if the clock of a zone were that of UTC */
const toInstant = (local: number, offsetAt: Offsets): number => local - offsetAt(local - offsetAt(local));

function suggestInstant(text: string, isDayFirst: boolean, offsetAt: Offsets): string {
  const [day, time] = readWritten(text, isDayFirst) ?? [];
  const local = time === undefined ? undefined : parseInstant(`${day}T${time}Z`);
  return local === undefined ? text.trim() : formatInstant(toInstant(local, offsetAt));
}

/** In a query, a plus sign that is not escaped is a space. */
function explainInstant(text: string, place: string): Explanation | undefined {
  const restored = text.replace(/ (?=\d\d:\d\d$)/, '+');
  if (place !== 'query' || restored === text || parseInstant(restored) === undefined) return undefined;
  const suggestion = restored.replace('+', '%2B');
  return { phrase: 'value-suggested', values: { value: text, suggestion }, suggestion };
}

/** The part of the values that is the same in every language. */
const instantValues = {
  toJson: (instant: Value) => `"${formatInstant(instant)}"`,
  filter: { parse: parseInstant, format: formatInstant, fault: 'parameter-timestamp', jsonSchema: MOMENT_SCHEMA },
  toText: formatInstant,
  sheet: { type: 'number', format: 'timestamp', toNumber: (instant: Value) => toSheetDays(Number(instant) / DAY) },
  explain: explainInstant,
  control: 'text',
} as const;

/** A moment, stored in milliseconds since the beginning of 1970, and written as ISO 8601 does in UTC. */
export const timestampKind: Kind = {
  column: 'INTEGER',
  folded: false,
  hasRanges: true,
  expected: 'value-timestamp',
  limits: ({ min, max }) => ({ min: formatInstant(min), max: formatInstant(max) }),
  toCell: (field) => (value) => within(field, typeof value === 'string' ? parseInstant(value) : undefined),
  jsonSchema: () => MOMENT_SCHEMA,
  in: (_, { isDayFirst, zone }): Values => {
    const offsetAt: Offsets = zone === 'UTC' ? () => 0 : createOffsets(zone);
    return {
      ...instantValues,
      fromCell: (cell) => (typeof cell === 'string' ? suggestInstant(cell, isDayFirst, offsetAt) : cell),
      fromDays: (days) =>
        Math.abs(days) < 1e8 ? formatInstant(toInstant(Math.round(days * DAY), offsetAt)) : undefined,
      suggest: (text) => suggestInstant(text, isDayFirst, offsetAt),
    };
  },
};
