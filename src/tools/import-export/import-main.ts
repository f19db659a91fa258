/** Imports files. Messages go to standard error; the exit code says whether rows were rejected. */
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { catalogue } from '../../catalogue.ts';
import { NOTE } from '../../gateway/files/cells.ts';
import { columnChoices, isTimeZone, splitList, valueChoices, valueTriple } from '../../gateway/files/preferences.ts';
import { mergeReading, names, parseProfile, readProfile, writeProfile } from '../../gateway/files/profile.ts';
import { listSeparators, readDelimiters } from '../../gateway/files/reader.ts';
import { readableFormats } from '../../gateway/formats/formats.ts';
import type { Language } from '../../gateway/locale/language.ts';
import { type Catalogue, withAllTopLevel } from '../../gateway/model/catalogue.ts';
import { findCharset } from '../../gateway/model/csv.ts';
import type { OnDuplicate } from '../../gateway/model/import.ts';
import { headerPair, headerPairs } from '../../gateway/read/prefer.ts';
import { CommandError, UsageError, useFile } from '../commands/command-error.ts';
import { chooseFormat } from '../commands/files.ts';
import { listPaths, readTargetList } from '../commands/language-choice.ts';
import { type CommandContext, DONE, FAILED, interruptible, runCommand, withStore } from '../commands/run.ts';
import { type ImportSettings, importFile } from './import-file.ts';

const RESOLUTIONS: readonly OnDuplicate[] = ['error', 'merge', 'ignore', 'replace-all'];

/** @returns the pairs of `--column` and `--value`, and of the file that `--columns` names, without the lines that are notes */
function readMappings({ options, parameters }: CommandContext, isValue: (line: string) => boolean) {
  const file = options.get('columns');
  const text = file === undefined ? '' : useFile(file, () => readFileSync(file, 'utf8'));
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const saved = lines.filter((line) => line.trim() !== '' && !line.startsWith(NOTE));
  const typed = (option: string) => parameters.flatMap(([name, value]) => (name === option ? [value] : []));
  return {
    columns: [...saved.filter((line) => !isValue(line)), ...typed('column')],
    values: [...saved.filter(isValue), ...typed('value')],
  };
}

/** @returns the value of an option, or adds a fault if it cannot be read */
function readOption<T>(
  { say, options }: CommandContext,
  faults: string[],
  name: string,
  known: string,
  read: (text: string) => T | undefined,
): T | undefined {
  const text = options.get(name);
  const value = text === undefined ? undefined : read(text);
  if (text !== undefined && value === undefined) faults.push(say('option-choice', { option: `--${name}`, known }));
  return value;
}

function readChoice<T extends string>(context: CommandContext, faults: string[], name: string, choices: readonly T[]) {
  return readOption(context, faults, name, choices.join(', '), (text) => choices.find((each) => each === text));
}

/** @param least the least number that a fault names. @param digits the most that the number has */
function readNumber(context: CommandContext, faults: string[], name: string, least: 0 | 1, digits: number) {
  const known = least === 0 ? '0, 1, 2…' : '1, 2, 3…';
  return readOption(context, faults, name, known, (text) =>
    /^\d+$/.test(text) && text.length <= digits ? Number(text) : undefined,
  );
}

