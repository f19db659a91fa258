/** What all commands of operators have in common: language, help, exit codes. */
import { type Config, readConfig } from '../config.ts';
import type { CommandVoice } from '../locale/voices.ts';
import type { Catalogue } from '../model/catalogue.ts';
import { explain } from '../process.ts';
import type { CommandText } from '../texts/command-text.ts';
import { callerOf } from './caller.ts';
import { CommandError } from './command-error.ts';
import { readOptions, type Typed, type Usage } from './options.ts';
import { type Progress, progressOn } from './progress.ts';

/** What a command works with. */
export interface Given extends Pick<Typed, 'file' | 'switches'> {
  readonly catalogue: Catalogue;
  readonly config: Config;
  readonly say: CommandVoice;
  readonly progress: Progress;
  /** Prints a line of the result. */
  readonly print: (line: string) => void;
}

/** The exit code of a command that could not do its work. */
const FAILED = 2;

const complain = (line: string): void => void process.stderr.write(`${line}\n`);

/** What the system says of a file, such as "no space left on device", is no fault of the program. */
const isOfSystem = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'syscall' in error;

const linesOf = (error: unknown, say: CommandVoice): readonly string[] => {
  if (error instanceof CommandError) return [say(error.text, error.values)];
  return isOfSystem(error) ? [error.message] : explain(error);
};

const begin = async (
  usage: Usage,
  help: CommandText,
  catalogue: Catalogue,
  work: (given: Given) => number | Promise<number>,
): Promise<number> => {
  const typed = readOptions(process.argv.slice(2), usage);
  const config = readConfig();
  const { say, fault } = callerOf(catalogue, config, typed.language);
  if (typed.isHelp) {
    process.stdout.write(say(help));
    return 0;
  }
  const faults = fault ? [fault, ...typed.faults] : typed.faults;
  if (faults.length > 0) {
    for (const { text, values } of faults) complain(say(text, values));
    complain(say('help-hint', { command: `${usage.command} --` }));
    return FAILED;
  }
  const progress = progressOn(process.stderr);
  try {
    return await work({
      ...typed,
      catalogue,
      config,
      say,
      progress,
      print: (line) => process.stdout.write(`${line}\n`),
    });
  } catch (error) {
    progress.end();
    for (const line of linesOf(error, say)) complain(line);
    return FAILED;
  } finally {
    progress.end();
  }
};

/**
 * Runs a command, and sets the exit code of the process: what `work` returns, or 2.
 *
 * @param help what `--help` prints
 */
export const runCommand = async (...asked: Parameters<typeof begin>): Promise<void> => {
  process.exitCode = await begin(...asked).catch((error) => {
    for (const line of explain(error)) complain(line);
    return FAILED;
  });
};
