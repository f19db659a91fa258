/** The texts of a table as CSV or an Excel workbook, by the writers and readers of items. */
import { closeSync, openSync } from 'node:fs';
import { Readable } from 'node:stream';
import { fillCells } from '../../gateway/files/cells.ts';
import { loadReaders } from '../../gateway/files/read-file.ts';
import type { TableCell } from '../../gateway/files/reader.ts';
import { csv } from '../../gateway/formats/csv.ts';
import { xlsx } from '../../gateway/formats/xlsx.ts';
import { createLanguages, type Language } from '../../gateway/locale/language.ts';
import type { Table } from '../../gateway/locale/table.ts';
import { collection, defineCatalogue, findCollection } from '../../gateway/model/catalogue.ts';
import { key, text } from '../../gateway/model/fields.ts';
import { sentences, words } from '../../gateway/texts/packaged.ts';
import { Problem } from '../../gateway/texts/problem.ts';
import { readTerminalLanguage } from '../../util/terminal-language.ts';
import { CommandError, UsageError, useFile } from '../commands/command-error.ts';
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

/** @returns the language of a collection of texts; it writes CSV as spreadsheet programs in the language of the terminal expect it */
function createSheetLanguage(): Language {
  const [tag = 'en'] = readTerminalLanguage()?.split('-') ?? [];
  const table = { ...words.en, ...sentences.en, ...words[tag], ...sentences[tag] } as Table;
  const fields = { texts: Object.fromEntries(['key', ...COLUMNS].map((name) => [name, name])) };
  const locale = { tag, table: { ...table, paths: { ...table.paths, texts: 'texts' }, fields } };
  const [language] = createLanguages(catalogue, [locale], tag);
  if (!language) throw new TypeError('no language');
  return language;
}

/** @returns a table with a row for each text, whose translation is empty */
export function writeSheet(units: readonly Unit[], format: SheetFormat): Readable {
  const { list, pack } = formats[format].write({
    language: createSheetLanguage(),
    collection: texts,
    fields: texts.fields,
    included: [],
    typeParameters: new Map(),
  });
  const rows = units.map(({ key, source, note, seen, present }, at) =>
    list.row([0, key, source, note, seen, present === '' ? null : present, null], at),
  );
  const bytes = Buffer.from(list.start + rows.join(list.separator) + list.end);
  return pack ? Readable.fromWeb(pack(ReadableStream.from<Uint8Array>([bytes]))) : Readable.from([bytes]);
}

function readText(cell: TableCell): string {
  return typeof cell === 'object' ? cell.text : String(cell ?? '');
}

function readRow([key, source, present, text]: readonly TableCell[]): Row {
  const shownText = readText(text);
  // A cell that is no text any more is compared as the program shows it.
  const cell = text === undefined || typeof text === 'string' ? undefined : shownText.toUpperCase();
  return { key: readText(key), source: readText(source), present: readText(present), text: shownText, cell };
}

/** @throws CommandError if it lacks a column, UsageError if it is not of the format */
export async function readSheet(file: string, format: SheetFormat): Promise<readonly Row[]> {
  const { records } = await loadReaders(format);
  const descriptor = useFile(file, () => openSync(file, 'r'));
  const requiredColumns = ['key', 'source', 'present', 'translation'];
  const language = createSheetLanguage();
  const source = { language, collection: texts, file: descriptor, options: { headerRow: 1 }, isSeen: () => false };
  try {
    const [header, ...rows] = (await Array.fromAsync(records(source))).flat().map((record) => fillCells(record));
    const columns = requiredColumns.map(
      (name) => header?.findIndex((cell) => readText(cell).trim().toLowerCase() === name) ?? -1,
    );
    if (columns.includes(-1)) throw new CommandError('words-columns', { file, columns: requiredColumns.join(', ') });
    return rows.map((cells) => readRow(columns.map((at) => cells[at]))).filter(({ key }) => key !== '');
  } catch (error) {
    throw error instanceof Problem ? new UsageError([language.format(error.detail)]) : error;
  } finally {
    closeSync(descriptor);
  }
}
