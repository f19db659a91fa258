import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { localesFolder } from '../app/app.ts';
import { temporaryFolder, type WhenOver } from '../process/folder.ts';

/** A locale table as JSON, to be made wrong in any way. */
// biome-ignore lint/suspicious/noExplicitAny: tests break tables in every shape
export type LooseTable = any;

const tableFiles = (folder: string): readonly string[] =>
  readdirSync(folder).filter((file) => /^[a-z]{2,3}(-[A-Za-z0-9]+)*\.json$/.test(file));

/** The languages that the service speaks today. */
export const tags: readonly string[] = tableFiles(localesFolder).map((file) => basename(file, '.json'));

/** @returns a project table, free to be changed */
export const tableOf = (tag: string): LooseTable =>
  JSON.parse(readFileSync(join(localesFolder, `${tag}.json`), 'utf8'));

/** @returns a temporary folder with these files; what is no string is written as JSON */
export const folderOf = (files: Readonly<Record<string, unknown>>, whenOver?: WhenOver): string => {
  const folder = temporaryFolder(whenOver);
  for (const [file, content] of Object.entries(files)) {
    writeFileSync(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
};

/** @returns a temporary copy of the project's tables, each changed by `edit` */
export const editedLocales = (edit: (table: LooseTable, tag: string) => void, whenOver?: WhenOver): string => {
  const folder = temporaryFolder(whenOver);
  cpSync(localesFolder, folder, { recursive: true });
  for (const tag of tags) {
    const table = tableOf(tag);
    edit(table, tag);
    writeFileSync(join(folder, `${tag}.json`), JSON.stringify(table));
  }
  return folder;
};
