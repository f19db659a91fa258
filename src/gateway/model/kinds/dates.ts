import type { PhraseName } from '../../texts/phrase.ts';
import type { Value } from '../field.ts';
import { type Explanation, type Kind, type Values, type ValueWords, within } from './kind.ts';

const DAY = 86_400_000;
/** The first day of March 1900, from which on spreadsheet programs agree on the days since 1970, and how many they count to that. */
const [SHEETS_BEGIN, SHEETS_COUNT] = [-25_508, 25_569];

const toSheetDays = (days: number): number | undefined => (days < SHEETS_BEGIN ? undefined : days + SHEETS_COUNT);

const ISO_DAY = /^\d{4}-\d\d-\d\d$/;
/** RFC 3339 §5.6, without leap seconds. */
const INSTANT =
  /^(\d{4}-\d\d-\d\d)T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:(\.\d{1,3})\d*)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;
/** A day as people and spreadsheet programs write it, perhaps with a time. */
const COMMON_DATE =
  /^(?:(\d{4})[-/.](\d\d?)[-/.](\d\d?)|(\d\d?)[-/.](\d\d?)[-/.](\d{4}))(?:[T ](\d\d?):(\d\d)(?::(\d\d)(\.\d+)?)?)?$/i;

const formatDay = (day: Value): string => new Date(Number(day) * DAY).toISOString().slice(0, 10);

/** @returns days since the beginning of 1970; `undefined` for what is no day, such as 30 February */
function parseDay(text: string): number | undefined {
  const day = ISO_DAY.test(text) ? Date.parse(text) / DAY : Number.NaN;
  return !Number.isNaN(day) && formatDay(day) === text ? day : undefined;
}

/** @returns the ISO forms of a day as people write it, and of a time behind it, if there is one */
function readDate(text: string, isDayFirst: boolean): readonly [day: string, time?: string] | undefined {
  const [, year, month, day, first, second, last, hour, minute, seconds = '00', fraction = ''] =
    COMMON_DATE.exec(text.trim()) ?? [];
  if (year === undefined && (last === undefined || !isDayFirst)) return undefined;
  const parts = year === undefined ? [last, second, first] : [year, month, day];
  const iso = parts.map((part = '') => part.padStart(2, '0')).join('-');
  return hour === undefined ? [iso] : [iso, `${hour.padStart(2, '0')}:${minute}:${seconds}${fraction}`];
}

const MIDNIGHT = /^[0:.]+$/;

/** @returns the ISO form of a day as people write it; any other text as it is */
function suggestDay(text: string, isDayFirst: boolean): string {
  const [day, time = '0'] = readDate(text, isDayFirst) ?? [];
  return day !== undefined && MIDNIGHT.test(time) ? day : text;
}

function explainDay(text: string, isDayFirst: boolean): Explanation | undefined {
  const [date = '', time] = readDate(text.replace(/Z$/i, ''), isDayFirst) ?? [];
  if (time === undefined || MIDNIGHT.test(time) || parseDay(date) === undefined) return undefined;
  return { phrase: 'date-with-time', values: { value: text, date }, suggestion: date };
}

/** Creates a kind of times that are stored as whole numbers. @param values are those that depend on the language, or are not texts */
function createTimeKind(
  [expected, fault, format]: readonly [PhraseName, PhraseName, format: string],
  parse: (text: string) => number | undefined,
  write: (cell: Value) => string,
  values: (words: ValueWords) => Omit<Values, 'toJson' | 'filter' | 'toText'>,
): Kind {
  const jsonSchema = { type: 'string', format };
  const shared = {
    toJson: (cell: Value) => `"${write(cell)}"`,
    filter: { parse, format: write, fault, jsonSchema },
    toText: write,
  };
  return {
    column: 'INTEGER',
    hasRanges: true,
    expected,
    limits: ({ min, max }) => ({ min: write(min), max: write(max) }),
    toCell: (field) => (value) => within(field, typeof value === 'string' ? parse(value) : undefined),
    jsonSchema: () => jsonSchema,
    in: (_, words) => ({ ...shared, ...values(words) }),
  };
}

/** A day of the calendar, stored as days since the beginning of 1970, and written as ISO 8601 does. */
export const dateKind = createTimeKind(
  ['value-date', 'parameter-date', 'date'],
  parseDay,
  formatDay,
  ({ isDayFirst }) => ({
    sheet: { type: 'number', format: 'date', toNumber: (day) => toSheetDays(Number(day)) },
    fromCell: (cell) => (typeof cell === 'string' ? suggestDay(cell, isDayFirst) : cell),
    fromDays: (days) => (Number.isInteger(days) && Math.abs(days) < 1e8 ? formatDay(days) : undefined),
    explain: (text) => explainDay(text, isDayFirst),
    suggest: (text) => suggestDay(text, isDayFirst),
    control: 'date',
  }),
);

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
  const [day, time] = readDate(text, isDayFirst) ?? [];
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

const INSTANT_NAMES = ['value-timestamp', 'parameter-timestamp', 'date-time'] as const;

/** A moment, stored in milliseconds since the beginning of 1970, and written as ISO 8601 does in UTC. */
export const timestampKind = createTimeKind(INSTANT_NAMES, parseInstant, formatInstant, ({ isDayFirst, zone }) => {
  const offsetAt: Offsets = zone === 'UTC' ? () => 0 : createOffsets(zone);
  return {
    sheet: { type: 'number', format: 'timestamp', toNumber: (instant) => toSheetDays(Number(instant) / DAY) },
    fromCell: (cell) => (typeof cell === 'string' ? suggestInstant(cell, isDayFirst, offsetAt) : cell),
    fromDays: (days) => (Math.abs(days) < 1e8 ? formatInstant(toInstant(Math.round(days * DAY), offsetAt)) : undefined),
    explain: explainInstant,
    suggest: (text) => suggestInstant(text, isDayFirst, offsetAt),
    control: 'text',
  };
});
