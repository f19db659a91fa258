import { parseArgs } from 'node:util';
import { z } from 'zod';
import { idIn } from '../access/key.ts';
import { ConfigError } from '../config.ts';
import { isScope, type Scope, scopes } from '../model/access.ts';

export type Command =
  | {
      readonly kind: 'create';
      readonly name: string;
      readonly scopes: readonly Scope[];
      /** Milliseconds since 1970. */
      readonly expires: number | undefined;
    }
  | { readonly kind: 'list' }
  | { readonly kind: 'revoke'; readonly id: string };

export const USAGE = `npm run key -- create --name <text> [--scopes read,write] [--expires <date>]
npm run key -- list
npm run key -- revoke <id>

Keys of clients, in the database that DATABASE_URL names. A service that runs follows within a second.

  --name     what people call the key
  --scopes   read, write or both, separated by a comma; by default read
  --expires  the last day of the key (2030-12-31, UTC) or the moment of its end (2030-12-31T12:00:00Z); by default it has none
  <id>       as "list" shows it; the key itself will do, too
`;

const HELP = 'npm run key -- --help tells what there is';

const DAY = 86_400_000;
const LONGEST_NAME = 100;

/** @returns the moment of a key's end; `undefined` where the text is no date, or one that has passed */
const endOf = (text: string): number | undefined => {
  const isDay = z.iso.date().safeParse(text).success;
  if (!isDay && !z.iso.datetime({ offset: true }).safeParse(text).success) return undefined;
  const time = Date.parse(text) + (isDay ? DAY : 0);
  return time > Date.now() ? time : undefined;
};

type Values = Readonly<Record<string, string | boolean | undefined>>;

const readCreate = ({ name = '', scopes: listed = 'read', expires }: Values): Command => {
  const wanted = String(listed).split(',');
  const known = wanted.filter(isScope);
  const end = expires === undefined ? undefined : endOf(String(expires));
  const label = typeof name === 'string' ? name.trim() : '';
  const faults = [
    ...(/^[^\p{Cc}]+$/u.test(label) && label.length <= LONGEST_NAME
      ? []
      : [`--name: must be a text of at most ${LONGEST_NAME} characters`]),
    ...(known.length === wanted.length ? [] : [`--scopes: must be ${scopes.join(' or ')}, or both with a comma`]),
    ...(expires === undefined || end !== undefined ? [] : ['--expires: must be a date to come, such as 2030-12-31']),
  ];
  if (faults.length > 0) throw new ConfigError([...faults, HELP]);
  return { kind: 'create', name: label, scopes: scopes.filter((scope) => known.includes(scope)), expires: end };
};

const OPTIONS = { name: { type: 'string' }, scopes: { type: 'string' }, expires: { type: 'string' } } as const;

/** Which options each command has, and how many words follow it. */
const COMMANDS: Readonly<Record<Command['kind'], { readonly options: readonly string[]; readonly words: number }>> = {
  create: { options: Object.keys(OPTIONS), words: 0 },
  list: { options: [], words: 0 },
  revoke: { options: [], words: 1 },
};

const isCommand = (text: string | undefined): text is Command['kind'] =>
  text !== undefined && Object.hasOwn(COMMANDS, text);

/**
 * @param args what follows the program on its command line
 * @returns what is to be done, or `undefined` where help is asked for
 * @throws ConfigError with a line for each that is at fault; a key among them is not told
 */
export const readCommand = (args: readonly string[]): Command | undefined => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { ...OPTIONS, help: { type: 'boolean' } },
    strict: false,
    allowPositionals: true,
  });
  if (values.help !== undefined) return undefined;
  const [kind, ...words] = positionals;
  if (!isCommand(kind)) throw new ConfigError([`the command must be ${Object.keys(COMMANDS).join(', ')}`, HELP]);
  const { options, words: count } = COMMANDS[kind];
  const others = Object.keys(values).filter((name) => !options.includes(name));
  if (others.length > 0)
    throw new ConfigError([...others.map((name) => `--${name}: is not an option of ${kind}`), HELP]);
  if (words.length !== count)
    throw new ConfigError([`${kind}: ${count === 0 ? 'takes no word' : 'needs one <id>'}`, HELP]);
  if (kind === 'create') return readCreate(values as Values);
  const [id = ''] = words;
  return kind === 'list' ? { kind } : { kind, id: idIn(id) ?? id };
};
