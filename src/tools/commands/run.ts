/** What all commands of operators have in common: language, options, help, errors, exit codes. */
import { FormerUses } from '../../gateway/locale/history.ts';
import type { CommandTranslator, Language } from '../../gateway/locale/language.ts';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { messageOf, Unavailable } from '../../gateway/port/unavailable.ts';
import { Problem } from '../../gateway/texts/problem.ts';
import type { CommandText } from '../../gateway/texts/shown-text.ts';
import { explain } from '../../host/service/process.ts';
import { type Config, readConfig } from '../../host/settings/config.ts';
import { chosenCatalogue } from '../../host/tables/chosen-catalogue.ts';
import { CommandError, commandError, UsageError, type Values } from './command-error.ts';
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

function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** @returns the detail of a problem, then each of its errors if it has several */
export function problemLines({ say }: Language, { detail, errors }: Problem): readonly string[] {
  return [detail, ...(errors.length > 1 ? errors.map((error) => error.detail) : [])].map(say);
}

/**
 * @param command as it is typed
 * @returns the message of an error, a line for each fault
 */
export function errorLines(
  error: unknown,
  { spoken, language }: Pick<LanguageChoice, 'spoken' | 'language'>,
  command: string,
): readonly string[] {
  const { commands, say } = spoken;
  if (error instanceof UsageError) return [...error.faults, commands('help-hint', { command: `${command} --` })];
  if (error instanceof CommandError) return [commands(error.text, error.values)];
  if (error instanceof Problem) return problemLines(language, error);
  if (error instanceof Unavailable) return [say({ phrase: 'store-unavailable', values: {} }), messageOf(error)];
  // An error of the operating system, such as "no space left on device", is not a bug.
  return error instanceof Error && 'syscall' in error ? [error.message] : explain(error);
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Lets the operator interrupt some work, which then leaves nothing behind.
 *
 * @throws CommandError if that has happened
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const interrupt = (): void => controller.abort();
  for (const signal of SIGNALS) process.once(signal, interrupt);
  try {
    return await work(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? commandError('work-interrupted', {}, error) : error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
}

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
  const progress = new Progress(say);
  try {
    const lines = [...choice.unknownLanguage, ...faults].map(([text, values]) => say(text, values));
    if (lines.length > 0) throw new UsageError(lines);
    const { formerLog } = choice.spoken;
    const formerWords = new FormerUses(formerLog);
    formerLog.current = formerWords;
    const print = (line: string) => process.stdout.write(`${line}\n`);
    const code = await command.work({ ...typed, ...choice, catalogue, config, say, progress, print, note: complain });
    for (const { word, now, until } of formerWords.words) complain(say('word-former', { word, now, until }));
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
