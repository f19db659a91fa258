/** Tables of any file format: a header, then rows. */
import { memoized } from '../../../util/memoized.ts';
import type { Language } from '../../locale/language.ts';
import { truncate } from '../../locale/truncate.ts';
import { type Collection, identifies } from '../../model/catalogue.ts';
import { changesOf, deletedField } from '../../model/derived.ts';
import type { Field } from '../../model/field.ts';
import type { FileRow, RowError } from '../../model/import.ts';
import { sentence } from '../../texts/phrase.ts';
import { Problem } from '../../texts/problem.ts';
import { type FileReaders, inChunks, type RecordReader, type TableOptions } from './file-reader.ts';
import { bareText, type Header, headerReader, type Skip } from './header.ts';
import { type Column, cellReader, cellsOf, type TableCell, type TableRecord, wordIn } from './table-cells.ts';
import { malformed } from './text.ts';

/** @returns the error of a value in a column without a header */
const excess = (cell: TableCell): RowError => ({
  code: 'malformed-file',
  value: truncate(wordIn(cell)),
  detail: sentence('row-excess', { value: truncate(wordIn(cell)) }),
});

/** @param keys the columns that identify an item. @returns a row that deletes it, whatever else it says of it */
const deletion = (
  keys: readonly Column[],
  number: number,
  cells: FileRow['cells'],
  errors: readonly RowError[],
): FileRow => {
  const missing = keys
    .filter(({ at }) => typeof cells[at] !== 'string')
    .map(({ word }) => ({ code: 'missing-field', column: word, detail: sentence('field-missing', { word }) }) as const);
  const wrong = missing.length === 0 || errors.length === 0 ? missing : errors;
  const own = cells.map((cell, field) => (keys.some(({ at }) => at === field) ? cell : undefined));
  return { number, cells: own, errors: wrong, isDeletion: true };
};

/**
 * @param header the cells of the header
 * @param columns what each of them names
 * @param blank the cells of a row that has none, one for each field
 * @param needed columns whose cells must not be empty
 * @param skips rows that are not read
 * @param keys the columns that identify an item
 * @returns a function that converts a record to a row; `undefined` where it is empty
 */
const rowReader = (
  header: readonly TableCell[],
  columns: Header,
  blank: FileRow['cells'],
  needed: readonly Column[],
  skips: readonly Skip[],
  keys: readonly Column[],
) => {
  const isSkipped = ({ cells, columns: at }: TableRecord): boolean =>
    skips.some(([place, text]) => bareText(cells[at ? at.indexOf(place) : place]) === text);
  const isUnread = header.map((cell, at) => !columns[at] && wordIn(cell) !== '');

  return (record: TableRecord): FileRow | undefined => {
    if (skips.length > 0 && isSkipped(record)) return undefined;
    const { number, cells: sent, columns: at } = record;
    const cells = [...blank];
    const errors: RowError[] = [];
    let hasAny = false;
    let hasExcess = false;
    for (let index = 0; index < sent.length; index++) {
      const value = sent[index];
      const place = at ? (at[index] ?? 0) : index;
      if (value === undefined || isUnread[place]) continue;
      const column = columns[place];
      if (value !== '') hasAny = true;
      else if (!column) continue;
      if (!column) {
        // One error is enough: there may be a million such values.
        if (!hasExcess) errors.push(excess(value));
        hasExcess = true;
        continue;
      }
      const { cell, detail } = column.read(value);
      if (detail) errors.push({ column: column.word, code: 'invalid-value', value: truncate(wordIn(value)), detail });
      if (detail || cell !== undefined) cells[column.at] = cell;
    }
    if (cells.length > blank.length && cells.pop() === 1) return deletion(keys, number, cells, errors);
    for (const { at: field, word } of needed) {
      if (cells[field] === null)
        errors.push({ column: word, code: 'missing-field', detail: sentence('field-missing', { word }) });
    }
    return hasAny ? { number, cells, errors } : undefined;
  };
};

/** A header that comes late has so many fields, and is so many rows away at most. */
const [FIELDS, AHEAD] = [2, 50];

