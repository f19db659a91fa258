/** Imports files. Messages go to standard error; the exit code says whether rows were rejected. */
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { catalogue } from '../../catalogue.ts';
import { NOTE } from '../../gateway/files/cells.ts';
import {
  interpret,
  isFlag,
  names,
  readColumnChoices,
  readValueTriple,
  rules,
} from '../../gateway/files/preferences.ts';
import { parseProfile, readProfile, writeProfile } from '../../gateway/files/profile.ts';
import { readableFormats } from '../../gateway/formats/formats.ts';
import type { Language } from '../../gateway/locale/language.ts';
import { type Catalogue, withAllTopLevel } from '../../gateway/model/catalogue.ts';
import { findCharset } from '../../gateway/model/csv.ts';
import { readHeaderPair } from '../../gateway/read/prefer.ts';
import { CommandError, UsageError, useFile } from '../commands/command-error.ts';
import { chooseFormat } from '../commands/files.ts';
import { listPaths, readTargetList } from '../commands/language-choice.ts';
import { type CommandContext, DONE, FAILED, runCommand, runInterruptibly, withStore } from '../commands/run.ts';
import { type ImportSettings, importFile } from './import-file.ts';

/** @returns the pairs of `--column` and `--value`, and of the file that `--columns` names, without the lines that are notes */
function readMappings({ options, parameters }: CommandContext, isValue: (line: string) => boolean) {
  const file = options.get('columns');
  const text = file === undefined ? '' : useFile(file, () => readFileSync(file, 'utf8'));
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const savedLines = lines.filter((line) => line.trim() !== '' && !line.startsWith(NOTE));
  const readTyped = (option: string) => parameters.flatMap(([name, value]) => (name === option ? [value] : []));
  return {
    columns: [...savedLines.filter((line) => !isValue(line)), ...readTyped('column')],
    values: [...savedLines.filter(isValue), ...readTyped('value')],
  };
}

/** Flags whose preferences have another name. */
const RENAMED = {
  'update-only': ['missing-keys', 'reject'],
  'clear-empty': ['absent-cells', 'clear'],
  lenient: ['handling', 'lenient'],
  check: ['handling', 'check'],
} as const;
/** Preferences whose options have another name, or are given several times. */
const OTHERWISE = ['handling', 'resolution', 'absent-cells', 'missing-keys', 'units', 'values'];
const preferences = [...rules.keys()].filter((name) => !OTHERWISE.includes(name));
const RESOLUTIONS = {
  error: undefined,
  merge: 'merge-duplicates',
  ignore: 'ignore-duplicates',
  'replace-all': 'replace-all',
};
const CHARSETS = 'utf-8, windows-1252, iso-8859-1';

/** @returns the values of the preferences that options and flags stand for, by their names. @param faults has what cannot be read */
function readPreferences({ say, options, flags }: CommandContext, faults: string[]): ReadonlyMap<string, string> {
  const mustBe = (option: string, known: string) => faults.push(say('option-choice', { option: `--${option}`, known }));
  const values = new Map<string, string>();
  for (const [flag, [name, value]] of Object.entries(RENAMED)) if (flags.has(flag)) values.set(name, value);
  const onDuplicate = options.get('on-duplicate') ?? 'error';
  const resolution = names(RESOLUTIONS).find((name) => name === onDuplicate);
  if (resolution === undefined) mustBe('on-duplicate', names(RESOLUTIONS).join(', '));
  else values.set('resolution', RESOLUTIONS[resolution] ?? '');
  for (const [name, { values: choices, known = choices?.join(', ') ?? '', isValid }] of rules) {
    const value = flags.has(name) ? '' : options.get(name);
    if (value === undefined || name === 'columns' || name === 'profile') continue;
    if (isValid(value)) values.set(name, value);
    else if (name === 'skip-rows') faults.push(say('column-pair', { value }));
    else mustBe(name, known);
  }
  return values;
}

