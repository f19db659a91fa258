import { z } from 'zod';
import { scopes } from '../../gateway/model/access.ts';
import { findKeyId, makeKey } from '../../host/access/keys.ts';
import type { ApiKeyStore, StoredApiKey } from '../../store/clients.ts';
import { readJsonLines } from '../commands/json-lines.ts';
import { type CommandContext, DONE, FOUND } from '../commands/run.ts';
import { tableLines } from '../commands/table-lines.ts';
import type { readKeyCommand } from './new-key.ts';

function writeTime(time: number | undefined): string {
  return time === undefined ? '-' : new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

const COLUMNS = [
  'key-column-id',
  'key-column-scopes',
  'key-column-created',
  'key-column-expires',
  'key-column-name',
] as const;

/** @returns a table, its columns in the same order in every language */
function listKeys(keys: readonly StoredApiKey[], say: CommandContext['say']): readonly string[] {
  const rows = keys.map(({ id, scopes, created, expires, name }) => [
    id,
    scopes.join(','),
    writeTime(created),
    writeTime(expires),
    name,
  ]);
  return tableLines([COLUMNS.map((text) => say(text)), ...rows]);
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

/** Adds the keys of another database, but those that are there already, so that it can be run again. */
async function importKeys(file: string, keys: ApiKeyStore, { say, print }: CommandContext): Promise<void> {
  const known = new Set((await keys.all()).map(({ id }) => id));
  const all = readJsonLines(file, storedKey, 'npm run key');
  const missing = all.filter(({ id }) => !known.has(id));
  for (const { expires, ...key } of missing) await keys.add({ ...key, expires });
  print(say('entries-imported', { added: missing.length, present: all.length - missing.length }));
}

/** Carries out what was typed. @returns the exit code */
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
    for (const line of listKeys(await keys.all(), say)) print(line);
  } else if (command.kind === 'export') {
    for (const key of await keys.all()) print(JSON.stringify(key));
  } else if (command.kind === 'import') {
    await importKeys(command.operand, keys, context);
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