/** @returns the problem of a row that is no header, although a later one is */
const laterHeader = ({ number: row, sheet }: TableRecord, other: number): Problem =>
  malformed(
    sheet
      ? sentence('header-later-sheet', { row, sheet: sheet.name, other })
      : sentence('header-later', { row, other }),
  );

/** @returns the problem of a row that is no header, which says on which sheet of a workbook it is */
const ofSheet = (problem: Problem, { number: row, sheet }: TableRecord): Problem =>
  sheet
    ? new Problem('malformed-file', sentence('header-sheet', { row, sheet: sheet.name, sheets: sheet.all }), problem)
    : problem;

/** @returns a converter from records to rows; the first record that is not empty is the header, and empty records are skipped */
const tableReader = (language: Language, collection: Collection, options: TableOptions) => {
  const columnOf = (field: Field, at: number, of: Collection): Column => {
    const word = language.fields(of).word(field.name);
    const read = cellReader(language, of, field, options.takesDates);
    // Most values occur in many rows.
    return { at, word, read: field.isKey ? read : memoized(read) };
  };
  const columns = collection.fields.map((field, at) => columnOf(field, at, collection));
  const deleted = columnOf(deletedField, columns.length, changesOf(collection));
  const readHeader = headerReader(language, collection, columns, deleted, options);
  const { headerRow = 0 } = options;
  let readRow: ReturnType<typeof rowReader> | undefined;
  let wrong: { readonly problem: Problem; readonly record: TableRecord } | undefined;
  const readerOf = (header: readonly TableCell[], named: Header, skips: readonly Skip[]) => {
    const cleared = options.clearsEmpty ? columns.filter((column) => named.includes(column)) : [];
    const blank = collection.fields.map(({ isKey }, at) =>
      cleared.some((each) => each.at === at) && !isKey ? null : undefined,
    );
    return rowReader(
      header,
      named,
      blank,
      cleared.filter(({ at }) => collection.fields[at]?.required),
      skips,
      collection.fields.flatMap((field, at) => (identifies(field) ? columns.slice(at, at + 1) : [])),
    );
  };
  const empty = (): Problem =>
    malformed(headerRow > 0 ? sentence('header-empty', { row: headerRow }) : sentence('file-empty', {}));
  /** Takes a row for the header. Where none of its cells names a field, a later one may be it. */
  const begin = (record: TableRecord): void => {
    const cells = cellsOf(record);
    if (record.number < headerRow || cells.every((cell) => wordIn(cell) === '')) return;
    if (headerRow > 0 && record.number > headerRow) throw empty();
    if (wrong) {
      // A title above says nothing of the delimiter.
      const split = cells.length === 1 ? wordIn(cells[0]).split(/[,;\t]/) : cells;
      if (readHeader(split, record.number).named >= FIELDS) throw laterHeader(wrong.record, record.number);
      if (record.number - wrong.record.number >= AHEAD) throw wrong.problem;
      return;
    }
    const { header, named, skips, problem } = readHeader(cells, record.number);
    if (!problem) readRow = readerOf(cells, header, skips);
    else if (named > 0 || headerRow > 0) throw problem;
    else wrong = { problem: ofSheet(problem, record), record };
  };

  return {
    rows: (records: readonly TableRecord[]): readonly FileRow[] => {
      const rows: FileRow[] = [];
      for (const record of records) {
        if (!readRow) begin(record);
        else {
          const row = readRow(record);
          if (row) rows.push(row);
        }
      }
      return rows;
    },
    /** Throws where there was no header. */
    end: (): void => {
      if (!readRow) throw wrong?.problem ?? empty();
    },
  };
};

/** @returns the readers of a format that is a table */
export const tableReaders = (recordsOf: (language: Language) => RecordReader): FileReaders => ({
  rows: (language, collection) =>
    async function* read(file, options) {
      const table = tableReader(language, collection, options);
      for await (const some of recordsOf(language)(file, options)) yield* inChunks(some, table.rows);
      table.end();
    },
  records: (language) =>
    async function* read(file, options) {
      const { headerRow = 0 } = options;
      for await (const some of recordsOf(language)(file, options)) {
        yield some.filter(({ number }) => number >= headerRow);
      }
    },
});