/** @throws UsageError if the value of an option is unknown */
function readSettings(context: CommandContext): ImportSettings {
  const { say, language, flags, options, operands } = context;
  const faults: string[] = [];
  const readPair = (text: string) => {
    const pair = headerPair(text);
    if (!pair) faults.push(say('column-pair', { value: text }));
    return pair ? [pair] : [];
  };
  const readTriple = (text: string) => {
    const triple = valueTriple(text);
    if (!triple) faults.push(say('value-triple', { value: text }));
    return triple ? [triple] : [];
  };
  const profileFile = options.get('profile');
  const profileText = profileFile === undefined ? '{}' : useFile(profileFile, () => readFileSync(profileFile, 'utf8'));
  const { profile, faults: profileFaults } = parseProfile(profileText, profileFile ?? '');
  const list = options.get('list') ?? profile.list;
  const target = readTargetList(list === undefined ? context : { ...context, options: new Map([['list', list]]) });
  const { collection } = target;
  const saved = readProfile(profile, language, collection);
  if (flags.has('explain') && !flags.has('check')) faults.push(say('explain-check'));
  // Headers may have a colon, too, but before it is hardly the word of a field.
  const isValue = (line: string) => {
    const [word] = valueTriple(line) ?? [''];
    return columnChoices(language, collection, [['', word]]).choices.some(([, name]) => name !== undefined);
  };
  const mappings = readMappings(context, isValue);
  const columns = columnChoices(language, collection, mappings.columns.flatMap(readPair), true);
  const rejectsMissing = flags.has('update-only');
  const onDuplicate = readChoice(context, faults, 'on-duplicate', RESOLUTIONS) ?? (rejectsMissing ? 'merge' : 'error');
  if (onDuplicate === 'replace-all' && operands.length > 1) faults.push(say('replace-single'));
  const stale = readChoice(context, faults, 'stale', ['overwrite']);
  const headerRow = readNumber(context, faults, 'header-row', 1, 7);
  const mostRejected = readNumber(context, faults, 'max-rejected', 0, 9);
  const skipped = options.get('skip-rows');
  const skips = headerPairs(skipped ?? '');
  if (skipped !== undefined && !skips) faults.push(say('column-pair', { value: skipped }));
  const charset = readOption(context, faults, 'charset', 'utf-8, windows-1252, iso-8859-1', findCharset);
  const decimals = readChoice(context, faults, 'decimals', ['comma', 'point']);
  const timeZone = readOption(context, faults, 'time-zone', 'Europe/Madrid, UTC…', (text) =>
    isTimeZone(text) ? text : undefined,
  );
  const lists = readChoice(context, faults, 'lists', names(listSeparators));
  const delimiter = readChoice(context, faults, 'delimiter', names(readDelimiters));
  const style = { takesDates: flags.has('date-as-year'), decimals, timeZone };
  const triples = mappings.values.flatMap(readTriple);
  const values = valueChoices(language, collection, triples, mergeReading(saved.reading, style));
  const allFaults = [...profileFaults, ...saved.faults, ...columns.faults, ...values.faults];
  faults.push(...allFaults.map(({ detail }) => language.format(detail)));
  if (faults.length > 0) throw new UsageError(faults);
  return {
    ...target,
    reading: mergeReading(saved.reading, {
      charset,
      clearsEmpty: onDuplicate === 'replace-all' || flags.has('clear-empty'),
      columns: columns.choices,
      ignoresUnknown: flags.has('ignore-unknown-columns'),
      sheet: options.get('sheet'),
      headerRow,
      ...style,
      values: values.choices,
      nullValues: splitList(options.get('null-values') ?? ''),
      lists,
      delimiter,
      skips,
    }),
    isExplained: flags.has('explain'),
    onDuplicate,
    isLenient: flags.has('lenient'),
    mostRejected,
    isCheck: flags.has('check'),
    rejectsMissing,
    overwritesStale: stale !== undefined,
    allowsNewKeys: flags.has('allow-new-keys'),
    allowsDeletions: flags.has('allow-deletions'),
  };
}

/** @throws CommandError if a file would be written in the place of one that is imported */
function refuseOverwriting({ operands, options }: CommandContext): void {
  const imported = operands.map((file) => resolve(file));
  for (const file of [options.get('changes'), options.get('save-profile')]) {
    if (file !== undefined && imported.includes(resolve(file)))
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
  return interruptible((signal) =>
    withStore(storeContext, async (store) => {
      // Created before anything is imported.
      const changes = path === undefined ? undefined : { path, fd: useFile(path, () => openSync(path, 'w')) };
      let worst = DONE;
      for (const file of files) {
        worst = Math.max(worst, await importFile({ ...file, settings, store, context, changes, signal }));
      }
      if (changes) closeSync(changes.fd);
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
  const lines = all.map((each) => {
    const words = each.fields.map(({ name, unit }) => fields(each).word(name) + (unit ? ` (${unit})` : ''));
    return `${paths(each.parent).word(each.name)}: ${words.join(', ')}`;
  });
  return lines.join('\n  ');
}

await runCommand(catalogue, {
  command: 'npm run import',
  flags: [
    'lenient',
    'check',
    'allow-deletions',
    'clear-empty',
    'update-only',
    'allow-new-keys',
    'ignore-unknown-columns',
    'date-as-year',
    'explain',
  ],
  options: [
    'language',
    'list',
    'format',
    'charset',
    'on-duplicate',
    'columns',
    'sheet',
    'header-row',
    'skip-rows',
    'max-rejected',
    'stale',
    'changes',
    'decimals',
    'time-zone',
    'null-values',
    'lists',
    'delimiter',
    'profile',
    'save-profile',
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