/** @throws UsageError if the value of an option is unknown */
function readSettings(context: CommandContext): ImportSettings {
  const { say, language, flags, options, operands } = context;
  const faults: string[] = [];
  const readAll = <T>(
    texts: readonly string[],
    read: (text: string) => T | undefined,
    phrase: 'column-pair' | 'value-triple',
  ) =>
    texts.flatMap((value) => {
      const pair = read(value);
      if (!pair) faults.push(say(phrase, { value }));
      return pair ? [pair] : [];
    });
  const profileFile = options.get('profile');
  const profileText = profileFile === undefined ? '{}' : useFile(profileFile, () => readFileSync(profileFile, 'utf8'));
  const { profile, faults: profileFaults } = parseProfile(profileText, profileFile ?? '');
  const list = options.get('list') ?? profile.list;
  const target = readTargetList(list === undefined ? context : { ...context, options: new Map([['list', list]]) });
  const { collection } = target;
  const savedSettings = readProfile(profile, language, collection);
  if (flags.has('explain') && !flags.has('check')) faults.push(say('explain-check'));
  // Headers may have a colon, too, but before it is hardly the word of a field.
  const isValue = (line: string) => {
    const [word] = readValueTriple(line) ?? [''];
    return readColumnChoices(language, collection, [['', word]]).choices.some(([, name]) => name !== undefined);
  };
  const texts = readMappings(context, isValue);
  const mappings = {
    columns: readAll(texts.columns, readHeaderPair, 'column-pair'),
    values: readAll(texts.values, readValueTriple, 'value-triple'),
  };
  const values = readPreferences(context, faults);
  if (values.get('resolution') === 'replace-all' && operands.length > 1) faults.push(say('replace-single'));
  const charsetName = options.get('charset');
  const charset = charsetName === undefined ? undefined : findCharset(charsetName);
  if (charsetName !== undefined && !charset)
    faults.push(say('option-choice', { option: '--charset', known: CHARSETS }));
  const {
    faults: unknown,
    reading,
    ...settings
  } = interpret(values, language, collection, mappings, savedSettings.reading);
  faults.push(...[...profileFaults, ...savedSettings.faults, ...unknown].map(({ detail }) => language.format(detail)));
  if (faults.length > 0) throw new UsageError(faults);
  return {
    ...target,
    ...settings,
    reading: charset ? { ...reading, charset } : reading,
    isExplained: flags.has('explain'),
  };
}

/** @throws CommandError if a file would be written in the place of one that is imported */
function refuseOverwriting({ operands, options }: CommandContext): void {
  const importedPaths = operands.map((file) => resolve(file));
  for (const file of [options.get('changes'), options.get('save-profile')]) {
    if (file !== undefined && importedPaths.includes(resolve(file)))
      throw new CommandError('file-unusable', { file, reason: 'EEXIST' });
  }
}

/** Imports files one after another, each by itself. @returns the worst of their exit codes */
function importFiles(context: CommandContext): Promise<number> {
  const settings = readSettings(context);
  const { collection } = settings;
  const files = context.operands.map((file) => ({ file, format: chooseFormat(readableFormats, context, file).name }));
  const path = context.options.get('changes');
  refuseOverwriting(context);
  // The store of a list across parents knows it, too.
  const storeContext = collection.flattens ? { ...context, catalogue: withAllTopLevel(context.catalogue) } : context;
  return runInterruptibly((signal) =>
    withStore(storeContext, async (store) => {
      // The file is created before anything is imported.
      const changeList = path === undefined ? undefined : { path, fd: useFile(path, () => openSync(path, 'w')) };
      let worst = DONE;
      for (const file of files) {
        worst = Math.max(worst, await importFile({ ...context, ...settings, ...file, store, changeList, signal }));
      }
      if (changeList) closeSync(changeList.fd);
      if (worst !== FAILED) saveProfile(context, settings);
      return worst;
    }),
  );
}

/** Writes how files were read to the file of `--save-profile`. */
function saveProfile({ options, say, note, language }: CommandContext, { collection, reading }: ImportSettings): void {
  const file = options.get('save-profile');
  if (file === undefined) return;
  const list = options.get('list') ?? language.paths(collection.parent).word(collection.name);
  useFile(file, () => writeFileSync(file, writeProfile(reading, list, language, collection)));
  note(say('profile-saved', { file }));
}

function describeFields(all: Catalogue, { paths, fields }: Language): string {
  const lines = all.map((list) => {
    const words = list.fields.map(({ name, unit }) => fields(list).word(name) + (unit ? ` (${unit})` : ''));
    return `${paths(list.parent).word(list.name)}: ${words.join(', ')}`;
  });
  return lines.join('\n  ');
}

await runCommand(catalogue, {
  command: 'npm run import',
  flags: ['explain', ...Object.keys(RENAMED), ...preferences.filter(isFlag)],
  options: [
    ...['language', 'list', 'format', 'charset', 'on-duplicate', 'changes', 'save-profile'],
    ...preferences.filter((name) => !isFlag(name)),
  ],
  repeatable: ['column', 'value'],
  operands: [1, Number.POSITIVE_INFINITY],
  hasFiles: true,
  help: 'import-help',
  helpValues: (all, language) => ({
    collections: listPaths(withAllTopLevel(all), language).join(', '),
    fields: describeFields(all, language),
  }),
  work: importFiles,
});
