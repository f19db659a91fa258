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
  /** Options with a value, which may be given several times. */
  readonly repeatable?: readonly string[];
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
  /** The other options, in their order. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/** The names of all options, because `parseArgs` needs to know which have a value. */
const namesIn = (args: readonly string[]): readonly string[] =>
  args.flatMap((arg) => /^--([^=]+)/.exec(arg)?.slice(1) ?? []);

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

/** @param args what follows the program on its command line */
export const readArguments = (args: readonly string[], usage: Usage) => {
  const { flags = [], options = [], repeatable = [], hasParameters = false } = usage;
  const own = ['language', ...options];
  const withoutValue = ['help', ...flags];
  const others = hasParameters ? namesIn(args).filter((name) => !withoutValue.includes(name)) : repeatable;
  const { tokens, positionals } = parseArgs({
    args: [...args],
    options: Object.fromEntries([...own, ...others].map((name) => [name, { type: 'string' }])),
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
  const given = typed.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const]));
  const faultsOf = ({ name, rawName: option, value }: (typeof typed)[number], at: number, say: CommandTranslator) => {
    if (name === 'help') return [];
    if (flags.includes(name)) return value === undefined ? [] : [say('option-flag', { option })];
    if (!hasParameters && ![...own, ...repeatable].includes(name)) return [say('option-unknown', { option })];
    if (value === undefined) return [say('option-empty', { option })];
    const isRepeated = own.includes(name) && typed.findIndex((each) => each.name === name) < at;
    return isRepeated ? [say('option-repeated', { option })] : [];
  };
  const read: Arguments = {
    operands: positionals,
    flags: new Set(flags.filter((flag) => typed.some(({ name }) => name === flag))),
    options: new Map(given.filter(([name]) => own.includes(name))),
    parameters: given.filter(([name]) => !own.includes(name)),
  };
  return {
    isHelp: typed.some(({ name }) => name === 'help'),
    language: typed.findLast(({ name }) => name === 'language')?.value,
    /** Valid where there is no fault. */
    read,
    /** @returns a line for each fault, without any value: one may be a password */
    faults: (say: CommandTranslator): readonly string[] => [
      ...typed.flatMap((option, at) => faultsOf(option, at, say)),
      ...operandFaults(positionals, usage, say),
    ],
  };
};
