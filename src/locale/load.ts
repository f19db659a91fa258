import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Catalogue } from '../model/catalogue.ts';
import { type Candidate, checkLocales, LocaleError } from './check.ts';
import type { Locale } from './table.ts';
import { valueAt } from './value-at.ts';
import { warningsOf } from './warnings.ts';

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

const tagOf = (file: string): string | undefined => canonicalTag(basename(file, '.json'));

const jsonFiles = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
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
    return { file, tag: tagOf(file) ?? '', content };
  } catch (error) {
    return new LocaleError([`${file}: ${reasonOf(error)}`]);
  }
};

/** Other files may stand beside the tables; one that is written like a table was probably meant as one. */
const misnamed = (folder: string, file: string): readonly string[] => {
  const other = read(folder, file);
  return !(other instanceof LocaleError) && valueAt(other.content, 'phrases') !== undefined
    ? [`${file}: is no table, because its name is no language tag (BCP 47) such as "fr"`]
    : [];
};

/**
 * Loads every table of a folder: the files named `<BCP 47 tag>.json`, in the order of their names.
 *
 * @param folder where they are
 * @param defaultLanguage the tag that must be among them
 * @param warn told a line for each thing that a translator should look at
 * @throws LocaleError with all faults of all files, and the warnings behind them
 */
export const loadLocales = (
  catalogue: Catalogue,
  folder: string,
  defaultLanguage: string,
  warn: (line: string) => void = () => {},
): readonly Locale[] => {
  const files = jsonFiles(folder);
  const tables = files.filter((file) => tagOf(file) !== undefined).map((file) => read(folder, file));
  const unreadable = tables.filter((each) => each instanceof LocaleError);
  const candidates = tables.filter((each): each is Candidate => !(each instanceof LocaleError));
  const warnings = [
    ...files.filter((file) => tagOf(file) === undefined).flatMap((file) => misnamed(folder, file)),
    ...warningsOf(candidates),
  ];
  if (tables.length === 0) throw new LocaleError([`${folder}: contains no table (<language>.json)`, ...warnings]);
  try {
    const locales = checkLocales(catalogue, candidates, canonicalTag(defaultLanguage) ?? defaultLanguage);
    if (unreadable.length === 0) {
      for (const line of warnings) warn(line);
      return locales;
    }
  } catch (error) {
    if (!(error instanceof LocaleError)) throw error;
    unreadable.push(error);
  }
  throw new LocaleError([...unreadable.flatMap(({ faults }) => faults), ...warnings]);
};

/** @returns a line for each table that leaves a part out, which the default language then says */
export const partsLeftOut = (locales: readonly Locale[], defaultLanguage: string): readonly string[] =>
  locales.flatMap(({ tag, table }) => [
    ...(table.pages ? [] : [`${tag}.json has no "pages": they are shown in ${defaultLanguage}`]),
    ...(table.descriptions ? [] : [`${tag}.json has no "descriptions": documents are described in ${defaultLanguage}`]),
  ]);
