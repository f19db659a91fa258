import { LocaleError } from '../../../src/gateway/locale/check.ts';
import { describeSentences, examineFolder, loadLocales } from '../../../src/host/tables/load.ts';
import { catalogue } from '../cars/catalogue.ts';
import { folderOf, type LooseTable, tableOf } from './locale-folder.ts';

export const load = (folder: string, defaultLanguage = 'en') => loadLocales(catalogue, folder, defaultLanguage);

/** @returns what `words check` says is wrong with the tables of a folder: what stops a start, then what falls back */
export const localeFaults = (folder: string, defaultLanguage = 'en'): readonly string[] => {
  try {
    const { faults, flaws } = examineFolder(catalogue, folder, defaultLanguage);
    return [...faults, ...flaws];
  } catch (error) {
    if (error instanceof LocaleError) return error.faults;
    throw error;
  }
};

/** @returns a project table, changed */
export const edited = (tag: string, edit: (table: LooseTable) => void): LooseTable => {
  const table = tableOf(tag);
  edit(table);
  return table;
};

/** The English table as it is and a Spanish one that is at fault. */
export const withSpanish = (edit: (table: LooseTable) => void): string =>
  folderOf({ 'en.json': tableOf('en'), 'es.json': edited('es', edit) });

/** @returns what a translator is told of a folder whose tables can be used */
export const warningsOf = (folder: string): readonly string[] => {
  const warnings: string[] = [];
  loadLocales(catalogue, folder, 'en', { warn: (line) => warnings.push(line) });
  return warnings;
};

/** @returns what the start says of each language that is not whole */
export const summaryOf = (folder: string): readonly string[] =>
  describeSentences(examineFolder(catalogue, folder, 'en'), 'en');
