/** What the columns of a file have that is probably not meant. */
import type { Collection } from '../../gateway/model/catalogue.ts';
import type { Value } from '../../gateway/model/field.ts';
import type { FileRow, ImportReport, ImportWarning } from '../../gateway/model/import.ts';
import { LISTED } from '../../gateway/texts/problem.ts';

/** What spreadsheet programs make of long numbers (`8,43700123456789E+018`), and of `9-3` or `mar-09` in English and Spanish. */
const DAMAGED = [
  /^[+-]?\d+(?:[.,]\d+)?E[+-]\d+$/i,
  /^(?:\d{4}([-/.])[01]?\d\1[0-3]?\d|[0-3]?\d([-/.])[0-3]?\d\2(?:\d{4}|\d\d))(?:[T ]\d\d?:.*)?$/,
  /^(?=.*\d)(?:[0-3]?\d[-/ ])?(?:ene|jan|feb|mar|abr|apr|may|jun|jul|ago|aug|sept?|oct|nov|dic|dec)\.?(?:[-/ ]\d+)?$/i,
];

/** @returns looks at each row of a file once, and then has its warnings */
export const warningsOf = ({ fields }: Collection) => {
  const watched = fields.flatMap(({ name: field, isKey, usualMax: most = 0 }, at) => {
    if (!isKey && most === 0) return [];
    const phrase: ImportWarning['phrase'] = isKey ? 'keys-damaged' : 'values-unusual';
    const warning = { phrase, field, odd: 0, total: 0, most, cells: [] as ImportWarning['cells'][number][] };
    const isOdd = (cell: Value) =>
      isKey ? DAMAGED.some((pattern) => pattern.test(String(cell))) : Number(cell) > most;
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
    warnings: (): Pick<ImportReport, 'warnings'> => {
      const told = watched.filter(({ isTold }) => isTold());
      return told.length > 0 ? { warnings: told.map(({ warning }) => warning) } : {};
    },
  };
};
