import { type Language, languagesOf } from '../../gateway/locale/language.ts';
import type { Locale } from '../../gateway/locale/table.ts';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { tagFinder } from '../../gateway/read/accept-language.ts';
import type { Config } from '../../host/settings/config.ts';
import { localesOf } from '../../host/tables/load.ts';
import { listAt } from './list-path.ts';

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
  /** A line of error, where there is no table for the language that was asked for. */
  readonly fault?: string;
}

/** @returns the language of a terminal as a tag, by the rules of POSIX: `es-ES` where it says `es_ES.UTF-8` */
export const terminalLanguage = ({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): string | undefined =>
  /^[a-z]{2,3}(?:_[A-Za-z0-9]+)?(?=[.@]|$)/.exec(LC_ALL || LC_MESSAGES || LANG || '')?.[0].replace('_', '-');

/**
 * @param asked a language tag, where there is one
 * @param terminal the tag of the terminal's language, where it has one
 * @param list the path of the list that the command is about
 */
export const chooseLanguages = (
  catalogue: Catalogue,
  config: Config,
  asked: string | undefined,
  terminal: string | undefined,
  list?: string,
): LanguageChoice => {
  const { DEFAULT_LANGUAGE } = config;
  const locales = localesOf(catalogue, config);
  const languages = languagesOf(catalogue, locales, DEFAULT_LANGUAGE);
  const find = tagFinder(languages.map(({ tag }) => tag));
  const named = (range: string | undefined): Language | undefined => {
    const found = find(range ?? '');
    return languages.find(({ tag }) => tag === found);
  };
  const usual = named(DEFAULT_LANGUAGE);
  if (!usual) throw new TypeError('the default language has no table');
  const [wanted, own] = [named(asked), named(terminal)];
  const spoken = wanted ?? own ?? usual;
  const ofList = [usual, ...languages].find((each) => list && 'collection' in listAt(catalogue, each, list));
  const caller = {
    spoken,
    language: wanted ?? ofList ?? usual,
    languages,
    locales,
    hasChosen: (wanted ?? own) !== undefined,
  };
  if (asked === undefined || wanted) return caller;
  const known = languages.map(({ tag }) => tag).join(', ');
  return { ...caller, fault: spoken.commands('language-unknown', { value: asked, known }) };
};
