import type { Value } from '../field.ts';
import { DAY, dayIn, sheetDays } from './date.ts';
import { type Kind, within } from './kind.ts';

/** RFC 3339 §5.6, without leap seconds. */
const INSTANT =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
/** As spreadsheet programs write it: without a zone, and perhaps without seconds. */
const LOCAL = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?$/;

/** Milliseconds are left out where there are none. */
const written = (instant: Value): string => new Date(Number(instant)).toISOString().replace('.000Z', 'Z');

/** @returns milliseconds since the beginning of 1970 */
const instantIn = (text: string): number | undefined => {
  const [, day = ''] = INSTANT.exec(text) ?? [];
  return dayIn(day) === undefined ? undefined : Date.parse(text);
};

/** Times without a zone are in UTC, as those are that the service writes to workbooks, which know no zones. */
const inFile = (text: string): string => {
  const [, day, time, seconds = ':00'] = LOCAL.exec(text.trim()) ?? [];
  return day === undefined ? text.trim() : `${day}T${time}${seconds}Z`;
};

const jsonSchema = { type: 'string', format: 'date-time' } as const;

/** A moment, stored in milliseconds since the beginning of 1970, and written as ISO 8601 does in UTC. */
export const timestampKind: Kind = {
  column: 'INTEGER',
  folded: false,
  hasRanges: true,
  expected: 'value-timestamp',
  limits: ({ min, max }) => ({ min: written(min), max: written(max) }),
  toCell: (field) => (value) => within(field, typeof value === 'string' ? instantIn(value) : undefined),
  jsonSchema: () => jsonSchema,
  in: () => ({
    toJson: (instant) => `"${written(instant)}"`,
    filter: { parse: instantIn, format: written, fault: 'parameter-timestamp', jsonSchema },
    toText: written,
    sheet: { type: 'number', format: 'timestamp', toNumber: (instant) => sheetDays(Number(instant) / DAY) },
    fromCell: (cell) => (typeof cell === 'string' ? inFile(cell) : cell),
    fromDays: (days) => (Math.abs(days) < 1e8 ? written(Math.round(days * DAY)) : undefined),
    meant: inFile,
    control: 'text',
  }),
};
