import { parseArgs } from 'node:util';
import type { CommandTranslator } from '../../gateway/locale/translators.ts';

/** The arguments that a command accepts, besides `--help` and `--language <tag>`. */
export interface Usage {
  /** The command as it is typed. */
  readonly command: string;
  /** Options without a value. */
  readonly flags?: readonly string[];
  /** Options with a value, which are given once. */
  readonly options?: readonly string[];
  /** Whether every other option is a parameter of a list, which has a value and may be given several times. */
  readonly hasParameters?: boolean;
  /** How many operands it takes; none by default. */
  readonly operands?: readonly [least: number, most: number];
}

/** The arguments of a command, checked. */
export interface Arguments {
  readonly operands: readonly string[];
  readonly flags: ReadonlySet<string>;
  readonly options: ReadonlyMap<string, string>;
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/** The arguments of a command, not checked yet. */
export interface Tokens {
  readonly isHelp: boolean;
  readonly language: string | undefined;
  readonly operands: readonly string[];
  readonly options: readonly {
    readonly name: string;
    /** With its dashes. */
    readonly rawName: string;
    readonly value: string | undefined;
  }[];
}

/** The names of all options, because `parseArgs` needs to know which have a value. */
const namesIn = (args: readonly string[]): readonly string[] =>
  args.flatMap((arg) => /^--([^=]+)/.exec(arg)?.slice(1) ?? []);

/** @param args what follows the program on its command line */
export const readTokens = (args: readonly string[], { flags = [], options = [], hasParameters }: Usage): Tokens => {
  const withoutValue = ['help', ...flags];
  const others = hasParameters ? namesIn(args).filter((name) => !withoutValue.includes(name)) : [];
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(['language', ...options, ...others].map((name) => [name, { type: 'string' }])),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const typed = tokens
    .filter((token) => token.kind === 'option')
    .map(({ name, rawName, value, inlineValue }) => {
      // What looks like the next option is not a value, unless it follows an equals sign.
      return { name, rawName, value: inlineValue === false && value.startsWith('--') ? undefined : value };
    });
  return {
    isHelp: typed.some(({ name }) => name === 'help'),
    language: typed.findLast(({ name }) => name === 'language')?.value,
    operands: tokens.filter((token) => token.kind === 'positional').map(({ value }) => value),
    options: typed,
  };
};

const operandFaults = (
  operands: readonly string[],
  { command, operands: [least, most] = [0, 0] }: Usage,
  say: CommandTranslator,
): readonly string[] => {
  const { length } = operands;
  if (least <= length && length <= most && !operands.includes('')) return [];
  if (most === 0) return [say('operand-unneeded', { command })];
  return [say(most === 1 ? 'file-needed' : 'files-needed')];
};

/** @returns a line for each fault, without any value: one may be a password */
export const usageFaults = ({ operands, options }: Tokens, usage: Usage, say: CommandTranslator): readonly string[] => {
  const { flags = [], options: known = [], hasParameters = false } = usage;
  const faults = options.flatMap(({ name, rawName: option, value }, at) => {
    if (name === 'help') return [];
    if (flags.includes(name)) return value === undefined ? [] : [say('option-flag', { option })];
    const isKnown = name === 'language' || known.includes(name);
    if (!isKnown && !hasParameters) return [say('option-unknown', { option })];
    if (value === undefined) return [say('option-empty', { option })];
    const isRepeated = isKnown && options.findIndex((each) => each.name === name) < at;
    return isRepeated ? [say('option-repeated', { option })] : [];
  });
  return [...faults, ...operandFaults(operands, usage, say)];
};

/** @param tokens without faults */
export const argumentsIn = ({ operands, options }: Tokens, { flags = [], options: known = [] }: Usage): Arguments => {
  const withValue = options.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const]));
  const isOwn = (name: string): boolean => name === 'language' || known.includes(name);
  return {
    operands,
    flags: new Set(flags.filter((flag) => options.some(({ name }) => name === flag))),
    options: new Map(withValue.filter(([name]) => isOwn(name))),
    parameters: withValue.filter(([name]) => !isOwn(name)),
  };
};
