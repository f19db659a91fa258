/** Adds, lists, tries, removes, exports and imports the addresses to which changes are sent. A new secret goes to standard output, messages to standard error. */
import { z } from 'zod';
import { catalogue } from '../../catalogue.ts';
import { createTrees } from '../../gateway/http/urls.ts';
import { createQueryReader } from '../../gateway/read/query/query.ts';
import { createId } from '../../host/access/keys.ts';
import { refuseHost } from '../../host/hooks/addresses.ts';
import { attempt, createSecret } from '../../host/hooks/attempt.ts';
import { createChangesReader, NOW } from '../../host/hooks/changes.ts';
import { createBatch, createState } from '../../host/hooks/delivery.ts';
import type { StoredHook } from '../../store/clients.ts';
import type { Store } from '../../store/store.ts';
import { UsageError } from '../commands/command-error.ts';
import { formatTable, importEntries } from '../commands/files.ts';
import { listPaths, readTargetList, writeQuery } from '../commands/language-choice.ts';
import {
  type CommandContext,
  checkDatabaseExists,
  DONE,
  FOUND,
  readSubcommand,
  runCommand,
  withStore,
} from '../commands/run.ts';

/** The subcommands, each with what a missing operand is answered with, if it takes one. */
const SUBCOMMANDS = {
  add: 'hook-url',
  list: undefined,
  remove: 'hook-id',
  test: 'hook-id',
  resume: 'hook-id',
  export: undefined,
  import: 'file-needed',
} as const;

/** @throws UsageError if hooks may not have the address */
function checkAddress(text: string, { config, say }: Pick<CommandContext, 'config' | 'say'>): void {
  const url = URL.parse(text);
  const schemes = config.HOOK_ADDRESSES === 'any' ? ['https:', 'http:'] : ['https:'];
  const isAllowed = url && schemes.includes(url.protocol) && url.username === '' && url.password === '';
  if (!isAllowed || (config.HOOK_ADDRESSES === 'public' && refuseHost(url))) throw new UsageError([say('hook-url')]);
}

/** @throws UsageError if the list has no such changes. @returns the position from which on a hook is sent changes */
async function findPosition(
  { catalogue, locales, config, say }: CommandContext,
  store: Store,
  hook: Pick<StoredHook, 'list' | 'language'>,
  from: string,
): Promise<string> {
  const result = await createChangesReader(catalogue, locales, config.DEFAULT_LANGUAGE, store)(hook, from);
  if (result.kind !== 'changes') throw new UsageError([result.kind === 'gone' ? say('hook-gone') : result.fault]);
  return from === NOW ? result.position : from;
}

/** @throws Problem, or UsageError, if the list has no such changes */
async function addHook(url: string, context: CommandContext, store: Store): Promise<number> {
  const { catalogue, language, languages, parameters, print, note, say } = context;
  const { collection, parents } = readTargetList(context);
  const word = language.parameters.word('changed_since');
  const filters = parameters.filter(([name]) => name !== word);
  const from = parameters.find(([name]) => name === word)?.[1] ?? NOW;
  const others = languages.filter((other) => other !== language);
  // Refuses what changes have not, such as an order.
  createQueryReader(language, others, collection)(writeQuery([...filters, [word, from]]));
  const path = createTrees(catalogue, [language])[0]?.paths(collection).list(parents) ?? '';
  const list = filters.length > 0 ? `${path}?${writeQuery(filters)}` : path;
  const hook = { list, language: language.tag, collection: collection.name, url: new URL(url).href };
  const state = createState(await findPosition(context, store, hook, from));
  const [id, secret] = [createId(), createSecret()];
  await store.hooks.add({ ...hook, id, secret, created: Date.now(), state });
  note(say('hook-made', { id, list }));
  print(secret);
  return DONE;
}

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

async function exportHooks({ print }: CommandContext, { hooks }: Store): Promise<number> {
  for (const { state: _, ...hook } of await hooks.all()) print(JSON.stringify(hook));
  return DONE;
}

async function importHooks(file: string, context: CommandContext, store: Store): Promise<number> {
  const make = async (hook: z.infer<typeof storedHook>): Promise<StoredHook> => {
    checkAddress(hook.url, context);
    return { ...hook, state: createState(await findPosition(context, store, hook, NOW)) };
  };
  await importEntries(file, storedHook, store.hooks, make, { ...context, command: 'npm run hook' });
  return DONE;
}

function describeState({ state }: StoredHook, say: CommandContext['say']): string {
  const { isSuspended, failures, fault = '', since = 0 } = state;
  if (failures === 0) return say('hook-on');
  const values = { failures, since: new Date(since).toISOString().replace(/\.\d+Z$/, 'Z'), fault };
  return say(isSuspended ? 'hook-suspended' : 'hook-failing', values);
}

async function listHooks({ say, print }: CommandContext, { hooks }: Store): Promise<number> {
  const all = await hooks.all();
  const rows = all.map((hook) => [hook.id, hook.url, hook.list, describeState(hook, say)]);
  for (const line of formatTable([say('hook-columns').split(' '), ...rows])) print(line);
  return all.some(({ state }) => state.isSuspended) ? FOUND : DONE;
}

async function testHook(
  { id, url, secret, state }: StoredHook,
  { say, note, config }: CommandContext,
): Promise<number> {
  const batch = createBatch('test', state.position, '[]', Date.now());
  const fault = await attempt({ url, secret }, batch, { reach: config.HOOK_ADDRESSES }).then(
    ({ status }) => (status >= 200 && status < 300 ? undefined : `HTTP ${status}`),
    ({ message }: Error) => message,
  );
  note(fault === undefined ? say('hook-answered', { id }) : say('hook-refused', { id, fault }));
  return fault === undefined ? DONE : FOUND;
}

async function resumeHook({ id, state }: StoredHook, { say, note }: CommandContext, { hooks }: Store): Promise<number> {
  const { position, batch } = state;
  const isResumed = await hooks.save(id, state, createState(position, batch));
  note(say(isResumed ? 'hook-resumed' : 'hook-busy', { id }));
  return isResumed ? DONE : FOUND;
}

async function runHookCommand(
  kind: keyof typeof SUBCOMMANDS,
  operand: string,
  context: CommandContext,
  store: Store,
): Promise<number> {
  if (kind === 'add') return addHook(operand, context, store);
  if (kind === 'list') return listHooks(context, store);
  if (kind === 'export') return exportHooks(context, store);
  if (kind === 'import') return importHooks(operand, context, store);
  const hook = (await store.hooks.all()).find(({ id }) => id === operand);
  if (!hook) {
    context.note(context.say('hook-unknown', { id: operand }));
    return FOUND;
  }
  if (kind === 'test') return testHook(hook, context);
  if (kind === 'resume') return resumeHook(hook, context, store);
  await store.hooks.remove(operand);
  context.note(context.say('hook-removed', { id: operand }));
  return DONE;
}

await runCommand(catalogue, {
  command: 'npm run hook',
  options: ['language', 'list'],
  repeatable: 'all',
  operands: [0, Number.POSITIVE_INFINITY],
  help: 'hook-help',
  helpValues: (all, language) => ({
    collections: listPaths(all, language).join(', '),
    changed_since: language.parameters.word('changed_since'),
  }),
  work: (context) => {
    const [kind, operand] = readSubcommand(SUBCOMMANDS, 'add', context);
    if (kind === 'add') checkAddress(operand, context);
    else if (kind !== 'import') checkDatabaseExists(context.config);
    return withStore(context, (store) => runHookCommand(kind, operand, context, store));
  },
});
