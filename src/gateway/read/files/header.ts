/** The header of a table: which field each of its columns has. */

import { compose, fold, LONGEST_SUGGESTED } from '../../../../packages/vocabularies/src/words.ts';
import type { Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import { DELETED } from '../../model/query.ts';
import { sentence, unknownSentence } from '../../texts/phrase.ts';
import { type LazyError, newErrors, type Problem, problemOf } from '../../texts/problem.ts';
import { pointerTo } from '../body/members.ts';
import { lettersOf } from './columns.ts';
import type { TableOptions } from './file-reader.ts';
import { type Column, NOTE, type TableCell, wordIn } from './table-cells.ts';

/** A column for each cell; `undefined` where it is not read, or has no name. */
export type Header = readonly (Column | undefined)[];

export type Skip = readonly [at: number, text: string];

/** @returns what texts of cells have in common that differ in case, accents and the spaces around them */
export const bareText = (cell: TableCell): string => fold(wordIn(cell).trim());

interface ReadHeader {
  readonly header: Header;
  /** How many of its columns are fields. */
  readonly named: number;
  /** The rows that are skipped: the index of a column, and what its cell has in common with the text. */
  readonly skips: readonly Skip[];
  /** Where a column is unknown or repeated, or one that was chosen is not there. */
  readonly problem?: Problem;
}

/** @returns what headers have in common that differ in case, accents, spaces and punctuation; empty for one that is no word */
const formOf = (header: string): string =>
  header.length > LONGEST_SUGGESTED ? '' : fold(header.normalize()).replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** @returns finds what was named, exactly or by another form of its name; the last of several decides */
const finder = <T>(named: readonly (readonly [name: string, T])[]) => {
  const exact = new Map(named);
  const alike = new Map(named.map(([name, each]) => [formOf(name), each]));
  alike.delete('');
  return (word: string): T | undefined => exact.get(word) ?? alike.get(formOf(word));
};

/**
 * @param columns those that a file may have, in the order of the collection's fields
 * @param deleted the one that says what is deleted
 * @returns a function that reads a header
 */
export const headerReader = (
  language: Language,
  collection: Collection,
  columns: readonly Column[],
  deleted: Column,
  { columns: choices = [], skips = [], ignoresUnknown = false }: TableOptions,
) => {
  const vocabulary = language.fields(collection);
  const { of } = language.nouns(collection);
  const byField = new Map(columns.map((column) => [collection.fields[column.at]?.name ?? '', column]));
  // Words come last, so that they override canonical names, and these what people call a field.
  const columnOf = finder<Column | undefined>([
    [DELETED, deleted],
    [deleted.word, deleted],
    ...language.headings(collection).map(([heading, name]) => [heading, byField.get(name)] as const),
    ...[...byField].map(([name, column]) => [language.label(collection, name), column] as const),
    ...byField,
    ...columns.map((column) => [column.word, column] as const),
  ]);
  const former = [...vocabulary.former(), ...language.members.former()].map((each) => [each.word, each] as const);
  const formerOf = finder(former);
  const byFormer = (word: string): Column | undefined => {
    const found = formerOf(word);
    return found && language.formerLog.accepts(found) ? columnOf(found.now) : undefined;
  };
  const choiceOf = finder(choices.map((choice) => [choice[0], choice] as const));

  const unknown =
    (word: string, at: number, row: number): LazyError =>
    () => {
      const suggestion = vocabulary.suggest(word) ?? vocabulary.suggest(formOf(word));
      const values = { word, column: lettersOf(at), row, of, known: vocabulary.nearest(word) };
      const detail = unknownSentence('column', values, suggestion);
      return { place: { pointer: pointerTo(word) }, code: 'unknown-field', detail, suggestion };
    };
  const repeated =
    (word: string, sent: string, at: number, first: number): LazyError =>
    () => ({
      place: { pointer: pointerTo(word) },
      code: 'malformed-file',
      detail: sentence('column-repeated', { word, sent, column: lettersOf(at), other: lettersOf(first) }),
    });
  const absent =
    (option: string, word: string, row: number): LazyError =>
    () => ({
      place: { pointer: pointerTo(word) },
      code: 'malformed-file',
      detail: sentence('column-absent', { option, word, row }),
    });

  const isCalled = (column: Column | undefined, cell: TableCell, word: string): boolean =>
    column === undefined ? formOf(word) !== '' && formOf(wordIn(cell)) === formOf(word) : columnOf(word) === column;

  return (cells: readonly TableCell[], row: number): ReadHeader => {
    const errors = newErrors();
    const places = new Map<Column, number>();
    const chosen = new Set<(typeof choices)[number]>();
    const header = cells.map((cell, at) => {
      const word = compose(wordIn(cell));
      const choice = choiceOf(word);
      if (choice) chosen.add(choice);
      else if (word === '' || word.startsWith(NOTE)) return undefined;
      const column = choice ? byField.get(choice[1] ?? '') : (columnOf(word) ?? byFormer(word));
      if (!column) {
        if (!choice && !ignoresUnknown) errors.add(unknown(word, at, row));
        return undefined;
      }
      const first = places.get(column);
      if (first !== undefined) errors.add(repeated(column.word, word, at, first));
      else places.set(column, at);
      return column;
    });
    for (const choice of choices) if (!chosen.has(choice)) errors.add(absent('columns', choice[0], row));
    const skipped = skips.flatMap(([word, text]): readonly Skip[] => {
      const at = cells.findIndex((cell, place) => wordIn(cell) === word || isCalled(header[place], cell, word));
      if (at !== -1) return [[at, bareText(text)]];
      errors.add(absent('skip-rows', word, row));
      return [];
    });
    const read = { header, named: places.size, skips: skipped };
    if (errors.count() === 0) return read;
    const detail = sentence('body-errors', { count: errors.count(), of });
    return { ...read, problem: problemOf(errors.listed, { code: 'invalid-body', detail }) };
  };
};
