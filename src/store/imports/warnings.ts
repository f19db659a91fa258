/** What the columns of a file have that is probably not meant. */
import type { Collection } from '../../model/catalogue.ts';
import type { Value } from '../../model/field.ts';
import type { FileRow, ImportWarning } from '../../model/import.ts';
import { LISTED } from '../../texts/problem.ts';

/** What spreadsheet programs make of long numbers (`8,43700123456789E+018`), and of `9-3` or `mar-09` in English and Spanish. */
const NUMBER = String.raw`[+-]?\d+(?:[.,]\d+)?E[+-]\d+`;
const DAY = String.raw`(?:0?[1-9]|[12]\d|3[01])`;
const MONTH = String.raw`(?:ene|jan|feb|mar|abr|apr|may|jun|jul|ago|aug|sept?|oct|nov|dic|dec)\.?`;
const DATE = String.raw`\d{4}([-/.])${DAY}\1${DAY}|${DAY}([-/.])${DAY}\2(?:\d{4}|\d\d)|${DAY}[-/ ]${MONTH}(?:[-/ ]\d+)?|${MONTH}[-/ ]\d+`;
const DAMAGED = new RegExp(`^(?:${NUMBER}|(?:${DATE})(?:[T ]\\d\\d?:.*)?)$`, 'i');

/** @returns looks at each row of a file once, and then has its warnings */
export const warningsOf = ({ fields }: Collection) => {
  const watched = fields.flatMap(({ name: field, isKey, usualMax: most = 0 }, at) => {
    if (!isKey && most === 0) return [];
    const phrase: ImportWarning['phrase'] = isKey ? 'keys-damaged' : 'values-unusual';
    const warning = { phrase, field, odd: 0, total: 0, most, cells: [] as ImportWarning['cells'][number][] };
    const isOdd = (cell: Value) => (isKey ? DAMAGED.test(String(cell)) : Number(cell) > most);
    return [{ at, warning, isOdd, isTold: () => warning.odd > (isKey ? 0 : warning.total / 2) }];
  });
  return {
    see: (row: FileRow): void => {
      for (const { at, warning, isOdd } of watched) {
        const cell = row.cells[at] ?? null;
        if (cell === null) continue;
        warning.total++;
        if (!isOdd(cell)) continue;
        if (++warning.odd <= LISTED) warning.cells.push({ row: row.number, value: String(cell) });
      }
    },
    warnings: (): readonly ImportWarning[] => watched.filter(({ isTold }) => isTold()).map(({ warning }) => warning),
  };
};
