import type { Language } from '../../gateway/locale/language.ts';
import { messageOf, Unavailable } from '../../gateway/port/unavailable.ts';
import { Problem } from '../../gateway/texts/problem.ts';
import { explain } from '../../host/service/process.ts';
import { CommandError, UsageError } from './command-error.ts';
import type { LanguageChoice } from './language-choice.ts';

/** An error of the operating system, such as "no space left on device", is not a bug. */
const isOfSystem = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'syscall' in error;

/** @returns the detail of a problem, then each of its errors where it has several */
export const problemLines = ({ say }: Language, { detail, errors }: Problem): readonly string[] =>
  [detail, ...(errors.length > 1 ? errors.map((error) => error.detail) : [])].map(say);

/**
 * @param command as it is typed
 * @returns the message of an error, a line for each fault
 */
export const errorLines = (
  error: unknown,
  { spoken, language }: Pick<LanguageChoice, 'spoken' | 'language'>,
  command: string,
): readonly string[] => {
  const { commands, say } = spoken;
  if (error instanceof UsageError) return [...error.faults, commands('help-hint', { command: `${command} --` })];
  if (error instanceof CommandError) return [commands(error.text, error.values)];
  if (error instanceof Problem) return problemLines(language, error);
  if (error instanceof Unavailable) return [say({ phrase: 'store-unavailable', values: {} }), messageOf(error)];
  return isOfSystem(error) ? [error.message] : explain(error);
};
