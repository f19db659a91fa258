import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isObject, valueAt } from '../../../packages/vocabularies/src/words.ts';
import { countOfBorrowed } from '../../gateway/locale/language.ts';
import type { Locale } from '../../gateway/locale/table.ts';
import { type Candidate, checkLocales, LocaleError } from '../../gateway/locale/tables/check.ts';
import { layered, withDerived } from '../../gateway/locale/tables/layers.ts';
import { messageParts, sentencesIn } from '../../gateway/locale/tables/message-parts.ts';
import { stale, untranslated } from '../../gateway/locale/tables/warnings.ts';
import { type Catalogue, listsOf } from '../../gateway/model/catalogue.ts';

/** The folder, beside the files with the words, that contains those with the sentences. */
const MESSAGES = 'messages';

/** Longer primary subtags (`package`) are well-formed, but none is registered. */
const PRIMARY = /^[a-z]{2,3}(?:-|$)/i;

/** @returns the tag in canonical case, or `undefined` if the text is not a BCP 47 tag */
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
    throw new LocaleError([`LOCALES_DIR=${folder}: cannot be read (${(error as NodeJS.ErrnoException).code})`]);
  }
};

const decoder = new TextDecoder('utf-8', { fatal: true });

const reasonOf = (error: unknown): string => {
  // Thrown by the decoder.
  if (error instanceof TypeError) return 'is not UTF-8';
  return `${error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'}: ${(error as Error).message}`;
};

/** Texts are in NFC, whatever the editor wrote: words are compared with those of requests. */
const composed = (_key: string, value: unknown): unknown => (typeof value === 'string' ? value.normalize() : value);

const contentOf = (folder: string, file: string): unknown =>
  JSON.parse(decoder.decode(readFileSync(join(folder, file))), composed);

const readMessages = (folder: string, file: string): unknown => {
  try {
    return contentOf(folder, join(MESSAGES, file));
  } catch (error) {
    throw new LocaleError([`${MESSAGES}/${file}: ${reasonOf(error)}`]);
  }
};

/** @throws LocaleError where a file cannot be read, or has what belongs in the other one */
const readTable = (folder: string, file: string): Pick<Candidate, 'content' | 'messages'> => {
  const words = contentOf(folder, file);
  const messages = `${MESSAGES}/${file}`;
  if (!existsSync(join(folder, messages)))
    return sentencesIn(words).length > 0 ? { content: words } : { content: words, messages };
  const sentences = readMessages(folder, file);
  if (!isObject(sentences)) throw new LocaleError([`${messages}: must be of type object`]);
  const { $schema: _, ...parts } = sentences;
  const unknown = Object.keys(parts).filter((part) => !messageParts.includes(part));
  const twice = sentencesIn(words).filter((part) => part in parts);
  if (unknown.length + twice.length > 0) {
    throw new LocaleError([
      ...unknown.map((part) => `${messages}: ${part}: unknown key`),
      ...twice.map((part) => `${messages}: ${part}: stands in ${file}, too`),
    ]);
  }
  return { content: isObject(words) ? { ...parts, ...words } : words, messages };
};

/** @param base a folder whose table of the same language says what is not about a catalogue, whose lists have these ids */
const read = (folder: string, file: string, base?: string, lists: readonly string[] = []): Candidate | LocaleError => {
  try {
    const own = readTable(folder, file);
    const isLayered = base !== undefined && existsSync(join(base, file));
    const content = isLayered
      ? layered(readTable(base, file).content, own.content, lists)
      : withDerived(own.content, lists);
    return { file, tag: tagOf(file) ?? '', ...own, content };
  } catch (error) {
    return error instanceof LocaleError ? error : new LocaleError([`${file}: ${reasonOf(error)}`]);
  }
};

/** Other files are allowed in the folder, but one with the content of a table was probably meant to be one. */
const misnamed = (folder: string, file: string): readonly string[] => {
  const other = read(folder, file);
  const parts = ['parameters', 'phrases'];
  return !(other instanceof LocaleError) && parts.some((part) => valueAt(other.content, part) !== undefined)
    ? [`${file}: is not used as a table, because its name is not a language tag (BCP 47) such as "fr"`]
    : [];
};

