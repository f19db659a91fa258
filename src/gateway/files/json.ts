/** Reads JSON arrays and NDJSON, an item for each row. */
import type { Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import type { FileRow, RowError } from '../model/import.ts';
import { parsed, parseJson } from '../read/body/json-body.ts';
import { isObject, rowMembersReader } from '../read/body/members.ts';
import { sentence } from '../texts/phrase.ts';
import { LISTED, Problem, type RequestError } from '../texts/problem.ts';
import { NOTE, type TableRecord } from './cells.ts';
import type { FileReaders, FileSource } from './reader.ts';
import { decodeFile, limits, malformed, tooLong } from './text.ts';

/** The JSON of a row: a line, or an item of an array. */
interface JsonText {
  readonly text: string;
  readonly number: number;
}

const BLANK = /^\s*$/;

const invalid = (): Problem => new Problem('malformed-json', sentence('json-syntax', {}));

/** Splits a JSON array into its items, which may each be invalid. */
function* splitArray({ language, collection, file, options, onRead }: FileSource): Generator<readonly JsonText[]> {
  let number = 1;
  let rest = '';
  /** How many brackets are open; the array has ended when none is any more. */
  let depth = 0;
  let hasEnded = false;
  let isString = false;
  let isEscaped = false;
  for (const block of decodeFile({ file, charset: options.charset, onRead }, () => number)) {
    const items: JsonText[] = [];
    let start = 0;
    if (depth === 0 && !hasEnded) {
      start = block.search(/\S/);
      if (start === -1) continue;
      if (block[start] !== '[') {
        const { of } = language.nouns(collection);
        throw /[{"\-\dtfn]/.test(block[start] ?? '') ? malformed(sentence('body-not-array', { of })) : invalid();
      }
      depth = 1;
      start++;
    }
    for (let at = start; at < block.length && !hasEnded; at++) {
      const character = block[at];
      if (isString) {
        if (isEscaped) isEscaped = false;
        else if (character === '\\') isEscaped = true;
        else if (character === '"') isString = false;
        continue;
      }
      if (character === '"') isString = true;
      else if (character === '[' || character === '{') depth++;
      else if (character === ']' || character === '}') depth--;
      hasEnded = depth === 0;
      if (!hasEnded && (character !== ',' || depth > 1)) continue;
      const text = rest + block.slice(start, at);
      if (text.length > limits.row) throw tooLong(number);
      if (!hasEnded || number > 1 || !BLANK.test(text)) items.push({ text, number });
      number++;
      rest = '';
      start = at + 1;
    }
    rest += block.slice(start);
    if (hasEnded && !BLANK.test(rest)) throw invalid();
    if (rest.length > limits.row) throw tooLong(number);
    yield items;
  }
  if (!hasEnded) throw invalid();
}

/** Splits NDJSON into the lines that are not empty. */
function* splitLines({ file, options, onRead }: FileSource): Generator<readonly JsonText[]> {
  let row = 1;
  let rest = '';
  for (const block of decodeFile({ file, charset: options.charset, onRead }, () => row)) {
    const lines = (rest + block).split('\n');
    rest = lines.pop() ?? '';
    const first = row;
    for (const line of lines) if (line.length > limits.row) throw tooLong(first + lines.indexOf(line));
    row += lines.length;
    if (rest.length > limits.row) throw tooLong(row);
    yield lines.map((text, at) => ({ text, number: first + at })).filter(({ text }) => !BLANK.test(text));
  }
  if (!BLANK.test(rest)) yield [{ text: rest, number: row }];
}

/** @returns the column of an error's JSON pointer; `undefined` if it concerns the whole row */
function columnIn(place: RequestError['place']): string | undefined {
  if (!('pointer' in place) || place.pointer === '') return undefined;
  return place.pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~');
}

/** @returns a function that converts a JSON value to a row. @param isSeen says whether somebody will see all of its errors, not only one */
export function rowReader(language: Language, collection: Collection, isSeen: () => boolean) {
  const readMembers = rowMembersReader(language, collection);
  return (value: unknown, number: number): FileRow => {
    const { cells, errors } = readMembers(value);
    // A key that is `null` counts as absent.
    if (cells[0] === null) cells[0] = undefined;
    const listed = errors.listed.slice(0, isSeen() ? LISTED : 1).map((error): RowError => {
      const { place, code, value: sent, detail, suggestion } = error();
      return { column: columnIn(place), code, value: sent, detail, suggestion };
    });
    return { number, cells, errors: listed };
  };
}

async function* readArray(source: FileSource) {
  const readRow = rowReader(source.language, source.collection, source.isSeen);
  for (const items of splitArray(source)) yield items.map(({ text, number }) => readRow(parseJson(text), number));
}

async function* readLines(source: FileSource) {
  const { language, collection } = source;
  const readRow = rowReader(language, collection, source.isSeen);
  const { of } = language.nouns(collection);
  const cells = collection.fields.map(() => undefined);
  for (const lines of splitLines(source)) {
    yield lines.map(({ text, number }): FileRow => {
      const { value, fault } = parsed(text);
      if (!fault) return readRow(value, number);
      const detail = fault.phrase === 'json-syntax' ? sentence('row-not-object', { of }) : fault;
      return { number, cells, errors: [{ code: 'malformed-json', detail }] };
    });
  }
}

/**
 * Reads the rows of a JSON file as a table, for the file of rejected rows. A row with anything but a value for a field has its
 * JSON in a note, or behind the header if nothing else is in the row.
 */
async function* readRecords(split: typeof splitArray, source: FileSource): AsyncGenerator<readonly TableRecord[]> {
  const { language, collection } = source;
  const { word } = language.fields(collection);
  yield [{ number: 0, cells: [...collection.fields.map(({ name }) => word(name)), `${NOTE} json`] }];
  for (const rows of split(source)) {
    yield rows.map(({ number, text }): TableRecord => {
      const { value: read, fault } = parsed(text);
      // A line that is not JSON is a text.
      const value = fault ? text : read;
      const members: Readonly<Record<string, unknown>> = Object(value);
      const cells = collection.fields.map(({ name }) => {
        const sent = members[word(name)] ?? members[name];
        return ['string', 'number', 'boolean'].includes(typeof sent) ? String(sent) : undefined;
      });
      const count = cells.filter((cell) => cell !== undefined).length;
      if (isObject(value) && count > 0 && count === Object.keys(members).length) return { number, cells };
      const json = JSON.stringify(value);
      // A row of nothing but a note would be skipped: behind the header it is an error until it is corrected.
      return { number, cells: count > 0 ? [...cells, json] : [...cells, undefined, json] };
    });
  }
}

export const jsonReaders: FileReaders = { rows: readArray, records: (source) => readRecords(splitArray, source) };

export const ndjsonReaders: FileReaders = { rows: readLines, records: (source) => readRecords(splitLines, source) };
