/** Tables of any file format: a header, then rows. */

import { memoized } from '../../../util/memoized.ts';
import type { Language } from '../../locale/language.ts';
import { truncate } from '../../locale/truncate.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { FileRow, RowError } from '../../model/import.ts';
import { composed } from '../../model/search/fold.ts';
import { sentence, unknownSentence } from '../../texts/phrase.ts';
import { type LazyError, newErrors, problemOf } from '../../texts/problem.ts';
import { pointerTo } from '../body/members.ts';
import { type Column, cellReader, cellsOf, NOTE, type TableCell, type TableRecord, wordIn } from './table-cells.ts';
import { malformed } from './text.ts';

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
