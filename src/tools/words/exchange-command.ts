/** `words export` and `words import`: a table to somebody who translates it, and back. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { pseudoTags } from '../../gateway/locale/pseudo.ts';
import { truncate } from '../../gateway/texts/phrase.ts';
import type { Config } from '../../host/settings/config.ts';
import { examineFolder, localeFolders, sourcesFile } from '../../host/tables/load.ts';
import { moveInto } from '../../util/move-into.ts';
import { commandError, UsageError, unusableFile, useFile } from '../commands/command-error.ts';
import { type CommandContext, DONE, FOUND } from '../commands/run.ts';
import { changeFiles, compareRows, type Files, listUnits, readFiles, recordOrigins } from './exchange.ts';
import { createSheetLanguage, readSheet, writeSheet } from './sheets.ts';
import { readXliff, writeXliff } from './xliff.ts';

export const exchangeFormats = ['xliff', 'csv', 'xlsx'] as const;
type ExchangeFormat = (typeof exchangeFormats)[number];

/** @returns the language that is translated from: the default one if a catalogue has no English */
function findSource(folder: string, { DEFAULT_LANGUAGE }: Config): string {
  return existsSync(join(folder, 'en.json')) ? 'en' : DEFAULT_LANGUAGE;
}

/** @returns the format that a flag names, else that of the file's name */
function chooseFormat(file: string, { flags, say }: CommandContext): ExchangeFormat {
  const ending = extname(file).slice(1).replace('xlf', 'xliff');
  const format = exchangeFormats.find((name) => flags.has(name)) ?? exchangeFormats.find((name) => name === ending);
  if (format === undefined) throw new UsageError([say('words-usage')]);
  return format;
}

function readTag(text: string, say: CommandContext['say']): string {
  if (!/^[a-z]{2,3}(?:-[A-Za-z0-9]+)*$/.test(text)) throw new UsageError([say('words-usage')]);
  return text;
}

function openSheetLanguage({ locales, outputLanguage, config }: CommandContext) {
  const locale = locales.find(({ tag }) => tag === config.DEFAULT_LANGUAGE);
  if (!locale) throw new TypeError('the default language has no table');
  return createSheetLanguage(locale, outputLanguage);
}

export async function exportWords(word: string, context: CommandContext): Promise<number> {
  const { options, config, say, note } = context;
  const [tag, file] = [readTag(word, say), options.get('out') ?? ''];
  if (file === '') throw new UsageError([say('words-usage')]);
  const format = chooseFormat(file, context);
  const [folder] = localeFolders(config);
  const source = findSource(folder, config);
  const units = listUnits(readFiles(folder, source), readFiles(folder, tag), tag);
  const content =
    format === 'xliff' ? writeXliff(units, source, tag) : writeSheet(units, format, openSheetLanguage(context));
  await writeFile(file, content).catch((error) => {
    throw unusableFile(file, error);
  });
  const missing = units.filter(({ present }) => present === '').length;
  note(say('words-exported', { file, count: units.length, missing }));
  return DONE;
}

async function readRows(file: string, tag: string, format: ExchangeFormat, context: CommandContext) {
  if (format !== 'xliff') return readSheet(file, format, openSheetLanguage(context));
  const text = useFile(file, () => readFileSync(file, 'utf8'));
  let document: ReturnType<typeof readXliff>;
  try {
    document = readXliff(text);
  } catch (error) {
    throw commandError('words-malformed', { file, reason: (error as Error).message }, error);
  }
  if (document.target.toLowerCase() !== tag.toLowerCase())
    throw commandError('words-language', { file, language: document.target, tag });
  return document.rows;
}

/** Starts with the new files as the service would, in a copy of the folder. @returns what would stop it */
function checkFiles(tag: string, files: Files, { catalogue, config, locales }: CommandContext): readonly string[] {
  const [folder, base] = localeFolders(config);
  const copy = mkdtempSync(join(tmpdir(), 'words-'));
  try {
    cpSync(folder, copy, { recursive: true });
    writeFiles(copy, files);
    const tags = locales.map((each) => each.tag).filter((each) => !pseudoTags.includes(each));
    return examineFolder(catalogue, copy, config.DEFAULT_LANGUAGE, base, [...new Set([...tags, tag])]).faults;
  } finally {
    rmSync(copy, { recursive: true });
  }
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

export async function importWords(word: string, file: string, context: CommandContext): Promise<number> {
  const { config, flags, say, note, print } = context;
  const tag = readTag(word, say);
  const [folder] = localeFolders(config);
  const before = readFiles(folder, tag);
  const units = listUnits(readFiles(folder, findSource(folder, config)), before, tag);
  const { texts, faults } = compareRows(units, await readRows(file, tag, chooseFormat(file, context), context));
  for (const fault of faults) {
    const values = Object.entries(fault.values).map(([name, value]) => [name, truncate(value)]);
    print(say(fault.text, Object.fromEntries(values)));
  }
  if (faults.length > 0 && !flags.has('partial')) {
    note(say('words-refused', { count: faults.length }));
    return FOUND;
  }
  const origins = sourcesFile(Object.keys(before)[1] ?? '');
  const digests = existsSync(join(folder, origins)) ? readFileSync(join(folder, origins), 'utf8') : '{}\n';
  const after = { ...changeFiles(before, units, texts), [origins]: recordOrigins(digests, units, texts) };
  const was: Files = { ...before, [origins]: digests };
  const files = Object.fromEntries(Object.entries(after).filter(([name, text]) => text !== was[name]));
  const stops = texts.size === 0 ? [] : checkFiles(tag, files, context);
  for (const line of stops) print(line);
  if (stops.length > 0) {
    note(say('words-stopped'));
    return FOUND;
  }
  writeFiles(folder, files);
  note(say('words-imported', { file, count: texts.size }));
  return faults.length > 0 ? FOUND : DONE;
}
