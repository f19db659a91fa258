import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { localesFolder } from '../app/app.ts';
import { narrow } from '../cars/tables.ts';
import { temporaryFolder } from '../process/folder.ts';
import { apart, type LooseTable, tableFrom, tableOf } from './locale-folder.ts';
import { tagsIn } from './translate.ts';

const [more, whole] = ['../../../locales/more', '../../data/locales'].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
) as [string, string];

/** Languages that are served only if they are named, without dialects; the test data has what the project's tables leave out. */
export const newTags = tagsIn(more).filter((tag) => !tag.includes('-'));

/** Every language that there is a table for. */
export const allTags: readonly string[] = [...new Set([...tagsIn(localesFolder), ...newTags])].sort();

/** Parts of which every table must have all that the project's have. */
const COMPLETE = [
  ...['parameters', 'members', 'report', 'values', 'problems', 'phrases', 'commands', 'pages', 'descriptions'],
];

/** Keeps the placeholders of a sentence, and no word of any language. */
const neutral = (text: string): string => text.replaceAll(/\{\w+\}|\p{L}+/gu, (part) => (part[0] === '{' ? part : 'x'));

/** Adds what the project's tables have come to have since a table was written: no test reads it in that language. */
const complete = (own: LooseTable, english: LooseTable, isWord = false): LooseTable => {
  if (typeof english === 'string') return own ?? (isWord ? english : neutral(english));
  if (typeof english !== 'object' || Array.isArray(english)) return own ?? english;
  if (typeof own === 'string') return own;
  const names = Object.keys({ ...english, ...own });
  return Object.fromEntries(
    names.map((name) => [name, name in english ? complete(own?.[name], english[name], isWord) : own[name]]),
  );
};

/** @returns a table of a new language, free to be changed */
export const tableIn = (tag: string): LooseTable => {
  const [own, english] = [narrow({ ...tableFrom(more, tag), ...tableFrom(whole, tag) }), tableOf('en')];
  delete own.$schema;
  delete own.equivalents;
  for (const part of COMPLETE.filter((each) => each in own)) {
    own[part] = complete(own[part], english[part], COMPLETE.indexOf(part) < 4);
  }
  return own;
};

const copyTables = (folder: string, tags: readonly string[]): string => {
  mkdirSync(join(folder, 'messages'), { recursive: true });
  for (const tag of tags) {
    const table = newTags.includes(tag) ? tableIn(tag) : tableOf(tag);
    for (const [file, part] of Object.entries(apart({ [`${tag}.json`]: table })))
      writeFileSync(join(folder, file), JSON.stringify(part));
  }
  return folder;
};

/** @returns a folder with the tables of these languages, the project's or new ones, for whoever asked to remove */
export const folderWith = (...tags: readonly string[]): string =>
  copyTables(mkdtempSync(join(tmpdir(), 'locales-')), tags);

/** The same, removed when the test that asked for it is over. */
export const temporaryFolderWith = (...tags: readonly string[]): string => copyTables(temporaryFolder(), tags);
