/** The texts of commands, and the errors that end them. */
import { type CommandTranslator, fill } from '../../gateway/locale/language.ts';
import type { CommandText } from '../../gateway/texts/phrase.ts';
import { nameCommands } from '../../util/calls.ts';
import { FaultsError } from '../../util/faults-error.ts';
import texts from './texts.json' with { type: 'json' };

/** A text that is in the tables of languages, or one for operators, which is in English. */
export type Text = CommandText | keyof typeof texts;

export type Values = Readonly<Record<string, string | number>>;

export type Say = (text: Text, values?: Values) => string;

/** @param translate puts the texts of tables into words */
export function createSay(translate: CommandTranslator): Say {
  return (text, values = {}) =>
    nameCommands(
      text in texts ? fill(texts[text as keyof typeof texts], values) : translate(text as CommandText, values),
    );
}

/** Why a command fails; it is put into words when it is printed. */
export class CommandError extends Error {
  readonly text: Text;
  /** One for each placeholder of the text. */
  readonly values: Values;

  constructor(text: Text, values: Values = {}, cause?: unknown) {
    super(text, { cause });
    this.text = text;
    this.values = values;
  }
}

/** @param error the system's reason why the file cannot be read or written */
export function toFileError(file: string, error: unknown): CommandError {
  return new CommandError('file-unusable', { file, reason: (error as NodeJS.ErrnoException).code ?? '' }, error);
}

/** @throws CommandError if the operating system refuses the file */
export function useFile<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toFileError(file, error);
  }
}

/** An invalid command line, with a line for each fault. */
export class UsageError extends FaultsError {}
