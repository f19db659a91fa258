import { tagFinder } from '../../../packages/vocabularies/src/accept-language.ts';
import { createLanguages, type Language } from '../../gateway/locale/language.ts';
import type { Locale } from '../../gateway/locale/table.ts';
import { allLists, type Catalogue, type Collection, withAllTopLevel } from '../../gateway/model/catalogue.ts';
import type { Keys } from '../../gateway/port/port.ts';
import { unknownSentence } from '../../gateway/texts/phrase.ts';
import type { Config } from '../../host/settings/config.ts';
import { loadChosenLocales } from '../../host/tables/load.ts';
import { UsageError } from './command-error.ts';
import type { Arguments, Fault } from './options.ts';

/** The languages of a command: that of its messages, that of the words in its data, and all that the service has. */
export type LanguageChoice = ReturnType<typeof chooseLanguages>;

function withParentWords(catalogue: Catalogue, locales: readonly Locale[]): readonly Locale[] {
  const nested = catalogue.filter(({ all }) => all);
  return locales.map((locale) => {
    const { table } = locale;
    const fields = nested.map(({ name, parent: { name: parent } = { name: '' } }) => {
      return [name, { [parent]: table.paths[parent] ?? '', ...table.fields[name] }] as const;
    });
    return { ...locale, table: { ...table, fields: { ...table.fields, ...Object.fromEntries(fields) } } };
  });
}

/**
 * Messages are in the language of `--language`, else the terminal's, else the default one; words in the data are in that of
 * `--language`, else that of the list, else the default one, whatever the terminal's is.
 */
export function chooseLanguages(
  servedCatalogue: Catalogue,
  config: Config,
  options: Arguments['options'],
  terminal: string | undefined,
  hasFiles = false,
) {
  const locales = loadChosenLocales(servedCatalogue, config);
  const catalogue = hasFiles ? withAllTopLevel(servedCatalogue) : servedCatalogue;
  const tables = hasFiles ? withParentWords(catalogue, locales) : locales;
  const languages = createLanguages(catalogue, tables, config.DEFAULT_LANGUAGE);
  const known = languages.map(({ tag }) => tag);
  const find = tagFinder(known);
  const [tag, list] = [options.get('language'), options.get('list')];
  const [requestedLanguage, terminalLanguage, defaultLanguage] = [
    tag,
    hasFiles ? terminal : 'en',
    config.DEFAULT_LANGUAGE,
  ].map((range) => languages.find((language) => language.tag === find(range ?? '')));
  if (!defaultLanguage) throw new TypeError('the default language has no table');
  const listLanguage = [defaultLanguage, ...languages].find(
    (candidate) => list && 'collection' in findList(catalogue, candidate, list),
  );
  const outputLanguage = hasFiles ? (requestedLanguage ?? terminalLanguage) : terminalLanguage;
  const unknownLanguage: readonly Fault[] =
    tag === undefined || requestedLanguage ? [] : [['language-unknown', { value: tag, known: known.join(', ') }]];
  return {
    outputLanguage: outputLanguage ?? defaultLanguage,
    language: requestedLanguage ?? listLanguage ?? defaultLanguage,
    languages,
    locales,
    hasChosen: outputLanguage !== undefined,
    unknownLanguage,
  };
}

export interface TargetList {
  readonly collection: Collection;
  readonly parents: Keys;
}

const BEFORE = /^(?:https?:\/\/.*?)?\/api\//i;

function splitPath(path: string): string[] {
  try {
    return path.replace(BEFORE, '').split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    return [];
  }
}

/** @returns the list there; if there is none, the word that was probably intended */
function findList(
  catalogue: Catalogue,
  language: Language,
  path: string,
): TargetList | { readonly suggestion: string | undefined } {
  const segments = splitPath(path);
  let parent: Collection | undefined;
  const parents: string[] = [];
  for (;;) {
    const word = segments.shift() ?? '';
    const paths = language.paths(parent);
    const name = paths.name(word);
    if (name === undefined) return { suggestion: paths.suggest(word) };
    const collection = allLists(catalogue).find((candidate) => candidate.name === name && candidate.parent === parent);
    if (!collection) throw new TypeError(`no collection "${name}"`);
    const key = segments.shift();
    if (key === undefined) return { collection, parents };
    parents.push(key);
    parent = collection;
  }
}

function describePath(language: Language, { name, parent }: Collection): string {
  const word = language.paths(parent).word(name);
  if (!parent) return word;
  return `${describePath(language, parent)}/<${language.fields(parent).word(parent.key.name)}>/${word}`;
}

export function listPaths(catalogue: Catalogue, language: Language): readonly string[] {
  return allLists(catalogue).map((list) => describePath(language, list));
}

type ListContext = Pick<LanguageChoice, 'language' | 'languages'> & { catalogue: Catalogue } & Pick<
    Arguments,
    'options'
  >;

/** @returns the list that `--list` names; the first one by default */
export function readTargetList({ catalogue, language, languages, options }: ListContext): TargetList {
  const all = withAllTopLevel(catalogue);
  const path = options.get('list') ?? listPaths(catalogue, language)[0] ?? '';
  const own = findList(all, language, path);
  if ('collection' in own) return own;
  const list = languages.map((other) => findList(all, other, path)).find((result) => 'collection' in result);
  if (list) return list;
  throw new UsageError([language.format(unknownSentence('path', { path }, own.suggestion))]);
}

/** @returns the parameters of a list as they stand in its URL */
export function writeQuery(parameters: Arguments['parameters']): string {
  return parameters.map((pair) => pair.map((part) => encodeURIComponent(part.toWellFormed())).join('=')).join('&');
}
