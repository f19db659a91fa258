import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { asObject, isObject, valueAt } from '../../../packages/vocabularies/src/words.ts';
import type { Candidate } from '../../gateway/locale/chain.ts';
import { examineTables, type Findings, LocaleError } from '../../gateway/locale/check.ts';
import { describeFault } from '../../gateway/locale/faults.ts';
import { generalParts, listSentenceParts, messageParts, overlay } from '../../gateway/locale/layers.ts';
import { createPseudoLanguages } from '../../gateway/locale/pseudo.ts';
import type { Locale } from '../../gateway/locale/table.ts';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { FaultsError } from '../../util/faults-error.ts';
import { type Config, findCatalogueFolder, isModule, projectLocales } from '../settings/config.ts';
import { nameSourcesFile, surveySentences } from './survey.ts';

const MESSAGES = 'messages';
/** Tables that are served only if LANGUAGES names them. */
const MORE = 'more';

function readTag(text: string): string | undefined {
  // Longer primary subtags (`package`) are well-formed, but none is registered.
  if (!/^[a-z]{2,3}(?:-|$)/i.test(text)) return undefined;
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined;
  }
}

/** @returns the tables of a folder; the name of a file may be in another case than the tag, such as `ES-mx.json` */
function listTables(folder: string): readonly { readonly file: string; readonly tag: string }[] {
  try {
    const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
    return files.sort().flatMap((file) => {
      const tag = readTag(basename(file, '.json'));
      return tag === undefined ? [] : [{ file, tag }];
    });
  } catch (error) {
    const reason = String((error as NodeJS.ErrnoException).code);
    throw new LocaleError([`LOCALES_DIR=${folder}: ${describeFault('unreadable', { reason })}`]);
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Texts are in NFC, whatever the editor wrote. */
function readJson(folder: string, file: string): unknown {
  try {
    const text = decoder.decode(readFileSync(join(folder, file)));
    return JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? value.normalize() : value));
  } catch (error) {
    const text = error instanceof TypeError ? 'not-utf8' : error instanceof SyntaxError ? 'not-json' : 'unreadable';
    throw new LocaleError([`${file}: ${describeFault(text, { reason: (error as Error).message })}`]);
  }
}

function readTable(folder: string, file: string): Pick<Candidate, 'content' | 'messages' | 'sources'> {
  const words = readJson(folder, file);
  const messages = `${MESSAGES}/${file}`;
  if (!existsSync(join(folder, messages))) {
    return listSentenceParts(words).length > 0 ? { content: words } : { content: words, messages };
  }
  const sentences = readJson(folder, messages);
  const digests = nameSourcesFile(messages);
  const sources = existsSync(join(folder, digests)) ? readJson(folder, digests) : undefined;
  if (!isObject(sentences)) throw new LocaleError([`${messages}: ${describeFault('wrong-type', { type: 'object' })}`]);
  const { $schema: _, ...parts } = sentences;
  const faults = [
    ...Object.keys(parts)
      .filter((part) => !messageParts.includes(part))
      .map((part) => `${messages}: ${part}: ${describeFault('unknown-key')}`),
    ...listSentenceParts(words)
      .filter((part) => part in parts)
      .map((part) => `${messages}: ${part}: ${describeFault('twice', { file })}`),
  ];
  if (faults.length > 0) throw new LocaleError(faults);
  return {
    content: isObject(words) ? { ...parts, ...words } : words,
    messages,
    sources: asObject(sources) as Candidate['sources'],
  };
}

/** Folders in which a language's table is looked for: the first one that has it counts. */
interface Places {
  /** Folders with tables about the catalogue. */
  readonly own: readonly string[];
  /** Folders with tables of another catalogue: what is not about a catalogue completes the catalogue's own tables. */
  readonly general: readonly string[];
}

function listFolders(folder: string): readonly string[] {
  return [folder, join(folder, MORE)];
}

/** @returns the tags of all tables in a folder, also of those that are served only if they are named */
export function listLanguages(folder: string): readonly string[] {
  const folders = listFolders(folder).filter((path) => existsSync(path));
  return folders.flatMap(listTables).map(({ tag }) => tag);
}

type Place = readonly [folder: string, file: string];

function findTable(folders: readonly string[], tag: string): Place | undefined {
  for (const folder of folders) {
    const table = existsSync(folder) && listTables(folder).find((candidate) => candidate.tag === tag);
    if (table) return [folder, table.file];
  }
  return undefined;
}

function readCandidate(tag: string, { own, general }: Places, ownFile?: string): Candidate | undefined {
  const ownPlace: Place | undefined = ownFile === undefined ? findTable(own, tag) : [own[0] ?? '', ownFile];
  const generalPlace = findTable(general, tag);
  const [folder, file] = ownPlace ?? generalPlace ?? [];
  if (folder === undefined || file === undefined) return undefined;
  const table = ownPlace ? readTable(...ownPlace) : { content: {} };
  if (!generalPlace) return { folder, file, tag, ...table };
  const { content, messages } = readTable(...generalPlace);
  return { folder, file, tag, messages, ...table, content: overlay(content, table.content) };
}

/** The tables of a folder that are served, and what completes them. */
export interface TableChoice {
  /** A folder whose table of the same language says what is not about a catalogue. */
  readonly base?: string | undefined;
  /** By default all languages of the folder are served. Tables that it lacks are looked for in `more` below it, then in the project's. */
  readonly languages?: readonly string[] | undefined;
}

interface Reporters {
  readonly warn?: ((line: string) => void) | undefined;
  readonly inform?: ((line: string) => void) | undefined;
}

