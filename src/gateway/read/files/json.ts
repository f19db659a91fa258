import type { Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { FileRow, RowError } from '../../model/import.ts';
import { type Sentence, sentence } from '../../texts/phrase.ts';
import { LISTED, type RequestError } from '../../texts/problem.ts';
import { parsed, parseJson } from '../body/json-body.ts';
import { isObject, rowMembersReader } from '../body/members.ts';
import { type FileReader, type FileReaders, inChunks, type RecordReader } from './file-reader.ts';
import { itemsIn, type JsonText, linesIn } from './json-items.ts';
import { NOTE, type TableRecord } from './table-cells.ts';
import type { TextOptions } from './text.ts';

/** @returns the column of an error's JSON pointer; `undefined` where it concerns the whole row */
const columnOf = (place: RequestError['place']): string | undefined =>
  'pointer' in place && place.pointer !== ''
    ? place.pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~')
    : undefined;

/** Shared by the rows without any. */
const NO_ERRORS: readonly RowError[] = [];

/** @returns a function that converts a JSON value to a row. @param isSeen whether somebody will see all of its errors, not only one */
const rowReader = (language: Language, collection: Collection, isSeen: () => boolean = () => true) => {
  const readMembers = rowMembersReader(language, collection);
  return (value: unknown, number: number): FileRow => {
    const { cells, errors } = readMembers(value);
    // A key that is `null` counts as absent.
    if (cells[0] === null) cells[0] = undefined;
    if (errors.count() === 0) return { number, cells, errors: NO_ERRORS };
    const listed = errors.listed.slice(0, isSeen() ? LISTED : 1).map((error): RowError => {
      const { place, code, value: sent, detail, suggestion } = error();
      return { column: columnOf(place), code, value: sent, detail, suggestion };
    });
    return { number, cells, errors: listed };
  };
};

/** @returns a function that reads the rows of a JSON array that has arrived */
export const arrayReader = (language: Language, collection: Collection, isSeen?: () => boolean) => {
  const rowOf = rowReader(language, collection, isSeen);
  return (items: readonly unknown[]): Iterable<readonly FileRow[]> => {
    let number = 0;
    return inChunks(items, (chunk) => chunk.map((item) => rowOf(item, ++number)));
  };
};

/** Reads a JSON array. */
const arrayRows = (language: Language, collection: Collection, isSeen?: () => boolean): FileReader => {
  const rowOf = rowReader(language, collection, isSeen);
  const { of } = language.nouns(collection);
  return async function* read(file, { onRead }) {
    for (const items of itemsIn(file, { onRead }, of)) {
      yield* inChunks(items, (chunk) => chunk.map(({ text, number }) => rowOf(parseJson(text), number)));
    }
  };
};

/** Reads NDJSON, which has an item on each line. */
const lineRows = (language: Language, collection: Collection, isSeen: () => boolean = () => true): FileReader => {
  const rowOf = rowReader(language, collection, isSeen);
  const { of } = language.nouns(collection);
  const nothing = collection.fields.map(() => undefined);
  const malformedRow = (number: number, fault: Sentence): FileRow => {
    const detail = fault.phrase === 'json-syntax' ? sentence('row-not-object', { of }) : fault;
    return { number, cells: nothing, errors: [{ code: 'malformed-json', detail }] };
  };
  const readLine = (line: string, number: number): FileRow => {
    // What else it is takes the most time, and is of interest only to who sees it.
    if (!isSeen() && !line.trimStart().startsWith('{')) return malformedRow(number, sentence('row-not-object', { of }));
    const { value, fault } = parsed(line);
    return fault ? malformedRow(number, fault) : rowOf(value, number);
  };
  return async function* read(file, options) {
    for (const lines of linesIn(file, options)) {
      yield* inChunks(lines, (chunk) => chunk.map(({ text, number }) => readLine(text, number)));
    }
  };
};

/**
 * @returns a reader of the rows of a JSON file as a table, for the file of rejected rows; a row with anything but a value for a
 *   field has its JSON in a note, or behind the header where nothing else is in the row
 */
const recordsOf = (
  language: Language,
  collection: Collection,
  texts: (file: number, options: TextOptions, of: string) => Iterable<readonly JsonText[]>,
): RecordReader => {
  const { word } = language.fields(collection);
  const fields = collection.fields.map(({ name }) => ({ name, word: word(name) }));
  const recordOf = ({ number, text }: JsonText): TableRecord => {
    const { value: read, fault } = parsed(text);
    // A line that is not JSON is a text.
    const value = fault ? text : read;
    const members: Readonly<Record<string, unknown>> = Object(value);
    const cells = fields.map((field) => {
      const sent = members[field.word] ?? members[field.name];
      return ['string', 'number', 'boolean'].includes(typeof sent) ? String(sent) : undefined;
    });
    const values = cells.filter((cell) => cell !== undefined).length;
    if (isObject(value) && values > 0 && values === Object.keys(members).length) return { number, cells };
    const json = JSON.stringify(value);
    // A row of nothing but a note would be skipped: behind the header it is an error until it is corrected.
    return { number, cells: values > 0 ? [...cells, json] : [...cells, undefined, json] };
  };
  return async function* read(file, options) {
    yield [{ number: 0, cells: [...fields.map((field) => field.word), `${NOTE} json`] }];
    for (const rows of texts(file, options, '')) yield rows.map(recordOf);
  };
};

export const jsonReaders: FileReaders = {
  rows: arrayRows,
  records: (language, collection) => recordsOf(language, collection, itemsIn),
};

export const ndjsonReaders: FileReaders = {
  rows: lineRows,
  records: (language, collection) => recordsOf(language, collection, linesIn),
};
