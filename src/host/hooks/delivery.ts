/** Delivers the changes of each hook's list in order, each until it has arrived, by one process at a time. */
import { randomUUID } from 'node:crypto';
import type { HookBatch, HookState, HookStore, StoredHook } from '../../store/clients.ts';
import type { Answer } from './attempt.ts';
import { type Changes, hasItems, NOW, type ReadChanges } from './changes.ts';

export type Report = (level: 'info' | 'warn' | 'error', line: string) => void;

interface DeliveryOptions {
  readonly hooks: HookStore;
  readonly read: ReadChanges;
  readonly send: (hook: StoredHook, batch: HookBatch) => Promise<Answer>;
  /** Milliseconds of failures after which a hook is suspended. */
  readonly patience: number;
  readonly report: Report;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Milliseconds for which a hook is had: longer than a try takes. */
const LEASE = 60_000;
/** The most milliseconds before the second try, and before any. */
const [FIRST_WAIT, LONGEST_WAIT] = [10_000, 3_600_000];

/** @returns what is sent, whose bytes stay the same however often that is */
export const newBatch = (type: string, position: string, items: string, time: number): HookBatch => {
  const head = JSON.stringify({ type, timestamp: new Date(time).toISOString(), position });
  return { id: `msg_${randomUUID()}`, body: `${head.slice(0, -1)},"data":${items}}`, position };
};

/** What names a hook in the log: a path may contain a secret. */
const nameOf = ({ id, url }: StoredHook): string => `hook ${id} (${new URL(url).host})`;

/** Milliseconds until the next try: doubled each time, less up to a half at random, so that not all come at once. */
const waitAfter = (failures: number, retryAfter = 0): number => {
  const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures) * (1 - Math.random() / 2);
  return Math.max(wait, Math.min(retryAfter, LONGEST_WAIT));
};

export const deliverer = ({ hooks, read, send, patience, report, now = Date.now }: DeliveryOptions) => {
  const holder = randomUUID();
  const busy = new Map<string, Promise<void>>();
  const held = new Set<string>();
  let isClosed = false;

  /** What comes next, frozen with what it says. @returns `undefined` where nothing does */
  const nextBatch = async ({ collection, ...hook }: StoredHook, found: Changes): Promise<HookBatch | undefined> => {
    if (found.kind === 'told') {
      return hasItems(found) ? newBatch(`${collection}.changed`, found.position, found.items, now()) : undefined;
    }
    // Whoever gets it reads the whole list anew.
    const start = await read(hook, NOW);
    return start.kind === 'told' ? newBatch(`${collection}.gone`, start.position, '[]', now()) : undefined;
  };
  const failed = (hook: StoredHook, state: HookState, fault: string, retryAfter?: number): HookState => {
    const { failures, since = now() } = state;
    const isSuspended = now() - since >= patience;
    if (isSuspended) report('error', `${nameOf(hook)} is suspended: ${fault}; npm run hook -- resume ${hook.id}`);
    else if (failures === 0) report('warn', `${nameOf(hook)}: ${fault}; it is tried again`);
    const next = now() + waitAfter(failures, retryAfter);
    return { ...state, failures: failures + 1, since, fault, next, isSuspended };
  };
  /** Tries once. @returns the state after it; `undefined` where the hook is no more, or this process ends */
  const tried = async (hook: StoredHook, state: HookState, batch: HookBatch): Promise<HookState | undefined> => {
    try {
      const { status, retryAfter } = await send(hook, batch);
      if (status >= 200 && status < 300) {
        if (state.failures > 0) report('info', `${nameOf(hook)}: delivered again`);
        return { position: batch.position, failures: 0, next: 0, isSuspended: false };
      }
      if (status !== 410) return failed(hook, state, `HTTP ${status}`, retryAfter);
      report('warn', `${nameOf(hook)} is removed: HTTP 410`);
      await hooks.remove(hook.id);
      return undefined;
    } catch (error) {
      return isClosed ? undefined : failed(hook, state, (error as Error).message);
    }
  };
  /** @returns the hook after a delivery, or `undefined` where nothing more is to be done now */
  const deliverNext = async (hook: StoredHook): Promise<StoredHook | undefined> => {
    const { id, state: known } = hook;
    if (isClosed || known.isSuspended || known.next > now()) return undefined;
    const found = known.batch ? undefined : await read(hook, known.position);
    if (found?.kind === 'told' && !hasItems(found)) return undefined;
    const current = await hooks.take(id, holder, now(), now() + LEASE);
    if (!current) return undefined;
    held.add(id);
    // Another process has been there meanwhile.
    if (current.state.position !== known.position || current.state.next !== known.next) return undefined;
    if (found?.kind === 'refused') {
      await hooks.save(id, current.state, failed(current, current.state, found.fault));
      return undefined;
    }
    const batch = current.state.batch ?? (found && (await nextBatch(current, found)));
    if (!batch) return undefined;
    const state = { ...current.state, batch };
    if (!current.state.batch && !(await hooks.save(id, current.state, state))) return undefined;
    const after = await tried(current, state, batch);
    if (!after || !(await hooks.save(id, state, after))) return undefined;
    return after.failures === 0 ? { ...current, state: after } : undefined;
  };
  const deliver = async (hook: StoredHook): Promise<void> => {
    try {
      for (let next: StoredHook | undefined = hook; next; ) next = await deliverNext(next);
    } catch (error) {
      report('warn', `${nameOf(hook)}: ${(error as Error).message}`);
    } finally {
      busy.delete(hook.id);
    }
  };
  const settled = async (): Promise<void> => void (await Promise.all(busy.values()));
  return {
    /** Begins to deliver what there is. */
    look: async (): Promise<void> => {
      for (const hook of await hooks.all()) {
        if (!busy.has(hook.id)) busy.set(hook.id, deliver(hook));
      }
    },
    /** Resolves once all that was begun is done. */
    settled,
    /** Begins no more tries; lets others have the hooks. */
    close: async (): Promise<void> => {
      isClosed = true;
      await settled();
      for (const id of held) await hooks.take(id, holder, now(), 0);
    },
  };
};
