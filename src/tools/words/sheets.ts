/** The texts of a table as CSV or an Excel workbook, by the writers and readers of items. */
import { closeSync, openSync } from 'node:fs';
import { Readable } from 'node:stream';
import { fillCells } from '../../gateway/files/cells.ts';
import { loadReaders } from '../../gateway/files/read-file.ts';
import type { TableCell } from '../../gateway/files/reader.ts';
import { csv } from '../../gateway/formats/csv.ts';
import { xlsx } from '../../gateway/formats/xlsx.ts';
import { createLanguages, type Language } from '../../gateway/locale/language.ts';
import type { Locale } from '../../gateway/locale/table.ts';
import { collection, defineCatalogue, findCollection } from '../../gateway/model/catalogue.ts';
import { key, text } from '../../gateway/model/fields.ts';
import { commandError, useFile } from '../commands/command-error.ts';
import type { Row, Unit } from './exchange.ts';

const formats = { csv, xlsx };
export type SheetFormat = keyof typeof formats;

const COLUMNS = ['source', 'note', 'seen', 'present', 'translation'];
const catalogue = defineCatalogue(
  collection('texts', {
    key: key(),
    ...Object.fromEntries(COLUMNS.map((name) => [name, text({ max: 32_767, examples: ['x'.repeat(47)] })])),
  }),
);
const texts = findCollection(catalogue, 'texts');

/** @param locale is whole. @param csv is the style of CSV. @returns the language of a collection of texts */
export function createSheetLanguage({ tag, table }: Locale, { csv }: Pick<Language, 'csv'>): Language {
  const fields = { texts: Object.fromEntries(['key', ...COLUMNS].map((name) => [name, name])) };
  const locale = { tag, table: { ...table, paths: { ...table.paths, texts: 'texts' }, fields } };
  const [language] = createLanguages(catalogue, [locale], tag);
  if (!language) throw new TypeError('no language');
  return { ...language, csv };
}

/** @returns a table with a row for each text, whose translation is empty */
export function writeSheet(units: readonly Unit[], format: SheetFormat, language: Language): Readable {
  const { list, pack } = formats[format].write({
    language,
    collection: texts,
    fields: texts.fields,
    included: [],
    typeParameters: new Map(),
  });
  const rows = units.map(({ key, source, note, seen, present }, at) =>
    list.row([0, key, source, note, seen, present === '' ? null : present, null], at),
  );
  const written = Buffer.from(list.start + rows.join(list.separator) + list.end);
  return pack ? Readable.fromWeb(pack(ReadableStream.from<Uint8Array>([written]))) : Readable.from([written]);
}

function readText(cell: TableCell): string {
  return typeof cell === 'object' ? cell.sent : String(cell ?? '');
}

function readRow([key, source, present, text]: readonly TableCell[]): Row {
  // A cell that is no text comes as the program shows it.
  const isText = text === undefined || typeof text === 'string';
  const sent = readText(text);
  return {
    key: readText(key),
    source: readText(source),
    present: readText(present),
    text: sent,
    cell: isText ? undefined : sent.toUpperCase(),
  };
}

/** @throws CommandError if it lacks a column, Problem if it is not of the format */
export async function readSheet(file: string, format: SheetFormat, language: Language): Promise<readonly Row[]> {
  const { records } = await loadReaders(format);
  const opened = useFile(file, () => openSync(file, 'r'));
  const rows: Row[] = [];
  let columns: readonly number[] | undefined;
  try {
    const source = { language, collection: texts, file: opened, options: { headerRow: 1 }, isSeen: () => false };
    for await (const some of records(source)) {
      for (const record of some) {
        const cells = fillCells(record);
        const wanted = ['key', 'source', 'present', 'translation'];
        if (columns) rows.push(readRow(columns.map((at) => cells[at])));
        else columns = wanted.map((name) => cells.findIndex((cell) => readText(cell).trim().toLowerCase() === name));
        if (columns.includes(-1)) throw commandError('words-columns', { file, columns: wanted.join(', ') });
      }
    }
  } finally {
    closeSync(opened);
  }
  return rows.filter(({ key }) => key !== '');
}
