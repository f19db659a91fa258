/** Reads JSON arrays and NDJSON, an item for each row. */
import { fstatSync } from 'node:fs';
import { isObject } from '../../../packages/vocabularies/src/words.ts';
import { iterateChunks } from '../../util/iterate-chunks.ts';
import type { FileRow, RowError } from '../model/import.ts';
import { parseJson, tryParseJson } from '../read/body/body.ts';
import { createRowMembersReader } from '../read/body/members.ts';
import { byteSize, sentence } from '../texts/phrase.ts';
import { LISTED, Problem } from '../texts/problem.ts';
import { NOTE } from './cells.ts';
import type { FileReaders, FileSource, TableRecord } from './reader.ts';
import { decodeFile, limits, malformed, rowTooLong } from './text.ts';

const CHUNK = 100;
const BLANK = /^\s*$/;

function parseArray(source: FileSource): readonly unknown[] {
  if (fstatSync(source.file).size > limits.json) {
    throw new Problem('body-too-large', sentence('array-too-large', { limit: byteSize(limits.json) }));
  }
  const { language, collection } = source;
  const text = [...decodeFile(source, () => 1)].join('');
  if (/^\s*[{"\-\dtfn]/.test(text)) throw malformed(sentence('body-not-array', language.nouns(collection)));
  return parseJson(text) as readonly unknown[];
}

function* splitLines(source: FileSource) {
  let row = 1;
  let rest = '';
  for (const block of decodeFile(source, () => row)) {
    const lines = (rest + block).split('\n');
    rest = lines.pop() ?? '';
    const first = row;
    for (const line of lines) if (line.length > limits.row) throw rowTooLong(first + lines.indexOf(line));
    row += lines.length;
    if (rest.length > limits.row) throw rowTooLong(row);
    yield lines.map((text, at) => ({ text, number: first + at })).filter(({ text }) => !BLANK.test(text));
  }
  if (!BLANK.test(rest)) yield [{ text: rest, number: row }];
}

function createRowReader({ language, collection, isSeen }: FileSource) {
  const readMembers = createRowMembersReader(language, collection);
  return (value: unknown, number: number): FileRow => {
    const { cells, errors } = readMembers(value);
    if (cells[0] === null) cells[0] = undefined;
    const listed = errors.listed.slice(0, isSeen() ? LISTED : 1).map((error): RowError => {
      const { place, code, value: sentValue, detail, suggestion } = error();
      const pointer = 'pointer' in place ? place.pointer.slice(1) : '';
      const column = pointer.replaceAll('~1', '/').replaceAll('~0', '~') || undefined;
      return { column, code, value: sentValue, detail, suggestion };
    });
    return { number, cells, errors: listed };
  };
}

async function* readArray(source: FileSource) {
  const readRow = createRowReader(source);
  let number = 0;
  // Some at a time, because of later rows with errors only one is found.
  for (const items of iterateChunks(parseArray(source), CHUNK)) yield items.map((item) => readRow(item, ++number));
}

async function* readLines(source: FileSource) {
  const { language, collection } = source;
  const readRow = createRowReader(source);
  const { of } = language.nouns(collection);
  const cells = collection.fields.map(() => undefined);
  for (const lines of splitLines(source)) {
    yield lines.map(({ text, number }): FileRow => {
      const { value, fault } = tryParseJson(text);
      if (!fault) return readRow(value, number);
      const detail = fault.phrase === 'json-syntax' ? sentence('row-not-object', { of }) : fault;
      return { number, cells, errors: [{ code: 'malformed-json', detail }] };
    });
  }
}

/** A row with anything but a value for a field has its JSON in a note, or behind the header if nothing else is in the row. */
function createRecord({ language, collection }: FileSource, value: unknown, number: number): TableRecord {
  const { word } = language.fields(collection);
  const members: Readonly<Record<string, unknown>> = Object(value);
  const cells = collection.fields.map(({ name }) => {
    const member = members[word(name)] ?? members[name];
    return ['string', 'number', 'boolean'].includes(typeof member) ? String(member) : undefined;
  });
  const count = cells.filter((cell) => cell !== undefined).length;
  if (isObject(value) && count > 0 && count === Object.keys(members).length) return { number, cells };
  const json = JSON.stringify(value);
  // A row of nothing but a note would be skipped: behind the header it is an error until it is corrected.
  return { number, cells: count > 0 ? [...cells, json] : [...cells, undefined, json] };
}

function createHeader({ language, collection }: FileSource): readonly TableRecord[] {
  const { word } = language.fields(collection);
  return [{ number: 0, cells: [...collection.fields.map(({ name }) => word(name)), `${NOTE} json`] }];
}

async function* recordArray(source: FileSource) {
  yield createHeader(source);
  yield parseArray(source).map((item, at) => createRecord(source, item, at + 1));
}

async function* recordLines(source: FileSource) {
  yield createHeader(source);
  for (const lines of splitLines(source)) {
    yield lines.map(({ text, number }) => {
      const { value, fault } = tryParseJson(text);
      // A line that is not JSON is a text.
      return createRecord(source, fault ? text : value, number);
    });
  }
}

export const jsonReaders: FileReaders = { rows: readArray, records: recordArray };
export const ndjsonReaders: FileReaders = { rows: readLines, records: recordLines };
