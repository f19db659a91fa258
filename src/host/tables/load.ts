import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject } from '../../../packages/vocabularies/src/words.ts';
import { type Candidate, checkLocales, LocaleError } from '../../gateway/locale/check.ts';
import { countBorrowed } from '../../gateway/locale/language.ts';
import { layered, messageParts, sentencesIn, withDerived } from '../../gateway/locale/layers.ts';
import { createPseudoLanguages } from '../../gateway/locale/pseudo.ts';
import type { Locale } from '../../gateway/locale/table.ts';
import { allLists, type Catalogue } from '../../gateway/model/catalogue.ts';
import { FaultsError } from '../../util/faults-error.ts';
import { catalogueFolder, isModule } from '../settings/config.ts';

const MESSAGES = 'messages';

function readTag(text: string): string | undefined {
  // Longer primary subtags (`package`) are well-formed, but none is registered.
  if (!/^[a-z]{2,3}(?:-|$)/i.test(text)) return undefined;
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined;
  }
}

function listTables(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith('.json') && readTag(basename(file, '.json')) !== undefined)
      .sort();
  } catch (error) {
    throw new LocaleError([`LOCALES_DIR=${folder}: cannot be read (${(error as NodeJS.ErrnoException).code})`]);
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Texts are in NFC, whatever the editor wrote. */
function readJson(folder: string, file: string): unknown {
  try {
    const text = decoder.decode(readFileSync(join(folder, file)));
    return JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? value.normalize() : value));
  } catch (error) {
    if (error instanceof TypeError) throw new LocaleError([`${file}: is not UTF-8`]);
    const reason = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read';
    throw new LocaleError([`${file}: ${reason}: ${(error as Error).message}`]);
  }
}

function readTable(folder: string, file: string): Pick<Candidate, 'content' | 'messages'> {
  const words = readJson(folder, file);
  const messages = `${MESSAGES}/${file}`;
  if (!existsSync(join(folder, messages))) {
    return sentencesIn(words).length > 0 ? { content: words } : { content: words, messages };
  }
  const sentences = readJson(folder, messages);
  if (!isObject(sentences)) throw new LocaleError([`${messages}: must be of type object`]);
  const { $schema: _, ...parts } = sentences;
  const faults = [
    ...Object.keys(parts).flatMap((part) => (messageParts.includes(part) ? [] : [`${messages}: ${part}: unknown key`])),
    ...sentencesIn(words).flatMap((part) => (part in parts ? [`${messages}: ${part}: stands in ${file}, too`] : [])),
  ];
  if (faults.length > 0) throw new LocaleError(faults);
  return { content: isObject(words) ? { ...parts, ...words } : words, messages };
}

/** @param base a folder whose table of the same language says what is not about a catalogue, whose lists have these ids */
function readCandidate(folder: string, file: string, base: string | undefined, lists: readonly string[]): Candidate {
  const own = readTable(folder, file);
  const content =
    base !== undefined && existsSync(join(base, file))
      ? layered(readTable(base, file).content, own.content, lists)
      : withDerived(own.content, lists);
  return { file, tag: readTag(basename(file, '.json')) ?? '', ...own, content };
}

export function loadLocales(
  catalogue: Catalogue,
  folder: string,
  defaultLanguage: string,
  warn: (line: string) => void = () => {},
  base?: string,
): readonly Locale[] {
  const files = listTables(folder);
  if (files.length === 0) throw new LocaleError([`LOCALES_DIR=${folder}: contains no table (<language tag>.json)`]);
  const lists = allLists(catalogue).map(({ routeId }) => routeId);
  const faults: string[] = [];
  const collect = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof LocaleError)) throw error;
      faults.push(...error.faults);
      return undefined;
    }
  };
  const candidates = files.flatMap((file) => collect(() => readCandidate(folder, file, base, lists)) ?? []);
  const locales = collect(() => checkLocales(catalogue, candidates, readTag(defaultLanguage) ?? defaultLanguage));
  if (faults.length > 0 || !locales) throw new LocaleError(faults);
  const parts = messageParts.join(', ');
  for (const { file, messages } of candidates) {
    if (messages === undefined)
      warn(`${file}: has words and sentences; the sentences (${parts}) belong in ${MESSAGES}/${file}`);
  }
  return locales;
}

export function loadChosenLocales(
  catalogue: Catalogue,
  settings: {
    readonly LOCALES_DIR: string;
    readonly CATALOGUE?: string | undefined;
    readonly DEFAULT_LANGUAGE: string;
    readonly PSEUDO?: 'on' | 'off' | undefined;
  },
  warn?: (line: string) => void,
): readonly Locale[] {
  const { LOCALES_DIR, CATALOGUE, DEFAULT_LANGUAGE, PSEUDO } = settings;
  const locales =
    CATALOGUE === undefined
      ? loadLocales(catalogue, LOCALES_DIR, DEFAULT_LANGUAGE, warn)
      : loadLocales(catalogue, join(catalogueFolder(CATALOGUE), 'locales'), DEFAULT_LANGUAGE, warn, LOCALES_DIR);
  const source = locales.find(({ tag }) => tag === 'en') ?? locales.find(({ tag }) => tag === DEFAULT_LANGUAGE);
  return PSEUDO === 'on' && source ? [...locales, ...createPseudoLanguages(source)] : locales;
}

export function describeBorrowed(locales: readonly Locale[], defaultLanguage: string): readonly string[] {
  const usual = locales.find(({ tag }) => tag === defaultLanguage)?.table.descriptions;
  return locales.flatMap(({ tag, table: { pages, descriptions }, borrowed: lacking = 0 }) => {
    const file = `${MESSAGES}/${tag}.json`;
    const borrowed = usual && descriptions ? countBorrowed(descriptions, usual) : 0;
    return [
      ...(lacking > 0 ? [`${file} lacks sentences: ${lacking} are said in English`] : []),
      ...(pages ? [] : [`${file} has no "pages": they are shown in ${defaultLanguage}`]),
      ...(descriptions ? [] : [`${file} has no "descriptions": documents are described in ${defaultLanguage}`]),
      ...(borrowed > 0 ? [`${file} lacks texts of "descriptions": ${borrowed} are said in ${defaultLanguage}`] : []),
    ];
  });
}

/** @param path of a folder with `catalogue.ts` or `catalogue.js`, or of another module; without one the catalogue is `own` */
export async function loadChosenCatalogue(own: Catalogue, path: string | undefined): Promise<Catalogue> {
  if (path === undefined) return own;
  const inFolder = ['catalogue.js', 'catalogue.ts'].map((name) => resolve(path, name));
  const file = isModule(path) ? resolve(path) : (inFolder.find(existsSync) ?? resolve(path, 'catalogue.ts'));
  const { catalogue } = await import(pathToFileURL(file).href).catch((error: Error) => {
    throw new FaultsError([`CATALOGUE=${path}: ${error.message}`]);
  });
  if (!Array.isArray(catalogue)) throw new FaultsError([`CATALOGUE=${path}: ${file} exports no "catalogue"`]);
  return catalogue;
}
