import { z } from 'zod';
import { treesOf } from '../../gateway/http/urls.ts';
import { queryReader } from '../../gateway/read/query/query.ts';
import { newId } from '../../host/access/api-key.ts';
import { attempt, newSecret } from '../../host/hooks/attempt.ts';
import { changesReader, NOW } from '../../host/hooks/changes.ts';
import { newBatch } from '../../host/hooks/delivery.ts';
import type { HookState, StoredHook } from '../../store/clients.ts';
import type { Store } from '../../store/store.ts';
import { UsageError } from '../commands/command-error.ts';
import { readJsonLines } from '../commands/json-lines.ts';
import { readTargetList, writeQuery } from '../commands/list-path.ts';
import { type CommandContext, DONE, FOUND } from '../commands/run.ts';
import { tableLines } from '../commands/table-lines.ts';
import { addressIn, type HookCommand } from './options.ts';

/** Of a hook of which no try has failed. */
const fresh = (position: string): HookState => ({ position, failures: 0, next: 0, isSuspended: false });

/** @throws Problem, or UsageError, where the list has no such changes */
const add = async (url: string, context: CommandContext, store: Store): Promise<number> => {
  const { catalogue, config, language, languages, locales, parameters, print, note, say } = context;
  const { collection, parents } = readTargetList(context);
  const word = language.parameters.word('changed_since');
  const filters = parameters.filter(([name]) => name !== word);
  const from = parameters.find(([name]) => name === word)?.[1] ?? NOW;
  const others = languages.filter((each) => each !== language);
  // Refuses what changes have not, such as an order.
  queryReader(language, others, collection)(writeQuery([...filters, [word, from]]));
  const path = treesOf(catalogue, [language])[0]?.paths(collection).list(parents) ?? '';
  const list = filters.length > 0 ? `${path}?${writeQuery(filters)}` : path;
  const hook = { list, language: language.tag };
  const found = await changesReader(catalogue, locales, config.DEFAULT_LANGUAGE, store)(hook, from);
  if (found.kind !== 'told') throw new UsageError([found.kind === 'gone' ? say('hook-gone') : found.fault]);
  const [id, secret] = [newId(), newSecret()];
  const state = fresh(from === NOW ? found.position : from);
  await store.hooks.add({ ...hook, id, url, collection: collection.name, secret, created: Date.now(), state });
  note(say('hook-made', { id, list }));
  print(secret);
  return DONE;
};

/** A hook as it is exported, with the secret that signs; how far it has come is not, because changes have other numbers elsewhere. */
const storedHook = z.strictObject({
  id: z.string().min(1),
  url: z.string(),
  list: z.string(),
  language: z.string(),
  collection: z.string(),
  secret: z.string(),
  created: z.int(),
});

const exportHooks = async ({ print }: CommandContext, { hooks }: Store): Promise<number> => {
  for (const { state: _, ...hook } of await hooks.all()) print(JSON.stringify(hook));
  return DONE;
};

/** Adds the hooks of another database, but those that are there already. They tell of what changes from now on. */
const importHooks = async (file: string, context: CommandContext, store: Store): Promise<number> => {
  const { catalogue, config, locales, say, print } = context;
  const known = new Set((await store.hooks.all()).map(({ id }) => id));
  const all = readJsonLines(file, storedHook, 'npm run hook');
  const read = changesReader(catalogue, locales, config.DEFAULT_LANGUAGE, store);
  const added: StoredHook[] = [];
  for (const hook of all.filter(({ id }) => !known.has(id))) {
    if (addressIn(hook.url, config.HOOK_ADDRESSES) === undefined) throw new UsageError([say('hook-url')]);
    const found = await read(hook, NOW);
    if (found.kind !== 'told') throw new UsageError([found.kind === 'gone' ? say('hook-gone') : found.fault]);
    added.push({ ...hook, state: fresh(found.position) });
  }
  for (const hook of added) await store.hooks.add(hook);
  print(say('entries-imported', { added: added.length, present: all.length - added.length }));
  return DONE;
};

const stateOf = ({ state }: StoredHook, say: CommandContext['say']): string => {
  const { isSuspended, failures, fault = '', since = 0 } = state;
  if (failures === 0) return say('hook-on');
  const values = { failures, since: new Date(since).toISOString().replace(/\.\d+Z$/, 'Z'), fault };
  return say(isSuspended ? 'hook-suspended' : 'hook-failing', values);
};

/** @returns that one is suspended, by the exit code */
const list = async ({ say, print }: CommandContext, { hooks }: Store): Promise<number> => {
  const all = await hooks.all();
  const heads = (['hook-column-id', 'hook-column-url', 'hook-column-list', 'hook-column-state'] as const).map((each) =>
    say(each),
  );
  const rows = all.map((hook) => [hook.id, hook.url, hook.list, stateOf(hook, say)]);
  for (const line of tableLines([heads, ...rows])) print(line);
  return all.some(({ state }) => state.isSuspended) ? FOUND : DONE;
};

/** Sends an empty batch, whatever else waits. */
const test = async (hook: StoredHook, { say, note, config }: CommandContext): Promise<number> => {
  const batch = newBatch('test', hook.state.position, '[]', Date.now());
  const fault = await attempt(hook, batch, { reach: config.HOOK_ADDRESSES }).then(
    ({ status }) => (status >= 200 && status < 300 ? undefined : `HTTP ${status}`),
    ({ message }: Error) => message,
  );
  note(fault === undefined ? say('hook-answered', { id: hook.id }) : say('hook-refused', { id: hook.id, fault }));
  return fault === undefined ? DONE : FOUND;
};

/** Has a suspended hook tried at once, or one that waits for its next try. */
const resume = async ({ id, state }: StoredHook, { say, note }: CommandContext, { hooks }: Store): Promise<number> => {
  const { position, batch } = state;
  const isResumed = await hooks.save(id, state, { ...fresh(position), batch });
  note(say(isResumed ? 'hook-resumed' : 'hook-busy', { id }));
  return isResumed ? DONE : FOUND;
};

const remove = async ({ id }: StoredHook, { say, note }: CommandContext, { hooks }: Store): Promise<number> => {
  await hooks.remove(id);
  note(say('hook-removed', { id }));
  return DONE;
};

const ofOne = { test, resume, remove } as const;

/** Carries out what was typed. @returns the exit code */
export const runHookCommand = async (command: HookCommand, context: CommandContext, store: Store): Promise<number> => {
  if (command.kind === 'add') return add(command.url, context, store);
  if (command.kind === 'list') return list(context, store);
  if (command.kind === 'export') return exportHooks(context, store);
  if (command.kind === 'import') return importHooks(command.file, context, store);
  const hook = (await store.hooks.all()).find(({ id }) => id === command.id);
  if (hook) return ofOne[command.kind](hook, context, store);
  context.note(context.say('hook-unknown', { id: command.id }));
  return FOUND;
};
