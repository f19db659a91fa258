import { createSay, type Say, UsageError } from '../../../src/tools/commands/command-error.ts';
import { type Arguments, readArguments, type Usage } from '../../../src/tools/commands/options.ts';
import { en } from '../language/spoken.ts';

/**
 * Reads the arguments of a command, in English.
 *
 * @returns what it reads, and the faults for which it refuses arguments
 */
export const argumentReader = <T>(usage: Usage, readCommand: (given: Arguments & { readonly say: Say }) => T) => {
  const say = createSay(en.language.commands);
  const read = (args: readonly string[]): T => {
    const { faults, ...typed } = readArguments(args, usage);
    if (faults.length > 0) throw new UsageError(faults.map(([text, values]) => say(text, values)));
    return readCommand({ ...typed, say });
  };
  const faultsOf = (args: readonly string[]): readonly string[] => {
    try {
      read(args);
      return [];
    } catch (error) {
      if (error instanceof UsageError) return error.faults;
      throw error;
    }
  };
  return { read, faultsOf };
};
