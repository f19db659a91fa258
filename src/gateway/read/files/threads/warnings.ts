/** What the columns of a file have that is probably not meant. */
import type { Collection } from '../../../model/catalogue.ts';
import type { Value } from '../../../model/field.ts';
import type { FileRow, ImportWarning } from '../../../model/import.ts';
import { LISTED } from '../../../texts/problem.ts';

/** What spreadsheet programs make of long numbers (`8,43700123456789E+018`), and of `9-3` or `mar-09` in English and Spanish. */
const DAMAGED = [
  /^[+-]?\d+(?:[.,]\d+)?E[+-]\d+$/i,
  /^(?:\d{4}([-/.])[01]?\d\1[0-3]?\d|[0-3]?\d([-/.])[0-3]?\d\2(?:\d{4}|\d\d))(?:[T ]\d\d?:.*)?$/,
  /^(?=.*\d)(?:[0-3]?\d[-/ ])?(?:ene|jan|feb|mar|abr|apr|may|jun|jul|ago|aug|sept?|oct|nov|dic|dec)\.?(?:[-/ ]\d+)?$/i,
];

function isDamaged(key: Value): boolean {
  return DAMAGED.some((pattern) => pattern.test(String(key)));
}

/** Looks at each row of a file once. */
export class RowWarnings {
  readonly #columns;

  constructor({ fields }: Collection) {
    this.#columns = fields.flatMap(({ name: field, isKey, usualMax: most = 0 }, at) => {
      if (!isKey && most === 0) return [];
      const phrase: ImportWarning['phrase'] = isKey ? 'keys-damaged' : 'values-unusual';
      return [{ at, phrase, field, odd: 0, total: 0, most, cells: [] as ImportWarning['cells'][number][] }];
    });
  }

  see({ number, cells }: FileRow): void {
    for (const column of this.#columns) {
      const cell = cells[column.at] ?? null;
      if (cell === null) continue;
      column.total++;
      if (column.phrase === 'keys-damaged' ? !isDamaged(cell) : Number(cell) <= column.most) continue;
      if (++column.odd <= LISTED) column.cells.push({ row: number, value: String(cell) });
    }
  }

  /** @returns a warning for each column with a damaged key, or most of whose values are unusual */
  all(): readonly ImportWarning[] {
    return this.#columns
      .filter(({ phrase, odd, total }) => odd > (phrase === 'keys-damaged' ? 0 : total / 2))
      .map(({ at: _, ...warning }) => warning);
  }
}
