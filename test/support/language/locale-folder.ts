import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { localesFolder } from '../app/app.ts';
import { temporaryFolder, type WhenOver } from '../process/folder.ts';

/** A locale table as JSON, to be made wrong in any way. */
// biome-ignore lint/suspicious/noExplicitAny: tests break tables in every shape
export type LooseTable = any;

const tableFiles = (folder: string): readonly string[] =>
  readdirSync(folder).filter((file) => /^[a-z]{2,3}(-[A-Za-z0-9]+)*\.json$/.test(file));

/** The languages that the service speaks today. */
export const tags: readonly string[] = tableFiles(localesFolder).map((file) => basename(file, '.json'));

/** @returns the words and sentences of a language in a folder, free to be changed */
export const tableFrom = (folder: string, tag: string): LooseTable => {
  const [words, messages] = [folder, join(folder, 'messages')]
    .map((each) => join(each, `${tag}.json`))
    .map((file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}));
  return { ...messages, ...words };
};

/** @returns a project table, free to be changed */
export const tableOf = (tag: string): LooseTable => tableFrom(localesFolder, tag);

/** @returns a temporary folder with these files; what is no string is written as JSON */
export const folderOf = (files: Readonly<Record<string, unknown>>, whenOver?: WhenOver): string => {
  const folder = temporaryFolder(whenOver);
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
};

const SENTENCES = ['nouns', 'subject', 'problems', 'phrases', 'commands', 'pages', 'descriptions', 'derived'];

/** @returns the two files of each table: one with its words, and one with its sentences */
export const apart = (tables: Readonly<Record<string, LooseTable>>): Readonly<Record<string, LooseTable>> =>
  Object.fromEntries(
    Object.entries(tables).flatMap(([file, table]) => {
      const parts = Object.entries(table);
      return [
        [file, Object.fromEntries(parts.filter(([part]) => !SENTENCES.includes(part)))],
        [`messages/${file}`, Object.fromEntries(parts.filter(([part]) => SENTENCES.includes(part)))],
      ];
    }),
  );

/** @returns a temporary copy of the project's tables, each changed by `edit` */
export const editedLocales = (edit: (table: LooseTable, tag: string) => void, whenOver?: WhenOver): string => {
  const folder = temporaryFolder(whenOver);
  for (const tag of tags) {
    const table = tableOf(tag);
    edit(table, tag);
    writeFileSync(join(folder, `${tag}.json`), JSON.stringify(table));
  }
  return folder;
};
