/** Runs in a thread of its own, with its own connection: neither receivers nor locks hold up requests. */
import { workerData } from 'node:worker_threads';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { sendNews, serve } from '../../store/sqlite/thread.ts';
import { attempt } from '../hooks/attempt.ts';
import { changesReader } from '../hooks/changes.ts';
import { deliverer, type Report } from '../hooks/delivery.ts';
import { readConfig } from '../settings/config.ts';
import { localesOf } from '../tables/load.ts';
import { openStoreOf } from './open-store.ts';

/** What the thread tells beside its answers: a line for the log. */
export interface HookNews {
  readonly level: 'info' | 'warn' | 'error';
  readonly line: string;
}

/** Milliseconds between two looks for changes. */
const EVERY = 1_000;
/** Connections to a server: one reads, one writes. */
const POOL = 2;

let last = '';
/** What happens again and again is told once. */
const report: Report = (level, line) => {
  if (line !== last) sendNews<HookNews>({ level, line });
  last = line;
};

const begin = async () => {
  const catalogue = workerData as Catalogue;
  const config = readConfig();
  const locales = localesOf(catalogue, config);
  const store = await openStoreOf(config, catalogue, { pool: POOL, report: (line) => report('warn', line) });
  const closing = new AbortController();
  const reach = config.HOOK_ADDRESSES;
  const delivery = deliverer({
    hooks: store.hooks,
    read: changesReader(catalogue, locales, config.DEFAULT_LANGUAGE, store),
    send: (hook, batch) => attempt(hook, batch, { reach, signal: closing.signal }),
    patience: config.CHANGES_TTL * 1_000,
    report,
  });
  const look = (): void => void delivery.look().catch((error: Error) => report('warn', `hooks: ${error.message}`));
  const timer = setInterval(look, EVERY);
  look();
  return async (): Promise<void> => {
    clearInterval(timer);
    const closed = delivery.close();
    closing.abort();
    await closed;
    await store.close();
  };
};

let running: ReturnType<typeof begin> | undefined;

const services = {
  run: async (): Promise<void> => {
    running ??= begin();
    try {
      await running;
    } catch (error) {
      running = undefined;
      throw error;
    }
  },
};
export type HookServices = typeof services;

serve(services, async () => {
  const end = await running;
  await end?.();
});
