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
import { Progress } from './progress.ts';

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
  readonly progress: Pick<Progress, 'show' | 'showRows' | 'end'>;
  /** Prints a line of the result, to standard output. */
  readonly print: (line: string) => void;
  /** Prints a line for the operator, to standard error. */
  readonly note: (line: string) => void;
}

export interface Command extends Usage {
  readonly help: CommandText;
  /** The values of the placeholders in the help. */
  readonly helpValues?: (catalogue: Catalogue, language: Language) => Values;
  /** Whether it is about the items of nested collections in all parents, too, whether or not the service lists them. */
  readonly isAcrossParents?: boolean;
  /** @returns the exit code */
  readonly work: (given: CommandContext) => number | Promise<number>;
}

const complain = (line: string): void => void process.stderr.write(`${line}\n`);

async function begin(own: Catalogue, command: Command, args: readonly string[]): Promise<number> {
  const { isHelp, faults, ...typed } = readArguments(args, command);
  const config = readConfig();
  const catalogue = await chosenCatalogue(own, config.CATALOGUE);
  const choice = chooseLanguages(
    catalogue,
    config,
    typed.options,
    terminalLanguage(process.env),
    command.isAcrossParents,
  );
  const { commands: say } = choice.spoken;
  if (isHelp) {
    // In every language, unless one was asked for.
    const speakers = choice.hasChosen ? [choice.spoken] : choice.languages;
    const texts = speakers.map((each) => each.commands(command.help, command.helpValues?.(catalogue, each)));
    process.stdout.write(texts.join('\n'));
    return DONE;
  }
  const progress = new Progress(process.stderr, say);
  try {
    const lines = [...choice.unknownLanguage, ...faults].map(([text, values]) => say(text, values));
    if (lines.length > 0) throw new UsageError(lines);
    const formerWords: FormerUses = new Map();
    noteIn(formerWords);
    const print = (line: string) => process.stdout.write(`${line}\n`);
    const code = await command.work({ ...typed, ...choice, catalogue, config, say, progress, print, note: complain });
    for (const { word, now, until } of formerWords.values()) complain(say('word-former', { word, now, until }));
    return code;
  } catch (error) {
    progress.end();
    for (const line of errorLines(error, choice, command.command)) complain(line);
    return FAILED;
  } finally {
    progress.end();
  }
}

/** Runs a command, and sets the exit code of the process. */
export async function runCommand(catalogue: Catalogue, command: Command): Promise<void> {
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
}
