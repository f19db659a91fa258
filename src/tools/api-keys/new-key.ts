import { z } from 'zod';
import { isScope, scopes } from '../../gateway/model/access.ts';
import type { StoredApiKey } from '../../store/clients.ts';
import { UsageError } from '../commands/command-error.ts';
import type { CommandContext } from '../commands/run.ts';
import { readSubcommand } from '../commands/subcommand.ts';

const DAY = 86_400_000;
const LONGEST_NAME = 100;

/** The options of `create`. */
export const KEY_OPTIONS = ['name', 'scopes', 'expires'];

/** @returns when a key expires; `undefined` if the text is not a date, or is one in the past */
function readEnd(text: string): number | undefined {
  const isDay = z.iso.date().safeParse(text).success;
  if (!isDay && !z.iso.datetime({ offset: true }).safeParse(text).success) return undefined;
  const time = Date.parse(text) + (isDay ? DAY : 0);
  return time > Date.now() ? time : undefined;
}

type Words = Pick<CommandContext, 'operands' | 'options' | 'parameters' | 'say'>;

/** @throws UsageError with a line for each fault */
function readNewKey({ options, say }: Words): Omit<StoredApiKey, 'id' | 'hash' | 'created'> {
  const faults: string[] = [];
  const text = options.get('name');
  const name = text?.trim() ?? '';
  if (text === undefined) faults.push(say('option-needed', { option: '--name' }));
  else if (!/^[^\p{Cc}]+$/u.test(name) || name.length > LONGEST_NAME)
    faults.push(say('key-name', { most: LONGEST_NAME }));
  const words = (options.get('scopes') ?? 'read').split(',');
  if (!words.every(isScope)) {
    faults.push(say('option-choice', { option: '--scopes', known: [...scopes, scopes.join()].join(' | ') }));
  }
  const expires = options.get('expires');
  const end = expires === undefined ? undefined : readEnd(expires);
  if (expires !== undefined && end === undefined) faults.push(say('key-expires'));
  if (faults.length > 0) throw new UsageError(faults);
  return { name, scopes: scopes.filter((scope) => words.includes(scope)), expires: end };
}

const SUBCOMMANDS = {
  create: undefined,
  list: undefined,
  revoke: 'key-id',
  export: undefined,
  import: 'file-needed',
} as const;

/** @throws UsageError with a line for each fault, without the words themselves: one may be a key */
export function readKeyCommand(words: Words) {
  const [kind, operand] = readSubcommand(SUBCOMMANDS, 'create', words);
  return kind === 'create' ? { kind, ...readNewKey(words) } : { kind, operand };
}
