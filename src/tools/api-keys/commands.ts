import { z } from 'zod';
import { isScope, scopes } from '../../gateway/model/access.ts';
import { findKeyId, makeKey } from '../../host/access/keys.ts';
import type { ApiKeyStore, StoredApiKey } from '../../store/clients.ts';
import { UsageError } from '../commands/command-error.ts';
import { formatTable, importEntries } from '../commands/files.ts';
import { type CommandContext, DONE, FOUND, readSubcommand } from '../commands/run.ts';

function writeTime(time: number | undefined): string {
  return time === undefined ? '-' : new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** A key as it is exported: its hash, from which nobody can tell the key. */
const storedKey = z.strictObject({
  id: z.string().regex(/^[0-9A-Za-z]{10}$/),
  name: z.string(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  scopes: z.array(z.enum(scopes)).min(1),
  created: z.int(),
  expires: z.int().optional(),
});

export async function runKeyCommand(
  command: ReturnType<typeof readKeyCommand>,
  keys: ApiKeyStore,
  context: CommandContext,
): Promise<number> {
  const { say, print, note } = context;
  if (command.kind === 'create') {
    const { kind: _, ...wanted } = command;
    const { key, stored } = makeKey({ ...wanted, created: Date.now() });
    await keys.add(stored);
    note(say('key-made', { id: stored.id, name: stored.name }));
    print(key);
  } else if (command.kind === 'list') {
    const rows = (await keys.all()).map((key) => {
      const times = [key.created, key.expires].map(writeTime);
      return [key.id, key.scopes.join(','), ...times, key.name];
    });
    for (const line of formatTable([say('key-columns').split(' '), ...rows])) print(line);
  } else if (command.kind === 'export') {
    for (const key of await keys.all()) print(JSON.stringify(key));
  } else if (command.kind === 'import') {
    const make = ({ expires, ...key }: z.infer<typeof storedKey>) => ({ ...key, expires });
    await importEntries(command.operand, storedKey, keys, make, { ...context, command: 'npm run key' });
  } else {
    const id = findKeyId(command.operand) ?? command.operand;
    if (!(await keys.remove(id))) {
      note(say('key-unknown', { id }));
      return FOUND;
    }
    print(say('key-revoked', { id }));
  }
  return DONE;
}

const DAY = 86_400_000;
const LONGEST_NAME = 100;

export const KEY_OPTIONS = ['name', 'scopes', 'expires'];

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

/** @throws UsageError with a line for each fault, without the words themselves: one may be a key */
export function readKeyCommand(words: Words) {
  const operands = {
    create: undefined,
    list: undefined,
    revoke: 'key-id',
    export: undefined,
    import: 'file-needed',
  } as const;
  const [kind, operand] = readSubcommand(operands, 'create', words);
  return kind === 'create' ? { kind, ...readNewKey(words) } : { kind, operand };
}
