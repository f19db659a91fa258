import { parseArgs } from 'node:util';
import type { Text, Values } from './command-error.ts';

/** The arguments that a command accepts, besides `--help`: flags have no value, options have one, operands are the rest. */
export interface Usage {
  readonly command: string;
  readonly flags?: readonly string[];
  readonly options?: readonly string[];
  /** Options with a value, which may be given several times; `all` are all others: the parameters of a list. */
  readonly repeatable?: readonly string[] | 'all';
  readonly operands?: readonly [least: number, most: number];
}

export interface Arguments {
  readonly operands: readonly string[];
  readonly flags: ReadonlySet<string>;
  readonly options: ReadonlyMap<string, string>;
  /** The options that may be repeated, in their order. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/** A line about a fault, without any value that was typed: one may be a password. */
export type Fault = readonly [text: Text, values?: Values];

/**
 * Reads a command line to its end, so that all faults are reported together. (`parseArgs` ends at the first one if it is
 * strict.)
 */
export function readArguments(args: readonly string[], usage: Usage) {
  const { flags = [], repeatable = [], operands: [least, most] = [0, 0] } = usage;
  const once = usage.options ?? [];
  const names = repeatable === 'all' ? args.flatMap((arg) => /^--([^=]+)/.exec(arg)?.slice(1) ?? []) : repeatable;
  const valued = [...once, ...names].filter((name) => name !== 'help' && !flags.includes(name));
  const { tokens, positionals } = parseArgs({
    args: [...args],
    options: Object.fromEntries(valued.map((name) => [name, { type: 'string' }])),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const input = { operands: positionals, flags: new Set<string>(), options: new Map<string, string>() };
  const parameters: [name: string, value: string][] = [];
  const faults: Fault[] = [];
  let isHelp = false;
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName: option, inlineValue } = token;
    // A text that looks like the next option is no value, unless it follows an equals sign.
    const value = inlineValue === false && token.value.startsWith('--') ? undefined : token.value;
    if (name === 'help') isHelp = true;
    else if (flags.includes(name)) {
      input.flags.add(name);
      if (value !== undefined) faults.push(['option-flag', { option }]);
    } else if (!valued.includes(name)) faults.push(['option-unknown', { option }]);
    else if (value === undefined) faults.push(['option-empty', { option }]);
    else if (!once.includes(name)) parameters.push([name, value]);
    else if (input.options.has(name)) faults.push(['option-repeated', { option }]);
    else input.options.set(name, value);
  }
  if (positionals.length < least || positionals.length > most || positionals.includes('')) {
    if (most === 0) faults.push(['operand-unneeded', { command: usage.command }]);
    else faults.push([most === 1 ? 'file-needed' : 'files-needed']);
  }
  return { ...input, parameters, isHelp, faults };
}
