/** Runs every command of operators: options, help, errors, exit codes, and the database. */
import { existsSync } from 'node:fs';
import { FormerUses } from '../../gateway/locale/history.ts';
import type { Language } from '../../gateway/locale/language.ts';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { describeCause, Unavailable } from '../../gateway/port/unavailable.ts';
import { Problem } from '../../gateway/texts/problem.ts';
import { openConfiguredStore } from '../../host/service/open-store.ts';
import { explain } from '../../host/service/process.ts';
import { type Config, readConfig } from '../../host/settings/config.ts';
import { isInMemory, isServer, readLocation } from '../../host/settings/database-url.ts';
import { loadChosenCatalogue } from '../../host/tables/load.ts';
import type { Store } from '../../store/store.ts';
import { readTerminalLanguage } from '../../util/terminal-language.ts';
import { CommandError, createSay, type Say, type Text, UsageError, type Values } from './command-error.ts';
import { chooseLanguages, type LanguageChoice } from './language-choice.ts';
import { type Arguments, readArguments, type Usage } from './options.ts';
import { Progress } from './progress.ts';

/** Exit codes: the work is done; it is done, with findings such as rejected rows; it has failed. */
export const [DONE, FOUND, FAILED] = [0, 1, 2];

/** The argument of a command's work. */
export interface CommandContext extends Arguments, Omit<LanguageChoice, 'hasChosen' | 'unknownLanguage'> {
  readonly catalogue: Catalogue;
  readonly config: Config;
  readonly say: Say;
  readonly progress: Pick<Progress, 'show' | 'showRows' | 'end'>;
  /** Prints a line of the result, to standard output. */
  readonly print: (line: string) => void;
  /** Prints a line for the operator, to standard error. */
  readonly note: (line: string) => void;
}

export interface Command extends Usage {
  readonly help: Text;
  /** The values of the placeholders in the help. */
  readonly helpValues?: (catalogue: Catalogue, language: Language) => Values;
  /**
   * Whether it works on files of lists: it speaks the language of the terminal, and is about the items of nested collections in all
   * parents, too, whether or not the service lists them. Any other command speaks English.
   */
  readonly hasFiles?: boolean;
  readonly work: (context: CommandContext) => number | Promise<number>;
}

export function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** @returns the detail of a problem, then each of its errors if it has several */
export function describeProblem({ format }: Language, { detail, errors }: Problem): readonly string[] {
  return [detail, ...(errors.length > 1 ? errors.map((error) => error.detail) : [])].map(format);
}

