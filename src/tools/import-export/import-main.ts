/** Imports files. Messages go to standard error; the exit code says whether rows were rejected. */
import { catalogue } from '../../catalogue.ts';
import type { Language } from '../../gateway/locale/language.ts';
import { type Catalogue, withAllListed } from '../../gateway/model/catalogue.ts';
import { runCommand } from '../commands/run.ts';
import { importFiles } from './import.ts';
import { collectionPaths } from './options.ts';

const fieldsIn = (of: Catalogue, { paths, fields }: Language): string =>
  of
    .map((each) => {
      const words = each.fields.map(({ name, unit }) => fields(each).word(name) + (unit ? ` (${unit})` : ''));
      return `${paths(each.parent).word(each.name)}: ${words.join(', ')}`;
    })
    .join('\n  ');

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
  ],
  options: [
    'list',
    'format',
    'charset',
    'on-duplicate',
    'columns',
    'sheet',
    'header-row',
    'skip-rows',
    'max-rejected',
    'changes',
  ],
  repeatable: ['column'],
  operands: [1, Number.POSITIVE_INFINITY],
  isAcrossParents: true,
  help: 'import-help',
  helpValues: (of, language) => ({
    collections: collectionPaths(withAllListed(of), language).join(', '),
    fields: fieldsIn(of, language),
  }),
  work: importFiles,
});
