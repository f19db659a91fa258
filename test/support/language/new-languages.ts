import { cpSync, existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { localesFolder } from '../app/app.ts';
import { temporaryFolder } from '../process/folder.ts';
import { type LooseTable, tableFrom } from './locale-folder.ts';
import { tagsIn } from './translate.ts';

const newTables = fileURLToPath(new URL('../../data/locales', import.meta.url));

/** Languages that the project does not have. */
export const newTags = tagsIn(newTables);

/** Every language that there is a table for. */
export const allTags: readonly string[] = [...new Set([...tagsIn(localesFolder), ...newTags])].sort();

const copyTables = (folder: string, tags: readonly string[]): string => {
  for (const file of tags.map((tag) => `${tag}.json`)) {
    const from = [newTables, localesFolder].find((each) => existsSync(join(each, file)));
    if (from === undefined) throw new TypeError(`there is no table ${file}`);
    for (const each of [file, join('messages', file)]) cpSync(join(from, each), join(folder, each));
  }
  return folder;
};

/** @returns a table of a new language, free to be changed */
export const tableIn = (tag: string): LooseTable => tableFrom(newTables, tag);

/** @returns a folder with the tables of these languages, the project's or new ones, for whoever asked to remove */
export const folderWith = (...tags: readonly string[]): string =>
  copyTables(mkdtempSync(join(tmpdir(), 'locales-')), tags);

/** The same, removed when the test that asked for it is over. */
export const temporaryFolderWith = (...tags: readonly string[]): string => copyTables(temporaryFolder(), tags);
