import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { localesFolder } from '../app/app.ts';
import type { LooseTable } from './locale-folder.ts';
import { tagsIn } from './translate.ts';

const newTables = fileURLToPath(new URL('../../data/locales', import.meta.url));

/**
 * The tables that there are, and new ones beside them: nothing else makes a language.
 *
 * @returns a folder, for whoever asked to remove
 */
export const folderWith = (...tags: readonly string[]): string => {
  const folder = mkdtempSync(join(tmpdir(), 'locales-'));
  const copy = (from: string) => (tag: string) => cpSync(join(from, `${tag}.json`), join(folder, `${tag}.json`));
  tagsIn(localesFolder).map(copy(localesFolder));
  tags.map(copy(newTables));
  return folder;
};

/** @returns a table of a new language, free to be changed */
export const tableIn = (tag: string): LooseTable => JSON.parse(readFileSync(join(newTables, `${tag}.json`), 'utf8'));