/** @throws LocaleError with a line for each fault */
export function loadLocales(
  catalogue: Catalogue,
  folder: string,
  defaultLanguage: string,
  { warn, inform, ...choice }: TableChoice & Reporters = {},
): readonly Locale[] {
  const findings = examineFolder(catalogue, folder, defaultLanguage, choice);
  if (findings.faults.length > 0) throw new LocaleError(findings.faults);
  for (const line of findings.warnings) warn?.(line);
  if (inform) for (const line of describeSentences(findings, defaultLanguage)) inform(line);
  return findings.locales;
}

/** @returns what `loadLocales` returns, throws and warns of */
export function examineFolder(
  catalogue: Catalogue,
  folder: string,
  defaultLanguage: string,
  choice: TableChoice = {},
): Findings {
  const { tables, more, faults } = readTables(folder, choice);
  const findings = examineTables(catalogue, tables, readTag(defaultLanguage) ?? defaultLanguage, more);
  const parts = messageParts.join(', ');
  const mixed = tables.filter(({ messages }) => messages === undefined);
  const lines = mixed.map(({ file }) => `${file}: ${describeFault('mixed', { parts, file: `${MESSAGES}/${file}` })}`);
  return { ...findings, faults: [...faults, ...findings.faults], warnings: [...findings.warnings, ...lines] };
}

/** @returns the tables that are served, those that they extend beside these, and what cannot be read */
function readTables(folder: string, { base, languages }: TableChoice) {
  const project = listFolders(projectLocales);
  const places: Places =
    base === undefined
      ? { own: [...listFolders(folder), ...project], general: [] }
      : { own: listFolders(folder), general: [...listFolders(base), ...project] };
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
  const all = languages ? [] : listTables(folder);
  if (!languages && all.length === 0) throw new LocaleError([`LOCALES_DIR=${folder}: ${describeFault('no-tables')}`]);
  const servedTables = all.flatMap(({ file, tag }) => collect(() => readCandidate(tag, places, file)) ?? []);
  const chosenTables = (languages ?? []).flatMap((tag) => {
    if (!findTable([...places.own, ...places.general], tag))
      faults.push(`LANGUAGES: ${describeFault('table-missing-in', { file: `${tag}.json`, folder })}`);
    return collect(() => readCandidate(tag, places)) ?? [];
  });
  const tables = [...servedTables, ...chosenTables];
  const more: Candidate[] = [];
  for (let next: readonly Candidate[] = tables; next.length > 0; ) {
    const tags = next.flatMap(({ content }) => readTag(String(valueAt(content, 'extends'))) ?? []);
    const isNew = (tag: string): boolean => ![...tables, ...more].some((table) => table.tag === tag);
    next = [...new Set(tags)].filter(isNew).flatMap((tag) => collect(() => readCandidate(tag, places)) ?? []);
    more.push(...next);
  }
  return { tables, more, faults };
}

/** @returns the folder of the tables of the catalogue, and that of the project's if it is another one */
export function findLocaleFolders({
  LOCALES_DIR,
  CATALOGUE,
}: Pick<Config, 'LOCALES_DIR'> & Partial<Pick<Config, 'CATALOGUE'>>): readonly [folder: string, base?: string] {
  return CATALOGUE === undefined ? [LOCALES_DIR] : [join(findCatalogueFolder(CATALOGUE), 'locales'), LOCALES_DIR];
}

export function loadChosenLocales(
  catalogue: Catalogue,
  settings: Pick<Config, 'LOCALES_DIR' | 'DEFAULT_LANGUAGE'> & {
    readonly [Name in 'CATALOGUE' | 'LANGUAGES' | 'PSEUDO']?: Config[Name] | undefined;
  },
  reporters: Reporters = {},
): readonly Locale[] {
  const { DEFAULT_LANGUAGE, LANGUAGES: languages, PSEUDO } = settings;
  const [folder, base] = findLocaleFolders(settings);
  const locales = loadLocales(catalogue, folder, DEFAULT_LANGUAGE, { base, languages, ...reporters });
  const source = locales.find(({ tag }) => tag === 'en') ?? locales.find(({ tag }) => tag === DEFAULT_LANGUAGE);
  return PSEUDO === 'on' && source ? [...locales, ...createPseudoLanguages(source)] : locales;
}

/** @returns a line for each language that lacks sentences, or has old or wrong ones, as `words status` and `words check` list them */
export function describeSentences({ tables }: Findings, defaultLanguage: string): readonly string[] {
  return tables.flatMap((table) => {
    const { tag, borrowed, flaws } = table;
    const sentences = surveySentences(table);
    const words = [...borrowed].filter(([place]) => generalParts.some((part) => place.startsWith(`${part}.`)));
    const lacks = sentences.filter(({ place, state }) => state === 'missing' || borrowed.has(place));
    const fallbackTags = [
      ...lacks.map(({ place }) => borrowed.get(place) ?? defaultLanguage),
      ...words.map(([, other]) => other),
    ];
    const stale = sentences.filter(({ state }) => state === 'stale').length;
    const wrong = new Set(flaws.map((flaw) => flaw.split(': ', 1)[0])).size;
    const parts = [
      ...[...Map.groupBy(fallbackTags, (other) => other)].map(([other, all]) => `${all.length} in ${other}`),
      ...(stale > 0 ? [`${stale} older than their source`] : []),
      ...(wrong > 0 ? [`${wrong} to mend (npm run words -- check ${tag})`] : []),
    ];
    return parts.length > 0
      ? [`${tag}: ${sentences.length - lacks.length} sentences of its own, ${parts.join(', ')}`]
      : [];
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
