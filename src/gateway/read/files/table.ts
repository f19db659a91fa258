/** Tables of any file format: a header, then rows. */

import { memoized } from '../../../util/memoized.ts';
import { composed } from '../../locale/composed.ts';
import type { Language } from '../../locale/language.ts';
import { truncate } from '../../locale/truncate.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Cell, Field } from '../../model/field.ts';
import type { FileRow, RowError } from '../../model/import.ts';
import { valueChecker } from '../../model/kinds/check-value.ts';
import { kindOf } from '../../model/kinds/kinds.ts';
import { type Sentence, sentence, unknownSentence } from '../../texts/phrase.ts';
import { type LazyError, newErrors, problemOf } from '../../texts/problem.ts';
import { pointerTo } from '../body/members.ts';
import { malformed } from './text.ts';

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
}

/** The value of a cell; `undefined` where it has none. Only workbooks have booleans. */
export type TableCell = string | boolean | WorkbookCell | undefined;

/** A row of a file: its number, and its cells in the order of the file's columns. */
export interface TableRecord {
  readonly number: number;
  readonly cells: readonly TableCell[];
  /** The column of each cell, counted from 0, in a workbook: its rows have only the cells that have a value. */
  readonly columns?: readonly number[];
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

const wordIn = (cell: TableCell): string => (typeof cell === 'object' ? cell.sent : String(cell ?? '').trim());

interface Column {
  /** The index of its field in the collection. */
  readonly at: number;
  readonly word: string;
  readonly read: (sent: Exclude<TableCell, undefined>) => ReadCell;
}

/**
 * @returns a function that reads a cell of one field; an empty text in quotes is no value where the field allows no empty text
 */
const cellReader = (field: Field, word: string, { flags, flagWords }: Language): Column['read'] => {
  const { fromCell, expected, expectedInCell = expected, sheetType } = kindOf(field);
  const check = valueChecker(field);
  const hasEmpty = check('').fault === undefined;
  const readValue = (sent: string | boolean): ReadCell => {
    if (sent === '' && !hasEmpty) return ABSENT;
    const { cell, fault } = check(fromCell(sent, flags));
    if (fault === undefined) return { cell };
    const phrase = fault === expected ? expectedInCell : fault;
    return { detail: { phrase, values: { word, min: field.min, max: field.max, known: flagWords } } };
  };
  return (cell) => {
    if (typeof cell !== 'object') return readValue(cell);
    const { sent, phrase, number } = cell;
    if (number !== undefined && sheetType !== 'text') return readValue(number);
    return phrase ? { detail: sentence(phrase, { word, value: truncate(sent) }) } : readValue(sent);
  };
};

type Header = readonly (Column | undefined)[];

/**
 * @param columns those that a file may have, in the order of the collection's fields
 * @returns a function that reads a header: a column for each cell; `undefined` for a note, or where the cell is empty
 * @throws Problem where a column is unknown or repeated
 */
const headerReader = (language: Language, collection: Collection, columns: readonly Column[]) => {
  const vocabulary = language.fields(collection);
  const { of } = language.nouns(collection);
  // The words come last, so that they override canonical names.
  const byWord = new Map([
    ...columns.map((column) => [collection.fields[column.at]?.name ?? '', column] as const),
    ...columns.map((column) => [column.word, column] as const),
  ]);
  const unknown =
    (word: string): LazyError =>
    () => {
      const suggestion = vocabulary.suggest(word);
      const detail = unknownSentence('field', { word, of, known: vocabulary.known }, suggestion);
      return { place: { pointer: pointerTo(word) }, code: 'unknown-field', detail, suggestion };
    };
  const repeated =
    ({ word }: Column): LazyError =>
    () => ({
      place: { pointer: pointerTo(word) },
      code: 'malformed-file',
      detail: sentence('column-repeated', { word }),
    });

  return (cells: readonly TableCell[]): Header => {
    const errors = newErrors();
    const seen = new Set<Column>();
    const header = cells.map((cell) => {
      const word = composed(wordIn(cell));
      const column = byWord.get(word);
      if (!column) {
        if (word !== '' && !word.startsWith(NOTE)) errors.add(unknown(word));
        return undefined;
      }
      if (seen.has(column)) errors.add(repeated(column));
      seen.add(column);
      return column;
    });
    if (errors.count() > 0) {
      const detail = sentence('body-errors', { count: errors.count(), of });
      throw problemOf(errors.listed, { code: 'invalid-body', detail });
    }
    return header;
  };
};

/** @returns the error of a value in a column without a header */
const excess = (cell: TableCell): RowError => ({
  code: 'malformed-file',
  detail: sentence('row-excess', { value: truncate(wordIn(cell)) }),
});

/**
 * @param header the cells of the header
 * @param columns what each of them names
 * @param blank the cells of a row that has none, one for each field
 * @param needed columns whose cells must not be empty
 * @returns a function that converts a record to a row; `undefined` where it is empty
 */
const rowReader = (
  header: readonly TableCell[],
  columns: Header,
  blank: FileRow['cells'],
  needed: readonly Column[],
) => {
  const isNote = header.map((cell, at) => !columns[at] && wordIn(cell).startsWith(NOTE));

  return ({ number, cells: sent, columns: at }: TableRecord): FileRow | undefined => {
    const cells = [...blank];
    const errors: RowError[] = [];
    let hasAny = false;
    let hasExcess = false;
    for (let index = 0; index < sent.length; index++) {
      const value = sent[index];
      const place = at ? (at[index] ?? 0) : index;
      if (value === undefined || isNote[place]) continue;
      hasAny = true;
      const column = columns[place];
      if (!column) {
        // One error is enough: there may be a million such values.
        if (!hasExcess) errors.push(excess(value));
        hasExcess = true;
        continue;
      }
      const { cell, detail } = column.read(value);
      if (detail) errors.push({ column: column.word, code: 'invalid-value', detail });
      if (detail || cell !== undefined) cells[column.at] = cell;
    }
    for (const { at: field, word } of needed) {
      if (cells[field] === null)
        errors.push({ column: word, code: 'missing-field', detail: sentence('field-missing', { word }) });
    }
    return hasAny ? { number, cells, errors } : undefined;
  };
};

/**
 * @param clearsEmpty whether an empty cell clears its field, if the header has it; otherwise the field stays as it is
 * @returns a converter from records to rows; the first record that is not empty is the header, and empty records are skipped
 */
export const tableReader = (language: Language, collection: Collection, clearsEmpty = false) => {
  const vocabulary = language.fields(collection);
  const columns = collection.fields.map((field, at): Column => {
    const word = vocabulary.word(field.name);
    const read = cellReader(field, word, language);
    // Most values occur in many rows.
    return { at, word, read: field.isKey ? read : memoized(read) };
  });
  const readHeader = headerReader(language, collection, columns);
  let readRow: ReturnType<typeof rowReader> | undefined;
  const readerOf = (header: readonly TableCell[]) => {
    const named = readHeader(header);
    const cleared = clearsEmpty ? columns.filter((column) => named.includes(column)) : [];
    const blank = collection.fields.map(({ isKey }, at) =>
      cleared.some((each) => each.at === at) && !isKey ? null : undefined,
    );
    return rowReader(
      header,
      named,
      blank,
      cleared.filter(({ at }) => collection.fields[at]?.required),
    );
  };

  return {
    rows: (records: readonly TableRecord[]): readonly FileRow[] => {
      const rows: FileRow[] = [];
      for (const record of records) {
        if (!readRow) {
          const header = cellsOf(record);
          if (header.every((cell) => cell === undefined)) continue;
          readRow = readerOf(header);
        } else {
          const row = readRow(record);
          if (row) rows.push(row);
        }
      }
      return rows;
    },
    /** Throws where there was no header. */
    end: (): void => {
      if (!readRow) throw malformed(sentence('file-empty', {}));
    },
  };
};
