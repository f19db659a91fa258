/** What the columns of a file have that is probably not meant. */
import type { Collection } from '../../model/catalogue.ts';
import type { Field, Value } from '../../model/field.ts';
import type { FileRow, ImportWarning } from '../../model/import.ts';
import { LISTED } from '../../texts/problem.ts';

/** A number as spreadsheet programs shorten it: `8,43700123456789E+018`. */
const SHORTENED = /^[+-]?\d+(?:[.,]\d+)?E[+-]\d+$/i;
/** What spreadsheet programs make of `9-3` or `mar-09`, in English and in Spanish. */
const DAY = String.raw`(?:0?[1-9]|[12]\d|3[01])`;
const MONTH = String.raw`(?:ene|jan|feb|mar|abr|apr|may|jun|jul|ago|aug|sept?|oct|nov|dic|dec)\.?`;
const DATE = new RegExp(
  String.raw`^(?:\d{4}([-/.])${DAY}\1${DAY}|${DAY}([-/.])${DAY}\2(?:\d{4}|\d\d)|${DAY}[-/ ]${MONTH}(?:[-/ ]\d+)?|${MONTH}[-/ ]\d+)(?:[T ]\d\d?:.*)?$`,
  'i',
);

interface Suspicion {
  readonly phrase: ImportWarning['phrase'];
  readonly isOdd: (value: Value) => boolean;
  /** Whether the odd values are worth a warning. */
  readonly isTold: (warning: ImportWarning) => boolean;
}

const ofKeys: Suspicion = {
  phrase: 'keys-damaged',
  isOdd: (key) => typeof key === 'string' && (SHORTENED.test(key) || DATE.test(key)),
  // Keys that are all dates may be meant.
  isTold: ({ count, total, cells }) => count < total || cells.some(({ value }) => SHORTENED.test(value)),
};

const suspicionOf = ({ isKey, usualMax = Number.POSITIVE_INFINITY }: Field): Suspicion =>
  isKey
    ? ofKeys
    : {
        phrase: 'values-unusual',
        isOdd: (value) => typeof value === 'number' && value > usualMax,
        isTold: ({ count, total }) => count > total / 2,
      };

const watchField = (field: Field) => {
  const { phrase, isOdd, isTold } = suspicionOf(field);
  const cells: { readonly row: number; readonly value: string }[] = [];
  let [count, total] = [0, 0];
  return {
    see: (row: number, value: Value): void => {
      total++;
      if (isOdd(value) && ++count <= LISTED) cells.push({ row, value: String(value) });
    },
    warnings: (): readonly ImportWarning[] =>
      [{ phrase, field: field.name, count, total, cells }].filter((each) => count > 0 && isTold(each)),
  };
};

/** @returns looks at each row of a file once, and then has its warnings */
export const warningsOf = ({ fields }: Collection) => {
  const columns = fields.flatMap((field, at) =>
    field.isKey || field.usualMax !== undefined ? [{ at, ...watchField(field) }] : [],
  );
  return {
    see: ({ number, cells }: FileRow): void => {
      for (const { at, see } of columns) {
        const cell = cells[at] ?? null;
        if (cell !== null) see(number, cell);
      }
    },
    warnings: (): readonly ImportWarning[] => columns.flatMap((each) => each.warnings()),
  };
};