/** @returns a line for each file with the sentences of a table that is not there */
const orphaned = (folder: string, files: readonly string[]): readonly string[] =>
  (existsSync(join(folder, MESSAGES)) ? jsonFiles(join(folder, MESSAGES)) : [])
    .filter((file) => tagOf(file) !== undefined && !files.includes(file))
    .map((file) => `${MESSAGES}/${file}: is not used, because there is no table ${file}`);

/** @returns a line for each table that is one file still */
const inOneFile = (candidates: readonly Candidate[]): readonly string[] =>
  candidates
    .filter(({ messages }) => messages === undefined)
    .map(
      ({ file }) =>
        `${file}: has words and sentences; the sentences (${messageParts.join(', ')}) belong in ${MESSAGES}/${file}`,
    );

/**
 * Loads all tables of a folder: the files named `<BCP 47 tag>.json`, sorted by name, with their sentences, which stand in files of
 * the same names in the folder \`messages\` below it.
 *
 * @param defaultLanguage a tag; its table must be among them
 * @param warn called with a line for each point that a translator should check
 * @param base the folder of the project's tables, where those of the first folder are another catalogue's
 * @throws LocaleError with every fault of every file, followed by the warnings
 */
export const loadLocales = (
  catalogue: Catalogue,
  folder: string,
  defaultLanguage: string,
  warn: (line: string) => void = () => {},
  base?: string,
): readonly Locale[] => {
  const files = jsonFiles(folder);
  const lists = listsOf(catalogue).map(({ id }) => id);
  const tables = files.filter((file) => tagOf(file) !== undefined).map((file) => read(folder, file, base, lists));
  const unreadable = tables.filter((each) => each instanceof LocaleError);
  const candidates = tables.filter((each): each is Candidate => !(each instanceof LocaleError));
  const warnings = [
    ...files.filter((file) => tagOf(file) === undefined).flatMap((file) => misnamed(folder, file)),
    ...orphaned(folder, files),
    ...untranslated(candidates),
    ...stale(catalogue, candidates),
  ];
  if (tables.length === 0)
    throw new LocaleError([`LOCALES_DIR=${folder}: contains no table (<language tag>.json)`, ...warnings]);
  try {
    const locales = checkLocales(catalogue, candidates, canonicalTag(defaultLanguage) ?? defaultLanguage);
    if (unreadable.length === 0) {
      for (const line of [...warnings, ...inOneFile(candidates)]) warn(line);
      return locales;
    }
  } catch (error) {
    if (!(error instanceof LocaleError)) throw error;
    unreadable.push(error);
  }
  throw new LocaleError([...unreadable.flatMap(({ faults }) => faults), ...warnings]);
};

/** The settings that say where tables are. */
interface TableSettings {
  readonly LOCALES_DIR: string;
  readonly CATALOGUE?: string | undefined;
  readonly DEFAULT_LANGUAGE: string;
}

/** Loads the tables that the settings name; those of another catalogue lie above the service's own. @throws LocaleError */
export const localesOf = (
  catalogue: Catalogue,
  { LOCALES_DIR, CATALOGUE, DEFAULT_LANGUAGE }: TableSettings,
  warn?: (line: string) => void,
): readonly Locale[] =>
  CATALOGUE === undefined
    ? loadLocales(catalogue, LOCALES_DIR, DEFAULT_LANGUAGE, warn)
    : loadLocales(catalogue, join(CATALOGUE, 'locales'), DEFAULT_LANGUAGE, warn, LOCALES_DIR);

/** @returns a line for each part of a table, or some texts of one, that the default language says instead */
export const partsLeftOut = (locales: readonly Locale[], defaultLanguage: string): readonly string[] => {
  const usual = locales.find(({ tag }) => tag === defaultLanguage)?.table.descriptions;
  return locales.flatMap(({ tag, table: { pages, descriptions } }) => {
    const file = `${MESSAGES}/${tag}.json`;
    const borrowed = usual && descriptions ? countOfBorrowed(descriptions, usual) : 0;
    return [
      ...(pages ? [] : [`${file} has no "pages": they are shown in ${defaultLanguage}`]),
      ...(descriptions ? [] : [`${file} has no "descriptions": documents are described in ${defaultLanguage}`]),
      ...(borrowed > 0 ? [`${file} lacks texts of "descriptions": ${borrowed} are said in ${defaultLanguage}`] : []),
    ];
  });
};
