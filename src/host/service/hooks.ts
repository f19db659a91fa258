import type { Locale } from '../../gateway/locale/table.ts';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import type { Store } from '../../store/store.ts';
import { nameCommands } from '../../util/calls.ts';
import type { Deliverer } from '../hooks/delivery.ts';
import type { Log } from '../log/log.ts';
import type { Config } from '../settings/config.ts';

/** Milliseconds between two looks for changes. */
const EVERY = 1_000;

export function startHooks(
  store: Store,
  catalogue: Catalogue,
  locales: readonly Locale[],
  { HOOK_ADDRESSES: reach, CHANGES_TTL, DEFAULT_LANGUAGE }: Config,
  log: Log,
): () => Promise<void> {
  const closing = new AbortController();
  let lastLine = '';
  const logOnce = (level: 'info' | 'warn' | 'error', line: string): void => {
    if (line !== lastLine) log[level](nameCommands(line));
    lastLine = line;
  };
  const createDeliverer = async (): Promise<Deliverer> => {
    // They are loaded here, because most services have no hooks.
    const [{ attempt }, { createChangesReader }, { Deliverer }] = await Promise.all([
      import('../hooks/attempt.ts'),
      import('../hooks/changes.ts'),
      import('../hooks/delivery.ts'),
    ]);
    return new Deliverer({
      hooks: store.hooks,
      read: createChangesReader(catalogue, locales, DEFAULT_LANGUAGE, store),
      send: (hook, batch) => attempt(hook, batch, { reach, signal: closing.signal }),
      patience: CHANGES_TTL * 1_000,
      log: logOnce,
    });
  };
  let deliverer: Promise<Deliverer> | undefined;
  const look = async (): Promise<void> => {
    try {
      if ((await store.hooks.count()) === 0) return;
      deliverer ??= createDeliverer();
      await (await deliverer).look();
    } catch (error) {
      logOnce('warn', `hooks are not delivered: ${(error as Error).message}`);
    }
  };
  const timer = setInterval(() => void look(), EVERY).unref();
  return async () => {
    clearInterval(timer);
    const ending = (await deliverer)?.close();
    closing.abort();
    await ending;
  };
}
