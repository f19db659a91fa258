/** What all commands of operators have in common: language, options, help, errors, exit codes. */

import { type FormerUses, noteIn } from '../../gateway/locale/former.ts';
import type { Language } from '../../gateway/locale/language.ts';
import type { CommandTranslator } from '../../gateway/locale/translators.ts';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import type { CommandText } from '../../gateway/texts/shown-text.ts';
import { explain } from '../../host/service/process.ts';
import { type Config, readConfig } from '../../host/settings/config.ts';
import { chosenCatalogue } from '../../host/tables/chosen-catalogue.ts';
import { UsageError, type Values } from './command-error.ts';
import { errorLines } from './error-lines.ts';
import { chooseLanguages, type LanguageChoice, terminalLanguage } from './language-choice.ts';
import { type Arguments, readArguments, type Usage } from './options.ts';
import { type Progress, progressOn } from './progress.ts';

/** Exit codes: done; done, with findings such as rejected rows; failed. */
export const [DONE, FOUND, FAILED] = [0, 1, 2];

/** What `runCommand` passes to the work of a command. */
export interface CommandContext
  extends Arguments,
    Pick<LanguageChoice, 'spoken' | 'language' | 'languages' | 'locales'> {
  readonly catalogue: Catalogue;
  readonly config: Config;
  /** Puts a text into the caller's language. */
  readonly say: CommandTranslator;
  readonly progress: Progress;
  /** Prints a line of the result, to standard output. */
  readonly print: (line: string) => void;
  /** Prints a line for the operator, to standard error. */
  readonly note: (line: string) => void;
}

export interface Command extends Usage {
  readonly help: CommandText;
  /** The values of the placeholders in the help. */
  readonly helpValues?: (catalogue: Catalogue, language: Language) => Values;
  /** @returns the exit code */
  readonly work: (given: CommandContext) => number | Promise<number>;
}

const complain = (line: string): void => void process.stderr.write(`${line}\n`);

/** Shows the help in every language, unless one was asked for. */
const helpOf = (
  { help, helpValues }: Command,
  catalogue: Catalogue,
  { spoken, languages, hasChosen }: LanguageChoice,
): string =>
  (hasChosen ? [spoken] : languages)
    .map((language) => language.commands(help, helpValues?.(catalogue, language)))
    .join('\n');

const begin = async (own: Catalogue, command: Command, args: readonly string[]): Promise<number> => {
  const typed = readArguments(args, command);
  const config = readConfig();
  const catalogue = await chosenCatalogue(own, config.CATALOGUE);
  const list = typed.read.options.get('list');
  const caller = chooseLanguages(catalogue, config, typed.language, terminalLanguage(process.env), list);
  const { spoken, language, languages, locales, fault } = caller;
  const { commands: say } = spoken;
  if (typed.isHelp) {
    process.stdout.write(helpOf(command, catalogue, caller));
    return DONE;
  }
  const progress = progressOn(process.stderr, say);
  try {
    const faults = [...(fault === undefined ? [] : [fault]), ...typed.faults(say)];
    if (faults.length > 0) throw new UsageError(faults);
    const given: CommandContext = {
      ...typed.read,
      ...{ catalogue, config, spoken, language, languages, locales, say, progress },
      print: (line) => process.stdout.write(`${line}\n`),
      note: complain,
    };
    const uses: FormerUses = new Map();
    noteIn(uses);
    const code = await command.work(given);
    for (const { word, now, until } of uses.values()) complain(say('word-former', { word, now, until }));
    return code;
  } catch (error) {
    progress.end();
    for (const line of errorLines(error, caller, command.command)) complain(line);
    return FAILED;
  } finally {
    progress.end();
  }
};

/** Runs a command, and sets the exit code of the process. */
export const runCommand = async (catalogue: Catalogue, command: Command): Promise<void> => {
  // A reader that leaves early, such as `head`, is no error. A result that cannot be written otherwise is lost.
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return;
    complain(message);
    process.exitCode = FAILED;
  });
  process.stderr.on('error', () => {});
  const code = await begin(catalogue, command, process.argv.slice(2)).catch((error) => {
    for (const line of explain(error)) complain(line);
    return FAILED;
  });
  process.exitCode ??= code;
};
