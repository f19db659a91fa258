import type { Config } from '../config.ts';
import { callerLanguage } from '../config.ts';
import { tagFinder } from '../http/read/choose-language.ts';
import { loadLocales } from '../locale/load.ts';
import { type CommandVoice, commandVoice } from '../locale/voices.ts';
import type { Catalogue } from '../model/catalogue.ts';
import { type CommandError, commandError } from './command-error.ts';

export interface Caller {
  readonly say: CommandVoice;
  /** The language that was asked for is none of the service's. */
  readonly fault?: CommandError;
}

/**
 * Finds the language of who has typed a command: the one that was asked for, else the terminal's, else the default one.
 *
 * @param asked a language tag, where there is one
 */
export const callerOf = (
  catalogue: Catalogue,
  { LOCALES_DIR, DEFAULT_LANGUAGE }: Config,
  asked: string | undefined,
): Caller => {
  const locales = loadLocales(catalogue, LOCALES_DIR, DEFAULT_LANGUAGE);
  const find = tagFinder(locales.map(({ tag }) => tag));
  const wanted = find(asked ?? callerLanguage() ?? '');
  const [own, common] = [wanted, DEFAULT_LANGUAGE].map((tag) =>
    locales.find((locale) => locale.tag === tag && locale.table.commands),
  );
  const locale = own ?? common;
  if (!locale) throw new TypeError('the default language has no texts of commands');
  const say = commandVoice(locale);
  if (asked === undefined || wanted !== undefined) return { say };
  const known = locales.map(({ tag }) => tag).join(', ');
  return { say, fault: commandError('language-unknown', { value: asked, known }) };
};
