import { type Language, languagesOf } from '../../gateway/locale/language.ts';
import type { Locale } from '../../gateway/locale/table.ts';
import { type Catalogue, withAllListed } from '../../gateway/model/catalogue.ts';
import { tagFinder } from '../../gateway/read/accept-language.ts';
import type { Config } from '../../host/settings/config.ts';
import { localesOf } from '../../host/tables/load.ts';
import { findList } from './list-path.ts';
import type { Arguments, Fault } from './options.ts';

export interface LanguageChoice {
  /** Of messages: the language that was asked for, else the terminal's, else the default one. */
  readonly spoken: Language;
  /** Of words in the data: the language that was asked for, else that of the list, else the default one, whatever the terminal's is. */
  readonly language: Language;
  readonly languages: readonly Language[];
  /** Their tables. */
  readonly locales: readonly Locale[];
  /** Whether the language was asked for or is the terminal's. */
  readonly hasChosen: boolean;
  /** That there is no table for the language that was asked for. */
  readonly unknownLanguage: readonly Fault[];
}

/** @returns the language of a terminal as a tag, by the rules of POSIX: `es-ES` where it says `es_ES.UTF-8` */
export const terminalLanguage = ({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): string | undefined =>
  /^[a-z]{2,3}(?:_[A-Za-z0-9]+)?(?=[.@]|$)/.exec(LC_ALL || LC_MESSAGES || LANG || '')?.[0].replace('_', '-');

/** @returns the same tables, in which the parent of each nested collection is a field of it, too, by default with the word of its list */
function withParentWords(catalogue: Catalogue, locales: readonly Locale[]): readonly Locale[] {
  const nested = catalogue.filter(({ all }) => all);
  return locales.map(({ tag, table }) => {
    const fields = nested.map(({ name, parent }) => {
      const [of = '', word = ''] = [parent?.name, table.paths[parent?.name ?? '']];
      return [name, { [of]: word, ...table.fields[name] }] as const;
    });
    return { tag, table: { ...table, fields: { ...table.fields, ...Object.fromEntries(fields) } } };
  });
}

/**
 * @param served the catalogue of the service
 * @param options `language`, which was asked for, and `list`, which the command is about
 * @param terminal the tag of the terminal's language, if it has one
 * @param isAcrossParents whether every nested collection has a list across parents, too
 */
export function chooseLanguages(
  served: Catalogue,
  config: Config,
  options: Arguments['options'],
  terminal: string | undefined,
  isAcrossParents = false,
): LanguageChoice {
  const locales = localesOf(served, config);
  const catalogue = isAcrossParents ? withAllListed(served) : served;
  const tables = isAcrossParents ? withParentWords(catalogue, locales) : locales;
  const languages = languagesOf(catalogue, tables, config.DEFAULT_LANGUAGE);
  const known = languages.map(({ tag }) => tag);
  const find = tagFinder(known);
  const [asked, list] = [options.get('language'), options.get('list')];
  const [wanted, own, usual] = [asked, terminal, config.DEFAULT_LANGUAGE].map((range) =>
    languages.find(({ tag }) => tag === find(range ?? '')),
  );
  if (!usual) throw new TypeError('the default language has no table');
  const ofList = [usual, ...languages].find((each) => list && 'collection' in findList(catalogue, each, list));
  return {
    spoken: wanted ?? own ?? usual,
    language: wanted ?? ofList ?? usual,
    languages,
    locales,
    hasChosen: (wanted ?? own) !== undefined,
    unknownLanguage:
      asked === undefined || wanted ? [] : [['language-unknown', { value: asked, known: known.join(', ') }]],
  };
}
