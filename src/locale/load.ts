import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Catalogue } from '../model/catalogue.ts';
import { type Candidate, checkLocales, LocaleError } from './check.ts';
import type { Locale } from './table.ts';

/** Longer ones than these are well-formed (`package`), but no language has one. */
const PRIMARY = /^[a-z]{2,3}(?:-|$)/i;

/** @returns the tag in canonical case, or `undefined` where the text is no BCP 47 tag */
const canonicalTag = (text: string): string | undefined => {
  if (!PRIMARY.test(text)) return undefined;
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined;
  }
};

const tableFiles = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith('.json') && canonicalTag(basename(file, '.json')) !== undefined)
      .sort();
  } catch (error) {
    throw new LocaleError([`${folder}: cannot be read (${(error as NodeJS.ErrnoException).code})`]);
  }
};

const decoder = new TextDecoder('utf-8', { fatal: true });

const reasonOf = (error: unknown): string => {
  // What the decoder throws.
  if (error instanceof TypeError) return 'is not UTF-8';
  return `${error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'}: ${(error as Error).message}`;
};

const read = (folder: string, file: string): Candidate | LocaleError => {
  try {
    const content: unknown = JSON.parse(decoder.decode(readFileSync(join(folder, file))));
    return { file, tag: canonicalTag(basename(file, '.json')) ?? '', content };
  } catch (error) {
    return new LocaleError([`${file}: ${reasonOf(error)}`]);
  }
};

/**
 * Loads every table of a folder: the files named `<BCP 47 tag>.json`, in the order of their names.
 *
 * @param folder where they are
 * @param defaultLanguage the tag that must be among them
 * @throws LocaleError with all faults of all files
 */
export const loadLocales = (catalogue: Catalogue, folder: string, defaultLanguage: string): readonly Locale[] => {
  const files = tableFiles(folder);
  if (files.length === 0) throw new LocaleError([`${folder}: holds no table (<language>.json)`]);
  const found = files.map((file) => read(folder, file));
  const unreadable = found.filter((each): each is LocaleError => each instanceof LocaleError);
  const candidates = found.filter((each): each is Candidate => !(each instanceof LocaleError));
  try {
    const locales = checkLocales(catalogue, candidates, canonicalTag(defaultLanguage) ?? defaultLanguage);
    if (unreadable.length === 0) return locales;
  } catch (error) {
    if (!(error instanceof LocaleError)) throw error;
    unreadable.push(error);
  }
  throw new LocaleError(unreadable.flatMap((each) => each.faults));
};
