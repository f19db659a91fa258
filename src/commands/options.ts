import { parseArgs } from 'node:util';
import { type CommandError, commandError } from './command-error.ts';

/** What may be typed after the name of a command, beside `--help` and `--language <tag>`. */
export interface Usage {
  /** As it is typed. */
  readonly command: string;
  /** Options without a value. */
  readonly switches: readonly string[];
  /** Whether it needs the name of a file. */
  readonly hasFile: boolean;
}

/** What was typed. */
export interface Typed {
  readonly isHelp: boolean;
  readonly language: string | undefined;
  readonly file: string;
  readonly switches: ReadonlySet<string>;
  readonly faults: readonly CommandError[];
}

/** @param args what follows the program on its command line */
export const readOptions = (args: readonly string[], { switches, hasFile }: Usage): Typed => {
  const { tokens } = parseArgs({
    args: [...args],
    options: { language: { type: 'string' }, help: { type: 'boolean' } },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const options = tokens.filter((token) => token.kind === 'option');
  const files = tokens.filter((token) => token.kind === 'positional').map(({ value }) => value);
  const faults = options.flatMap(({ name, rawName, value }): readonly CommandError[] => {
    if (name === 'help') return [];
    if (name !== 'language' && !switches.includes(name)) return [commandError('option-unknown', { option: rawName })];
    return (value === undefined) === (name === 'language') ? [commandError('option-value', { option: rawName })] : [];
  });
  const isCountRight = files.length === (hasFile ? 1 : 0) && files[0] !== '';
  return {
    isHelp: options.some(({ name }) => name === 'help'),
    language: options.findLast(({ name }) => name === 'language')?.value,
    file: files[0] ?? '',
    switches: new Set(options.map(({ name }) => name)),
    faults: [...faults, ...(isCountRight ? [] : [commandError(hasFile ? 'file-needed' : 'file-unneeded', {})])],
  };
};
