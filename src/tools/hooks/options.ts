import { hostRefusal } from '../../host/hooks/addresses.ts';
import { UsageError } from '../commands/command-error.ts';
import type { CommandContext } from '../commands/run.ts';

export type HookCommand =
  | { readonly kind: 'add'; readonly url: string }
  | { readonly kind: 'list' }
  | { readonly kind: 'export' }
  | { readonly kind: 'import'; readonly file: string }
  | { readonly kind: 'remove' | 'test' | 'resume'; readonly id: string };

type Words = Pick<CommandContext, 'operands' | 'options' | 'parameters' | 'say' | 'config'>;

/** @returns an address that hooks may have; `undefined` for any other text */
export const addressIn = (text: string, reach: CommandContext['config']['HOOK_ADDRESSES']): string | undefined => {
  const url = URL.parse(text);
  const schemes = reach === 'any' ? ['https:', 'http:'] : ['https:'];
  if (!url || !schemes.includes(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  return reach === 'public' && hostRefusal(url) ? undefined : url.href;
};

const KINDS: readonly string[] = [
  'add',
  'list',
  'remove',
  'test',
  'resume',
  'export',
  'import',
] satisfies readonly HookCommand['kind'][];

/**
 * @returns the command
 * @throws UsageError with a line for each fault
 */
export const readHookCommand = ({ operands, options, parameters, say, config }: Words): HookCommand => {
  const [kind = '', operand, ...rest] = operands;
  if (!KINDS.includes(kind)) throw new UsageError([say('hook-command', { known: KINDS.join(', ') })]);
  const others =
    kind === 'add'
      ? []
      : [...options.keys().filter((name) => name !== 'language'), ...parameters.map(([name]) => name)];
  const needs = kind === 'list' || kind === 'export' ? 0 : 1;
  const faults = others.map((name) => say('option-unknown', { option: `--${name}` }));
  if (rest.length > 0 || (operand === undefined ? 0 : 1) > needs) {
    faults.push(say('operand-unneeded', { command: `npm run hook -- ${kind}` }));
  } else if (operand === undefined && needs > 0)
    faults.push(kind === 'add' ? say('hook-url') : kind === 'import' ? say('file-needed') : say('hook-id', { kind }));
  if (faults.length > 0) throw new UsageError(faults);
  if (kind === 'list' || kind === 'export') return { kind };
  if (kind === 'import') return { kind, file: operand ?? '' };
  if (kind !== 'add') return { kind: kind as 'remove' | 'test' | 'resume', id: operand ?? '' };
  const url = addressIn(operand ?? '', config.HOOK_ADDRESSES);
  if (url === undefined) throw new UsageError([say('hook-url')]);
  return { kind, url };
};
