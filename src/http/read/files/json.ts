import type { Language } from '../../../locale/language.ts';
import type { Collection } from '../../../model/catalogue.ts';
import type { FileRow } from '../../../model/import.ts';
import { sentence } from '../../../texts/phrase.ts';
import { Problem, type RequestError } from '../../../texts/problem.ts';
import { jsonOf, parseJson } from '../body/json-body.ts';
import { isObject, rowMembersReader } from '../body/members.ts';
import { tooLong } from './csv-records.ts';
import { type FileReader, inChunks } from './file-reader.ts';
import { limits } from './limits.ts';
import { NOTE, type TableRecord } from './table.ts';
import type { RecordReader } from './table-file.ts';
import { type Charset, textOf } from './text.ts';

/** @returns the column of an error's JSON pointer; `undefined` where it concerns the whole row */
const columnOf = ({ place }: RequestError): string | undefined =>
  'pointer' in place && place.pointer !== ''
    ? place.pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~')
    : undefined;

/** @returns a function that converts a JSON value to a row */
const rowReader = (language: Language, collection: Collection) => {
  const readMembers = rowMembersReader(language, collection);
  return (value: unknown, number: number): FileRow => {
    const { cells, errors } = readMembers(value);
    // A key that is `null` counts as absent.
    const [key, ...rest] = cells;
    return {
      number,
      cells: key === null ? [undefined, ...rest] : cells,
      errors: errors.listed
        .map((error) => error())
        .map((error) => ({
          column: columnOf(error),
          code: error.code,
          detail: error.detail,
          suggestion: error.suggestion,
        })),
    };
  };
};

/** @returns a function that reads the rows of a JSON array, each of them as the body of a POST */
export const arrayReader = (language: Language, collection: Collection) => {
  const rowOf = rowReader(language, collection);
  return (items: readonly unknown[]): Iterable<readonly FileRow[]> => {
    let number = 0;
    return inChunks(items, (chunk) => chunk.map((item) => rowOf(item, ++number)));
  };
};

/**
 * Reads a JSON array.
 *
 * @param limit bytes of the file, because the whole array is in memory before its first row is read
 */
export const jsonReader = (language: Language, collection: Collection, limit: number): FileReader => {
  const rowsOf = arrayReader(language, collection);
  const { of } = language.nouns(collection);
  return async function* read(body) {
    const value = await jsonOf(body, limit);
    if (!Array.isArray(value)) throw new Problem('malformed-file', sentence('body-not-array', { of }));
    yield* rowsOf(value);
  };
};

const NO_TEXT = /^\s*$/;

interface Line {
  readonly line: string;
  readonly number: number;
}

/** @returns the lines that are not empty, with their numbers */
async function* linesOf(
  body: AsyncIterable<Uint8Array>,
  charset: Charset = 'utf-8',
): AsyncGenerator<readonly Line[], void, undefined> {
  let row = 1;
  let rest = '';
  const add = (text: string): void => {
    rest += text;
    if (rest.length > limits.row) throw tooLong(row);
  };
  for await (const text of textOf(body, charset, () => row)) {
    const lines: Line[] = [];
    let at = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', at)) {
      if (end > at) add(text.slice(at, end));
      if (rest !== '' && !NO_TEXT.test(rest)) lines.push({ line: rest, number: row });
      rest = '';
      row++;
      at = end + 1;
    }
    if (lines.length > 0) yield lines;
    add(text.slice(at));
  }
  if (!NO_TEXT.test(rest)) yield [{ line: rest, number: row }];
}

/** Reads NDJSON, which has an item on each line. */
export const ndjsonReader = (language: Language, collection: Collection): FileReader => {
  const rowOf = rowReader(language, collection);
  const { of } = language.nouns(collection);
  const nothing = collection.fields.map(() => undefined);
  const malformedRow = (number: number, { code, detail }: Problem): FileRow => {
    const said = detail.phrase === 'json-syntax' ? sentence('row-not-object', { of }) : detail;
    return { number, cells: nothing, errors: [{ code, detail: said }] };
  };
  const readLine = (line: string, number: number): FileRow => {
    try {
      return rowOf(parseJson(line), number);
    } catch (error) {
      if (error instanceof Problem) return malformedRow(number, error);
      throw error;
    }
  };
  return async function* read(body, charset) {
    for await (const lines of linesOf(body, charset)) {
      yield* inChunks(lines, (chunk) => chunk.map(({ line, number }) => readLine(line, number)));
    }
  };
};

/**
 * @returns a reader of the rows of a JSON file as a table, for the file of rejected rows; a row with anything but a value for a
 *   field has its JSON in a note, or behind the header where nothing else is in the row
 */
export const jsonRecords = (
  language: Language,
  collection: Collection,
  values: (body: AsyncIterable<Uint8Array>, charset?: Charset) => AsyncIterable<readonly RawRow[]>,
): RecordReader => {
  const { word } = language.fields(collection);
  const fields = collection.fields.map(({ name }) => ({ name, word: word(name) }));
  const recordOf = ({ number, value }: RawRow): TableRecord => {
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
  return async function* read(body, charset) {
    yield [{ number: 0, cells: [...fields.map((field) => field.word), `${NOTE} json`] }];
    for await (const rows of values(body, charset)) yield rows.map(recordOf);
  };
};

/** The JSON value of a row, of any shape. */
interface RawRow {
  readonly number: number;
  readonly value: unknown;
}

/** @returns a reader of the items of a JSON array */
export const itemsIn = (limit: number) =>
  async function* read(body: AsyncIterable<Uint8Array>): AsyncGenerator<readonly RawRow[]> {
    const value = await jsonOf(body, limit);
    if (Array.isArray(value)) yield value.map((each, at) => ({ number: at + 1, value: each }));
  };

/** Reads the values on the lines of NDJSON; a line that is not JSON is a text. */
export async function* valuesIn(body: AsyncIterable<Uint8Array>, charset?: Charset): AsyncGenerator<readonly RawRow[]> {
  for await (const lines of linesOf(body, charset)) {
    yield lines.map(({ line, number }) => {
      try {
        return { number, value: parseJson(line) };
      } catch {
        return { number, value: line };
      }
    });
  }
}
