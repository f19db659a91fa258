/** `words export` and `words import`: a table to somebody who translates it, and back. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { valueAt } from '../../../packages/vocabularies/src/words.ts';
import { ENGLISH, listSentences } from '../../gateway/locale/chain.ts';
import { listForms } from '../../gateway/locale/table.ts';
import { truncate } from '../../gateway/texts/phrase.ts';
import { examineFolder, findLocaleFolders } from '../../host/tables/load.ts';
import { recordSources } from '../../host/tables/survey.ts';
import { moveInto } from '../../util/move-into.ts';
import { CommandError, toFileError, UsageError, useFile } from '../commands/command-error.ts';
import { DONE, FOUND } from '../commands/run.ts';
import type { Context } from './context.ts';
import { changeFiles, compareRows, listUnits, type Row } from './exchange.ts';
import { readSheet, writeSheet } from './sheets.ts';
import { readXliff, writeXliff } from './xliff.ts';

export const exchangeFormats = ['xliff', 'csv', 'xlsx'] as const;
type ExchangeFormat = (typeof exchangeFormats)[number];
type Files = Readonly<Record<string, string>>;

/** @returns the format that a flag names, else that of the file's name */
function chooseFormat(file: string, { flags, say }: Context): ExchangeFormat {
  const ending = extname(file).slice(1).replace('xlf', 'xliff');
  const format = exchangeFormats.find((name) => flags.has(name)) ?? exchangeFormats.find((name) => name === ending);
  if (format === undefined) throw new UsageError([say('words-usage')]);
  return format;
}

/** @returns the table of a language, which may be a new one, its texts, and the language and the sentences that they are translated from */
function openTable({ operands: [, tag = ''], options, config, findings: { tables }, say }: Context) {
  if (!/^[a-z]{2,3}(?:-[A-Za-z0-9]+)*$/.test(tag)) throw new UsageError([say('words-usage')]);
  const find = (language: string) => tables.find((table) => table.tag === language);
  const defaultTable = find(ENGLISH) ?? find(config.DEFAULT_LANGUAGE);
  const files = { file: `${tag}.json`, messages: `messages/${tag}.json` };
  const existing = find(tag) ?? { ...files, tag, folder: findLocaleFolders(config)[0], own: {}, source: undefined };
  const table = { ...existing, source: existing.source?.folder === undefined ? defaultTable : existing.source };
  const from = options.get('from');
  const source = from === undefined ? table.source : find(from);
  if (!source) {
    const known = tables.map((table) => table.tag).join(', ');
    throw new UsageError([say('language-unknown', { value: from ?? tag, known })]);
  }
  // Derived texts are left out; a dialect has too few texts of its own, so that all of its texts are handed out.
  const texts = valueAt(source.own, 'extends') === undefined ? (source.own ?? source.content) : source.content;
  return { table, from: source.tag, units: listUnits(texts, table), origins: listSentences(table.source?.content) };
}

export async function exportWords(context: Context): Promise<number> {
  const { options, say } = context;
  const file = options.get('out') ?? '';
  const format = chooseFormat(file, context);
  if (file === '') throw new UsageError([say('words-usage')]);
  const { table, from, units } = openTable(context);
  const content = format === 'xliff' ? writeXliff(units, from, table.tag) : writeSheet(units, format);
  await writeFile(file, content).catch((error) => {
    throw toFileError(file, error);
  });
  const missing = units.filter(({ present }) => present === '').length;
  context.print(say('words-exported', { file, count: units.length, missing }));
  return DONE;
}

async function readRows(file: string, tag: string, format: ExchangeFormat): Promise<readonly Row[]> {
  if (format !== 'xliff') return readSheet(file, format);
  const text = useFile(file, () => readFileSync(file, 'utf8'));
  let document: ReturnType<typeof readXliff>;
  try {
    document = readXliff(text);
  } catch (error) {
    throw new CommandError('words-malformed', { file, reason: (error as Error).message }, error);
  }
  if (document.target.toLowerCase() !== tag.toLowerCase())
    throw new CommandError('words-language', { file, language: document.target, tag });
  return document.rows;
}

function writeFiles(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name);
    useFile(file, () => {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(`${file}.new`, text);
      moveInto(`${file}.new`, file);
    });
  }
}

/** @returns what would stop a start with other files of a table, which lie in a copy of the folder then */
function checkFiles(tag: string, files: Files, { catalogue, config, findings }: Context): readonly string[] {
  const [folder, base] = findLocaleFolders(config);
  const copy = mkdtempSync(join(tmpdir(), 'words-'));
  try {
    cpSync(folder, copy, { recursive: true });
    writeFiles(copy, files);
    const tags = new Set([...findings.tables.map((table) => table.tag), tag]);
    return examineFolder(catalogue, copy, config.DEFAULT_LANGUAGE, { base, languages: [...tags] }).faults;
  } finally {
    rmSync(copy, { recursive: true });
  }
}

export async function importWords(context: Context): Promise<number> {
  const { flags, operands, say, print } = context;
  const file = operands[2] ?? '';
  const format = chooseFormat(file, context);
  const { table, units, origins } = openTable(context);
  const { folder = '', tag, messages = table.file } = table;
  const rows = await readRows(file, tag, format);
  const { texts, faults } = compareRows(units, rows, ['the', 'of', ...listForms(table.own)]);
  for (const fault of faults) {
    const values = Object.entries(fault.values).map(([name, value]) => [name, truncate(value)]);
    print(say(fault.text, Object.fromEntries(values)));
  }
  if (faults.length > 0 && !flags.has('partial')) {
    print(say('words-refused', { count: faults.length }));
    return FOUND;
  }
  const read = (name: string, empty: string): string =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : empty;
  const schemas = { [table.file]: 'locale', [messages]: 'messages' };
  const oldFiles = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      read(name, `{\n  "$schema": "./${schema}.schema.json"\n}\n`),
    ]),
  );
  const newFiles = changeFiles(oldFiles, units, texts);
  const files = Object.fromEntries(Object.entries(newFiles).filter(([name, text]) => text !== oldFiles[name]));
  const startFaults = texts.size === 0 ? [] : checkFiles(tag, files, context);
  for (const line of startFaults) print(line);
  if (startFaults.length > 0) {
    print(say('words-stopped'));
    return FOUND;
  }
  writeFiles(folder, files);
  const places = new Set(units.flatMap(({ key, place }) => (texts.has(key) ? [place] : [])));
  recordSources(table, new Map([...origins].filter(([place]) => places.has(place))));
  print(say('words-imported', { file, count: texts.size }));
  return faults.length > 0 ? FOUND : DONE;
}
