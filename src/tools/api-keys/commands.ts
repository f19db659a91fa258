import { z } from 'zod';
import { scopes } from '../../gateway/model/access.ts';
import type { CommandText } from '../../gateway/texts/shown-text.ts';
import { makeKey } from '../../host/access/api-key.ts';
import type { ApiKeyStore, StoredApiKey } from '../../store/clients.ts';
import { readJsonLines } from '../commands/json-lines.ts';
import { type CommandContext, DONE, FOUND } from '../commands/run.ts';
import { tableLines } from '../commands/table-lines.ts';
import type { KeyCommand } from './options.ts';

const dateOf = (time: number | undefined): string =>
  time === undefined ? '-' : new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');

const COLUMNS = [
  ['key-column-id', ({ id }) => id],
  ['key-column-scopes', ({ scopes }) => scopes.join(',')],
  ['key-column-created', ({ created }) => dateOf(created)],
  ['key-column-expires', ({ expires }) => dateOf(expires)],
  ['key-column-name', ({ name }) => name],
] as const satisfies readonly (readonly [heading: CommandText, of: (key: StoredApiKey) => string])[];

/** @returns a table, its columns in the same order in every language */
const linesOf = (keys: readonly StoredApiKey[], say: CommandContext['say']): readonly string[] =>
  tableLines([COLUMNS.map(([heading]) => say(heading)), ...keys.map((key) => COLUMNS.map(([, of]) => of(key)))]);

/** A key as it is exported: its hash, from which nobody can tell the key. */
const storedKey = z.strictObject({
  id: z.string().min(1),
  name: z.string(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  scopes: z.array(z.enum(scopes)),
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
export const runKeyCommand = async (
  command: KeyCommand,
  keys: ApiKeyStore,
  context: CommandContext,
): Promise<number> => {
  const { say, print, note } = context;
  if (command.kind === 'list') {
    for (const line of linesOf(await keys.all(), say)) print(line);
    return DONE;
  }
  if (command.kind === 'export') {
    for (const key of await keys.all()) print(JSON.stringify(key));
    return DONE;
  }
  if (command.kind === 'import') {
    await importKeys(command.file, keys, context);
    return DONE;
  }
  if (command.kind === 'create') {
    const { kind: _, ...wanted } = command;
    const { key, stored } = makeKey({ ...wanted, created: Date.now() });
    await keys.add(stored);
    note(say('key-made', { id: stored.id, name: stored.name }));
    print(key);
    return DONE;
  }
  const { id } = command;
  const isFound = await keys.remove(id);
  if (isFound) print(say('key-revoked', { id }));
  else note(say('key-unknown', { id }));
  return isFound ? DONE : FOUND;
};
