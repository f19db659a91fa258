import { z } from 'zod';
import { isScope, type Scope, scopes } from '../../gateway/model/access.ts';
import { keyIdIn } from '../../host/access/api-key.ts';
import { UsageError } from '../commands/command-error.ts';
import type { CommandContext } from '../commands/run.ts';

export type KeyCommand =
  | {
      readonly kind: 'create';
      readonly name: string;
      readonly scopes: readonly Scope[];
      /** Milliseconds since 1970. */
      readonly expires: number | undefined;
    }
  | { readonly kind: 'list' }
  | { readonly kind: 'export' }
  | { readonly kind: 'import'; readonly file: string }
  | { readonly kind: 'revoke'; readonly id: string };

const DAY = 86_400_000;
const LONGEST_NAME = 100;

/** @returns when a key expires; `undefined` where the text is not a date, or is one in the past */
const endOf = (text: string): number | undefined => {
  const isDay = z.iso.date().safeParse(text).success;
  if (!isDay && !z.iso.datetime({ offset: true }).safeParse(text).success) return undefined;
  const time = Date.parse(text) + (isDay ? DAY : 0);
  return time > Date.now() ? time : undefined;
};

/** Those of `create`; the others have none. */
export const KEY_OPTIONS = ['name', 'scopes', 'expires'];

type Words = Pick<CommandContext, 'operands' | 'options' | 'say'>;

const readCreate = ({ options, say }: Words): KeyCommand => {
  const wanted = (options.get('scopes') ?? 'read').split(',');
  const known = wanted.filter(isScope);
  const expires = options.get('expires');
  const end = expires === undefined ? undefined : endOf(expires);
  const sent = options.get('name');
  const name = sent?.trim() ?? '';
  const isNamed = /^[^\p{Cc}]+$/u.test(name) && name.length <= LONGEST_NAME;
  const nameFault =
    sent === undefined ? say('option-needed', { option: '--name' }) : say('key-name', { most: LONGEST_NAME });
  const areScopes = known.length === wanted.length;
  const faults = [
    ...(isNamed ? [] : [nameFault]),
    ...(areScopes ? [] : [say('option-choice', { option: '--scopes', known: [...scopes, scopes.join()].join(' | ') })]),
    ...(expires === undefined || end !== undefined ? [] : [say('key-expires')]),
  ];
  if (faults.length > 0) throw new UsageError(faults);
  return { kind: 'create', name, scopes: scopes.filter((scope) => known.includes(scope)), expires: end };
};

/** How many words follow each command. */
const COMMANDS: Readonly<Record<KeyCommand['kind'], number>> = { create: 0, list: 0, revoke: 1, export: 0, import: 1 };

const isCommand = (text: string | undefined): text is KeyCommand['kind'] =>
  text !== undefined && Object.hasOwn(COMMANDS, text);

/**
 * @returns the command
 * @throws UsageError with a line for each fault, without the words themselves: one may be a key
 */
export const readCommand = (words: Words): KeyCommand => {
  const { operands, options, say } = words;
  const [kind, ...rest] = operands;
  if (!isCommand(kind)) throw new UsageError([say('key-command', { known: Object.keys(COMMANDS).join(', ') })]);
  const others = kind === 'create' ? [] : KEY_OPTIONS.filter((name) => options.has(name));
  const faults = [
    ...others.map((name) => say('option-unknown', { option: `--${name}` })),
    ...(rest.length === COMMANDS[kind]
      ? []
      : [
          COMMANDS[kind] > 0
            ? say(kind === 'revoke' ? 'key-id' : 'file-needed')
            : say('operand-unneeded', { command: kind }),
        ]),
  ];
  if (faults.length > 0) throw new UsageError(faults);
  if (kind === 'create') return readCreate(words);
  const [operand = ''] = rest;
  if (kind === 'revoke') return { kind, id: keyIdIn(operand) ?? operand };
  return kind === 'import' ? { kind, file: operand } : { kind };
};
