/** A cell of a table, and how it is read. */
import { type Language, valuesIn } from '../../locale/language.ts';
import { truncate } from '../../locale/truncate.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Cell, Field } from '../../model/field.ts';
import { checkerIn, kindOf, limitsOf, valueChecker } from '../../model/kinds/kinds.ts';
import { type PhraseName, type Sentence, sentence } from '../../texts/phrase.ts';

/** The first character of the header of a column with notes, which are ignored. */
export const NOTE = '#';

/** A cell of a workbook that is more than its value. */
interface WorkbookCell {
  /** As a text. */
  readonly sent: string;
  /** The error that it is as a text. */
  readonly phrase?: 'cell-date' | 'cell-error' | 'cell-formula' | 'cell-digits';
  /** In a column that has no texts, where it is a number. */
  readonly number?: string;
  /** Of a date: days since the beginning of 1970, with a fraction for the time. */
  readonly days?: number;
}

/** The value of a cell; `undefined` where it has none. Only workbooks have booleans. */
export type TableCell = string | boolean | WorkbookCell | undefined;

/** A row of a file: its number, and its cells in the order of the file's columns. */
export interface TableRecord {
  readonly number: number;
  readonly cells: readonly TableCell[];
  /** The column of each cell, counted from 0, in a workbook: its rows have only the cells that have a value. */
  readonly columns?: readonly number[];
  /** Of a workbook: the sheet, and the names of all. */
  readonly sheet?: { readonly name: string; readonly all: string };
}

/** @returns a cell for each column up to the last that has a value */
export const cellsOf = ({ cells, columns }: TableRecord): readonly TableCell[] => {
  if (!columns) return cells;
  const all: TableCell[] = Array(columns.reduce((most, each) => Math.max(most, each + 1), 0)).fill(undefined);
  for (const [at, column] of columns.entries()) all[column] = cells[at];
  return all;
};

/** The value of a cell, if it has one, or what is wrong with it. */
interface ReadCell {
  readonly cell?: Cell | undefined;
  readonly detail?: Sentence | undefined;
}
const ABSENT: ReadCell = {};

export const wordIn = (cell: TableCell): string => (typeof cell === 'object' ? cell.sent : String(cell ?? '').trim());

export interface Column {
  /** The index of its field in the collection. */
  readonly at: number;
  readonly word: string;
  readonly read: (sent: Exclude<TableCell, undefined>) => ReadCell;
}

const DAY = 86_400_000;
/** As people and programs write a day. */
const DATE = /^(?:(\d{4})[-/.]\d\d?[-/.]\d\d?|\d\d?[-/.]\d\d?[-/.](\d{4}))(?:[T ].*)?$/;

/** @returns the year of a date; `undefined` where the cell is none */
const yearIn = (cell: Exclude<TableCell, undefined>): string | undefined => {
  if (typeof cell === 'object') {
    const year = new Date((cell.days ?? Number.NaN) * DAY).getUTCFullYear();
    return Number.isNaN(year) ? undefined : String(year);
  }
  const [, first, last] = DATE.exec(String(cell).trim()) ?? [];
  return first ?? last;
};

/**
 * @param takesDates whether a date in a field that is a year is read as its year
 * @returns a function that reads a cell of one field; an empty text in quotes is no value where the field allows no empty text
 */
export const cellReader = (
  language: Language,
  collection: Collection,
  field: Field,
  takesDates = false,
): Column['read'] => {
  const word = language.fields(collection).word(field.name);
  const { expected, expectedInCell = expected } = kindOf(field);
  const values = valuesIn(language, collection, field);
  const { fromCell, fromNumber = fromCell, fromDays, sheet, suggest, toText } = values;
  const check = valueChecker(field);
  const hasEmpty = check('').fault === undefined;
  const limits = limitsOf(field, language.valueWords(collection, field));
  const faultOf = (phrase: PhraseName, sent: string | boolean): Sentence => {
    if (phrase !== expected) return { phrase, values: { word, ...limits } };
    const explanation = typeof sent === 'string' ? values.explain?.(sent, 'cell') : undefined;
    if (explanation) return { phrase: explanation.phrase, values: { word, ...explanation.values } };
    const isText = typeof sent === 'string' && expectedInCell === expected;
    const { cell } = isText ? checkerIn(field, values)(suggest(sent)) : {};
    return cell === undefined || cell === null
      ? { phrase: expectedInCell, values: { word, ...limits } }
      : sentence('value-suggested', { word, value: truncate(String(sent)), suggestion: toText(cell) });
  };
  const readValue = (sent: string | boolean, read: (sent: string & boolean) => unknown = fromCell): ReadCell => {
    if (sent === '' && !hasEmpty) return ABSENT;
    const { cell, fault } = check(read(sent as string & boolean));
    return fault === undefined ? { cell } : { detail: faultOf(fault, sent) };
  };
  return (cell) => {
    const year = field.isYear ? yearIn(cell) : undefined;
    if (year !== undefined) return takesDates ? readValue(year) : { detail: sentence('cell-year', { word, year }) };
    if (typeof cell !== 'object') return readValue(cell);
    const { sent, phrase, number, days } = cell;
    if (number !== undefined && sheet.type !== 'text') return readValue(number, fromNumber);
    if (days !== undefined && fromDays) {
      const { cell: day } = check(fromDays(days));
      if (day !== undefined) return { cell: day };
      const explanation = values.explain?.(sent, 'cell');
      if (explanation) return { detail: { phrase: explanation.phrase, values: { word, ...explanation.values } } };
    }
    return phrase ? { detail: sentence(phrase, { word, value: truncate(sent) }) } : readValue(sent);
  };
};
