import { readFileSync } from 'node:fs';
import { readableFormats } from '../../gateway/formats/formats.ts';
import { withAllListed } from '../../gateway/model/catalogue.ts';
import type { OnDuplicate } from '../../gateway/model/import.ts';
import { columnChoices, headerPair, headerPairs } from '../../gateway/read/column-choices.ts';
import { NOTE } from '../../gateway/read/files/table-cells.ts';
import { charsetOf } from '../../gateway/read/files/text.ts';
import { commandError, UsageError } from '../commands/command-error.ts';
import { interruptible } from '../commands/interruptible.ts';
import { type CommandContext, DONE } from '../commands/run.ts';
import { withStore } from '../commands/with-store.ts';
import { changesFile } from './changes-file.ts';
import { type ImportSettings, importFile } from './import-file.ts';
import { formatOf, targetListIn } from './options.ts';

const RESOLUTIONS: readonly OnDuplicate[] = ['error', 'merge', 'ignore', 'replace-all'];
const CHARSETS = 'utf-8, windows-1252, iso-8859-1';

/** @throws CommandError where the file cannot be read */
const linesOf = (file: string): readonly string[] => {
  try {
    return readFileSync(file, 'utf8')
      .replace(/^\uFEFF/, '')
      .split(/\r?\n/);
  } catch (error) {
    throw commandError('file-unusable', { file, reason: (error as NodeJS.ErrnoException).code ?? '' }, error);
  }
};

/** @returns the lines of `--column`, and of the file that `--columns` names, without those that are notes */
const columnLines = ({ options, parameters }: CommandContext): readonly string[] => {
  const file = options.get('columns');
  const saved = file === undefined ? [] : linesOf(file).filter((line) => line.trim() !== '' && !line.startsWith(NOTE));
  return [...saved, ...parameters.map(([, value]) => value)];
};

/** @throws UsageError where the value of an option is unknown */
const settingsIn = (context: CommandContext): ImportSettings => {
  const { say, language, flags, options, operands } = context;
  const rejectsMissing = flags.has('update-only');
  const sent = options.get('on-duplicate') ?? (rejectsMissing ? 'merge' : 'error');
  const onDuplicate = RESOLUTIONS.find((each) => each === sent);
  const label = options.get('charset');
  const charset = label === undefined ? undefined : charsetOf(label);
  const headerRow = options.get('header-row') ?? '0';
  const mostRejected = options.get('max-rejected');
  const skipped = options.get('skip-rows');
  const skips = headerPairs(skipped ?? '');
  const target = targetListIn(context);
  const pairs = columnLines(context).map((line) => headerPair(line) ?? line);
  const { choices, faults: unknown } = columnChoices(
    language,
    target.collection,
    pairs.filter((pair) => typeof pair !== 'string'),
  );
  const faults = [
    ...pairs.flatMap((pair) => (typeof pair === 'string' ? [say('column-pair', { value: pair })] : [])),
    ...unknown.map(({ detail }) => language.say(detail)),
    ...(onDuplicate ? [] : [say('option-choice', { option: '--on-duplicate', known: RESOLUTIONS.join(', ') })]),
    ...(onDuplicate === 'replace-all' && operands.length > 1 ? [say('replace-single')] : []),
    ...(/^\d{1,7}$/.test(headerRow) ? [] : [say('option-choice', { option: '--header-row', known: '1, 2, 3…' })]),
    ...(/^\d{1,9}$/.test(mostRejected ?? '0')
      ? []
      : [say('option-choice', { option: '--max-rejected', known: '0, 1, 2…' })]),
    ...(skipped === undefined || skips ? [] : [say('column-pair', { value: skipped })]),
    ...(label === undefined || charset ? [] : [say('option-choice', { option: '--charset', known: CHARSETS })]),
  ];
  if (faults.length > 0 || !onDuplicate) throw new UsageError(faults);
  return {
    ...target,
    reading: {
      charset,
      clearsEmpty: onDuplicate === 'replace-all' || flags.has('clear-empty'),
      columns: choices,
      ignoresUnknown: flags.has('ignore-unknown-columns'),
      sheet: options.get('sheet'),
      headerRow: Number(headerRow),
      takesDates: flags.has('date-as-year'),
      skips,
    },
    onDuplicate,
    isLenient: flags.has('lenient'),
    mostRejected: mostRejected === undefined ? undefined : Number(mostRejected),
    isCheck: flags.has('check'),
    rejectsMissing,
    allowsNewKeys: flags.has('allow-new-keys'),
    allowsDeletions: flags.has('allow-deletions'),
  };
};

/** Imports files one after another, each by itself. @returns the worst of their exit codes */
export const importFiles = (context: CommandContext): Promise<number> => {
  const settings = settingsIn(context);
  const sources = context.operands.map((file) => ({ file, format: formatOf(readableFormats, context, file) }));
  const listed = context.options.get('changes');
  return interruptible((signal) =>
    // The store of a list across parents knows it, too.
    withStore(
      settings.collection.nested ? { ...context, catalogue: withAllListed(context.catalogue) } : context,
      async (store) => {
        const changes =
          listed === undefined ? undefined : await changesFile(listed, context.language, settings.collection);
        let worst = DONE;
        for (const source of sources) {
          worst = Math.max(worst, await importFile(source, { settings, store, context, changes, signal }));
        }
        await changes?.close();
        return worst;
      },
    ),
  );
};
