/** Commands that need no catalogue to speak: they use the language of the terminal. */
import type { Wording } from '../../../packages/vocabularies/src/words.ts';
import { createCommands } from '../../gateway/locale/language.ts';
import { sentences } from '../../gateway/texts/packaged.ts';
import type { CommandText } from '../../gateway/texts/phrase.ts';
import { explain } from '../../host/service/process.ts';
import { readTerminalLanguage } from '../../util/terminal-language.ts';
import { CommandError, createSay, type Say } from './command-error.ts';
import { complain, FAILED, tolerateClosedPipes } from './run.ts';

/** Puts texts into the language of the terminal if the package has it, else into English. */
export function createTerminalSay(): Say {
  const [tag = ''] = readTerminalLanguage()?.split('-') ?? [];
  const { commands } = { ...sentences.en, ...sentences[tag] } as { commands: Readonly<Record<CommandText, Wording>> };
  return createSay(createCommands(tag in sentences ? tag : 'en', commands));
}

/** Runs a command, and sets the exit code of the process. */
export async function runInTerminal(work: (say: Say) => number | Promise<number>): Promise<void> {
  const say = createTerminalSay();
  tolerateClosedPipes();
  try {
    process.exitCode = await work(say);
  } catch (error) {
    const lines = error instanceof CommandError ? [say(error.text, error.values)] : explain(error);
    for (const line of lines) complain(line);
    process.exitCode = FAILED;
  }
}
