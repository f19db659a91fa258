import type { CommandText } from '../../gateway/texts/shown-text.ts';
import { FaultsError } from '../../util/faults-error.ts';

/** The values of a text's placeholders. */
export type Values = Readonly<Record<string, string | number>>;

/** Why a command fails; it is put into words when it is printed. */
export class CommandError extends Error {
  readonly text: CommandText;
  readonly values: Values;

  constructor(text: CommandText, values: Values, cause?: unknown) {
    super(text, { cause });
    this.text = text;
    this.values = values;
  }
}

/** @param values one for each placeholder of its text */
export function commandError(text: CommandText, values: Values, cause?: unknown): CommandError {
  return new CommandError(text, values, cause);
}

/** @param error the system's reason why the file cannot be read or written */
export function unusableFile(file: string, error: unknown): CommandError {
  return commandError('file-unusable', { file, reason: (error as NodeJS.ErrnoException).code ?? '' }, error);
}

/** An invalid command line, with a line for each fault. */
export class UsageError extends FaultsError {}
