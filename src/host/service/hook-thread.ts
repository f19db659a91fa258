import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { Thread } from '../../store/sqlite/thread.ts';
import type { Store } from '../../store/store.ts';
import { finishWithin } from '../../util/finish-within.ts';
import type { Log } from '../log/log.ts';
import type { Config } from '../settings/config.ts';
import { isInMemory } from '../settings/database-url.ts';
import type { HookNews, HookServices } from './hook-worker.ts';

/** Milliseconds between two looks whether there are hooks, and whether their thread runs. */
const EVERY = 2_000;

/** Milliseconds in which a thread must end; by then whatever it waits for has been called off. */
const CLOSING = 2_000;

const WORKER = new URL('./hook-worker.ts', import.meta.url);

/**
 * Has a thread deliver to hooks as soon as there are any. A database in memory has none: no other connection can read it.
 *
 * @param worker is the file of the thread
 * @returns `restart` takes up changed settings; `stop` ends all tries
 */
export const startHooks = (
  { hooks }: Pick<Store, 'hooks'>,
  catalogue: Catalogue,
  { DATABASE_URL }: Pick<Config, 'DATABASE_URL'>,
  log: Pick<Log, 'info' | 'warn' | 'error'>,
  worker = WORKER,
): { readonly restart: () => Promise<void>; readonly stop: () => Promise<void> } => {
  const newThread = () =>
    new Thread<HookServices, HookNews>(worker, { workerData: catalogue }, ({ level, line }) => log[level](line));
  let thread = newThread();
  let fault: string | undefined;
  const look = async (): Promise<void> => {
    try {
      if ((await hooks.count()) > 0) await thread.ask('run', []);
      fault = undefined;
    } catch (error) {
      const { message } = error as Error;
      if (message !== fault) log.warn('hooks are not delivered', error);
      fault = message;
    }
  };
  const timer = isInMemory(DATABASE_URL) ? undefined : setInterval(() => void look(), EVERY).unref();
  const end = async (ended: typeof thread): Promise<void> => {
    if (await finishWithin(ended.close(), CLOSING)) return;
    log.warn('the thread that delivers to hooks has not ended in time');
    await ended.terminate();
  };
  return {
    restart: async () => {
      const before = thread;
      // Hooks that the one before it still has are delivered to once it has ended.
      thread = newThread();
      await end(before);
    },
    stop: async () => {
      clearInterval(timer);
      await end(thread);
    },
  };
};
