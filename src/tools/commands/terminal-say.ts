import type { Wording } from '../../../packages/vocabularies/src/words.ts';
import { createCommands } from '../../gateway/locale/language.ts';
import { sentences } from '../../gateway/texts/packaged.ts';
import type { CommandText } from '../../gateway/texts/phrase.ts';
import { terminalLanguage } from '../../util/terminal-language.ts';
import { createSay, type Say } from './command-error.ts';

/** @returns what says a text in the language of the terminal if the package has it, else in English; no catalogue is read */
export function createTerminalSay(): Say {
  const [tag = ''] = terminalLanguage()?.split('-') ?? [];
  const { commands } = { ...sentences.en, ...sentences[tag] } as { commands: Readonly<Record<CommandText, Wording>> };
  return createSay(createCommands(tag in sentences ? tag : 'en', commands));
}