/** @returns the message of an error, a line for each fault */
export function describeError(
  error: unknown,
  { outputLanguage, language }: Pick<LanguageChoice, 'outputLanguage' | 'language'>,
  command: string,
): readonly string[] {
  const say = createSay(outputLanguage.commands);
  if (error instanceof UsageError) return [...error.faults, say('help-hint', { command: `${command} --` })];
  if (error instanceof CommandError) return [say(error.text, error.values)];
  if (error instanceof Problem) return describeProblem(language, error);
  if (error instanceof Unavailable)
    return [outputLanguage.format({ phrase: 'store-unavailable', values: {} }), describeCause(error)];
  // An error of the operating system, such as "no space left on device", is not a bug.
  return error instanceof Error && 'syscall' in error ? [error.message] : explain(error);
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Lets the operator interrupt some work, which then leaves nothing behind. @throws CommandError if that has happened */
export async function runInterruptibly<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const interrupt = (): void => controller.abort();
  for (const signal of SIGNALS) process.once(signal, interrupt);
  try {
    return await work(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? new CommandError('work-interrupted', {}, error) : error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
}

async function begin(own: Catalogue, command: Command, args: readonly string[]): Promise<number> {
  const { isHelp, faults, ...typed } = readArguments(args, command);
  const config = readConfig();
  const catalogue = await loadChosenCatalogue(own, config.CATALOGUE);
  const choice = chooseLanguages(catalogue, config, typed.options, readTerminalLanguage(), command.hasFiles);
  const { outputLanguage, languages, hasChosen, unknownLanguage } = choice;
  if (isHelp) {
    const speakers = hasChosen ? [outputLanguage] : languages;
    const texts = speakers.map((speaker) =>
      createSay(speaker.commands)(command.help, command.helpValues?.(catalogue, speaker)),
    );
    process.stdout.write([...new Set(texts)].join('\n'));
    return DONE;
  }
  const say = createSay(outputLanguage.commands);
  const progress = new Progress(say);
  try {
    const lines = [...unknownLanguage, ...faults].map(([text, values]) => say(text, values));
    if (lines.length > 0) throw new UsageError(lines);
    const { formerLog } = outputLanguage;
    const formerWords = new FormerUses(formerLog);
    formerLog.current = formerWords;
    const print = (line: string) => process.stdout.write(`${line}\n`);
    const code = await command.work({ ...typed, ...choice, catalogue, config, say, progress, print, note: complain });
    const day = new Intl.DateTimeFormat(outputLanguage.tag, { dateStyle: 'long', timeZone: 'UTC' });
    for (const { word, now, until } of formerWords.words) {
      complain(say('word-former', { word, now, until: day.format(new Date(until)) }));
    }
    return code;
  } catch (error) {
    progress.end();
    for (const line of describeError(error, choice, command.command)) complain(line);
    return FAILED;
  } finally {
    progress.end();
  }
}

/** A reader that leaves early, such as `head`, is no error. A result that cannot be written otherwise is lost. */
export function tolerateClosedPipes(): void {
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return;
    complain(message);
    process.exitCode = FAILED;
  });
  process.stderr.on('error', () => {});
}

/** Runs a command, and sets the exit code of the process. */
export async function runCommand(catalogue: Catalogue, command: Command): Promise<void> {
  tolerateClosedPipes();
  const code = await begin(catalogue, command, process.argv.slice(2)).catch((error) => {
    for (const line of explain(error)) complain(line);
    return FAILED;
  });
  process.exitCode ??= code;
}

export function readSubcommand<K extends string>(
  subcommands: Readonly<Record<K, Text | undefined>>,
  withOptions: NoInfer<K>,
  { operands, options, parameters, say }: Pick<CommandContext, 'operands' | 'options' | 'parameters' | 'say'>,
): readonly [subcommand: K, operand: string] {
  const kinds = Object.keys(subcommands) as K[];
  const [word, operand = '', ...others] = operands;
  const kind = kinds.find((candidate) => candidate === word);
  if (kind === undefined) throw new UsageError([say('subcommand-unknown', { known: kinds.join(', ') })]);
  const names = [...options.keys(), ...parameters.map(([name]) => name)];
  const unknown = kind === withOptions ? [] : names;
  const faults = unknown.map((name) => say('option-unknown', { option: `--${name}` }));
  const text = subcommands[kind];
  if (text && (operand === '' || others.length > 0)) faults.push(say(text, { kind }));
  if (!text && operands.length > 1) faults.push(say('operand-unneeded', { command: kind }));
  if (faults.length > 0) throw new UsageError(faults);
  return [kind, operand];
}

/**
 * Checks that there is a database, for a command that only reads one: to open a file that is missing would create an empty one.
 */
export function checkDatabaseExists({ DATABASE_URL: url }: Config): void {
  if (isServer(url)) return;
  if (isInMemory(url)) throw new CommandError('in-memory');
  const file = readLocation(url);
  if (!existsSync(file)) throw new CommandError('file-missing', { file });
}

/** Opens the database, runs some work on it and closes it; services may use it meanwhile. */
export async function withStore<T>(
  { catalogue, config, note }: Pick<CommandContext, 'catalogue' | 'config' | 'note'>,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  if (isInMemory(config.DATABASE_URL)) throw new CommandError('in-memory');
  // A store's threads do not keep the process alive, and there may be nothing else to wait for.
  const alive = setInterval(() => {}, 60_000);
  try {
    const store = await openConfiguredStore(config, catalogue, { report: note });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  } finally {
    clearInterval(alive);
  }
}
