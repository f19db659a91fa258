import type { CommandText } from '../../gateway/texts/shown-text.ts';
import { UsageError } from './command-error.ts';
import type { CommandContext } from './run.ts';

/**
 * Reads what a command that can do several things is to do, and with what.
 *
 * @param subcommands those that there are, each with what is said to whoever leaves out its operand, if it has one
 * @param withOptions the only one with options besides `--language`
 * @returns one of them, and its operand, which is empty if it has none
 * @throws UsageError with a line for each fault, without the operand: it may be a key
 */
export function readSubcommand<K extends string>(
  subcommands: Readonly<Record<K, CommandText | undefined>>,
  withOptions: NoInfer<K>,
  { operands, options, parameters, say }: Pick<CommandContext, 'operands' | 'options' | 'parameters' | 'say'>,
): readonly [subcommand: K, operand: string] {
  const kinds = Object.keys(subcommands) as K[];
  const [word, operand = '', ...others] = operands;
  const kind = kinds.find((each) => each === word);
  if (kind === undefined) throw new UsageError([say('subcommand-unknown', { known: kinds.join(', ') })]);
  const names = [...options.keys(), ...parameters.map(([name]) => name)].filter((name) => name !== 'language');
  const unknown = kind === withOptions ? [] : names;
  const faults = unknown.map((name) => say('option-unknown', { option: `--${name}` }));
  const text = subcommands[kind];
  if (text && (operand === '' || others.length > 0)) faults.push(say(text, { kind }));
  if (!text && operands.length > 1) faults.push(say('operand-unneeded', { command: kind }));
  if (faults.length > 0) throw new UsageError(faults);
  return [kind, operand];
}
