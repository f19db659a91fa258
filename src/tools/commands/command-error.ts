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
export const commandError = (text: CommandText, values: Values, cause?: unknown): CommandError =>
  new CommandError(text, values, cause);

/** An invalid command line, with a line for each fault. */
export class UsageError extends FaultsError {}
