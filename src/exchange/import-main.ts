/** Imports files. What happens goes to standard error; the exit code says whether rows were rejected. */
import { catalogue } from '../catalogue.ts';
import { charsetOf } from '../http/read/files/text.ts';
import type { Language } from '../locale/language.ts';
import type { OnDuplicate } from '../model/import.ts';
import { optionIn } from './arguments.ts';
import { importFile } from './import-file.ts';
import { collectionPaths, formatOf, optionFaults, placeIn, UsageError } from './options.ts';
import { runCommand, withStore } from './run.ts';

const FLAGS = ['lenient', 'check', 'allow-deletions'];
const OPTIONS = ['language', 'list', 'format', 'charset', 'on-duplicate'];
const RESOLUTIONS: readonly OnDuplicate[] = ['error', 'merge', 'ignore', 'replace-all'];

const fieldsIn = (language: Language): string =>
  catalogue
    .map((each) => `${language.paths(each.parent).word(each.name)}: ${language.fields(each).known}`)
    .join('\n  ');

await runCommand(catalogue, {
  name: 'import',
  flags: FLAGS,
  help: (_, language) =>
    language.commands('import-help', { collections: collectionPaths(catalogue, language), fields: fieldsIn(language) }),
  run: async (args, surroundings) => {
    const { language } = surroundings;
    const { commands } = language;
    const { files, options } = args;
    const has = (flag: string): boolean => options.some(([name]) => name === flag);
    const sent = optionIn(args, 'on-duplicate') ?? 'error';
    const onDuplicate = RESOLUTIONS.find((each) => each === sent);
    const label = optionIn(args, 'charset');
    const charset = label === undefined ? undefined : charsetOf(label);
    const faults = [
      ...optionFaults(args, language, FLAGS, (name) => OPTIONS.includes(name)),
      ...(files.length === 0 ? [commands('files-needed', {})] : []),
      ...(onDuplicate ? [] : [commands('option-choice', { option: '--on-duplicate', known: RESOLUTIONS.join(', ') })]),
      ...(onDuplicate === 'replace-all' && files.length > 1 ? [commands('replace-single', {})] : []),
      ...(label === undefined || charset
        ? []
        : [commands('option-choice', { option: '--charset', known: 'utf-8, windows-1252, iso-8859-1' })]),
    ];
    if (faults.length > 0 || !onDuplicate) throw new UsageError(faults);
    const [first] = collectionPaths(catalogue, language).split(', ');
    const place = placeIn(catalogue, language, optionIn(args, 'list') ?? first ?? '');
    const format = optionIn(args, 'format');
    const wanted = files.map((file) => ({ file, format: formatOf(language, file, format) }));
    const settings = {
      place,
      charset,
      onDuplicate,
      isLenient: has('lenient'),
      isCheck: has('check'),
      allowsDeletions: has('allow-deletions'),
    };
    return withStore(surroundings, async (store) => {
      let worst = 0;
      for (const each of wanted) {
        worst = Math.max(worst, await importFile(each.file, each.format, settings, store, surroundings));
      }
      return worst;
    });
  },
});
