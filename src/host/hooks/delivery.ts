/** Delivers the changes of each hook's list in order, each until it has arrived, by one process at a time. */
import { randomUUID } from 'node:crypto';
import type { HookBatch, HookState, HookStore, StoredHook } from '../../store/clients.ts';
import type { Answer } from './attempt.ts';
import { type Changes, hasItems, NOW, type ReadChanges } from './changes.ts';

interface DeliveryOptions {
  readonly hooks: HookStore;
  readonly read: ReadChanges;
  readonly send: (hook: StoredHook, batch: HookBatch) => Promise<Answer>;
  /** Milliseconds of failures after which a hook is suspended. */
  readonly patience: number;
  readonly log: (level: 'info' | 'warn' | 'error', line: string) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Milliseconds for which a process has a hook: longer than an attempt takes. */
const LEASE = 60_000;
/** The most milliseconds before the second attempt, and before any. */
const [FIRST_WAIT, LONGEST_WAIT] = [10_000, 3_600_000];

export function createState(position: string, batch?: HookBatch): HookState {
  return { position, batch, failures: 0, next: 0, isSuspended: false };
}

/** @returns a batch, whose bytes stay the same however often it is sent */
export function createBatch(type: string, position: string, items: string, time: number): HookBatch {
  const head = JSON.stringify({ type, timestamp: new Date(time).toISOString(), position });
  return { id: `msg_${randomUUID()}`, body: `${head.slice(0, -1)},"data":${items}}`, position };
}

/** @returns what names a hook in the log: a path may contain a secret */
function describeHook({ id, url }: StoredHook): string {
  return `hook ${id} (${new URL(url).host})`;
}

/** @returns milliseconds until the next attempt: doubled each time, less up to a half at random, so that not all come at once */
function computeWait(failures: number, retryAfter = 0): number {
  const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures) * (1 - Math.random() / 2);
  return Math.max(wait, Math.min(retryAfter, LONGEST_WAIT));
}

export class Deliverer {
  readonly #options: DeliveryOptions;
  readonly #now: () => number;
  readonly #holder = randomUUID();
  readonly #deliveries = new Map<string, Promise<void>>();
  readonly #leasedIds = new Set<string>();
  #isClosed = false;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  async look(): Promise<void> {
    for (const hook of await this.#options.hooks.all()) {
      if (!this.#deliveries.has(hook.id)) this.#deliveries.set(hook.id, this.#deliver(hook));
    }
  }

  async settle(): Promise<void> {
    await Promise.all(this.#deliveries.values());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.settle();
    for (const id of this.#leasedIds) await this.#options.hooks.take(id, this.#holder, this.#now(), 0);
  }

  async #deliver(hook: StoredHook): Promise<void> {
    try {
      for (let next: StoredHook | undefined = hook; next; ) next = await this.#deliverNext(next);
    } catch (error) {
      this.#options.log('warn', `${describeHook(hook)}: ${(error as Error).message}`);
    } finally {
      this.#deliveries.delete(hook.id);
    }
  }

  async #deliverNext({ id, ...hook }: StoredHook): Promise<StoredHook | undefined> {
    const { hooks, read } = this.#options;
    const { state: knownState } = hook;
    if (this.#isClosed || knownState.isSuspended || knownState.next > this.#now()) return undefined;
    const changes = knownState.batch ? undefined : await read(hook, knownState.position);
    if (changes?.kind === 'changes' && !hasItems(changes)) return undefined;
    const current = await hooks.take(id, this.#holder, this.#now(), this.#now() + LEASE);
    if (!current) return undefined;
    this.#leasedIds.add(id);
    // Another process has been there meanwhile.
    if (current.state.position !== knownState.position || current.state.next !== knownState.next) return undefined;
    if (changes?.kind === 'refused') {
      await hooks.save(id, current.state, this.#fail(current, current.state, changes.fault));
      return undefined;
    }
    const batch = current.state.batch ?? (changes && (await this.#createBatch(current, changes)));
    if (!batch) return undefined;
    const state = { ...current.state, batch };
    if (!current.state.batch && !(await hooks.save(id, current.state, state))) return undefined;
    const nextState = await this.#attempt(current, state, batch);
    if (!nextState || !(await hooks.save(id, state, nextState))) return undefined;
    return nextState.failures === 0 ? { ...current, state: nextState } : undefined;
  }

  async #createBatch({ collection, ...hook }: StoredHook, changes: Changes): Promise<HookBatch | undefined> {
    if (changes.kind === 'changes') {
      return hasItems(changes)
        ? createBatch(`${collection}.changed`, changes.position, changes.items, this.#now())
        : undefined;
    }
    // The receiver has to read the whole list again.
    const start = await this.#options.read(hook, NOW);
    return start.kind === 'changes' ? createBatch(`${collection}.gone`, start.position, '[]', this.#now()) : undefined;
  }

  async #attempt(hook: StoredHook, state: HookState, batch: HookBatch): Promise<HookState | undefined> {
    const { send, log, hooks } = this.#options;
    try {
      const { status, retryAfter } = await send(hook, batch);
      if (status >= 200 && status < 300) {
        if (state.failures > 0) log('info', `${describeHook(hook)}: delivered again`);
        return createState(batch.position);
      }
      if (status !== 410) return this.#fail(hook, state, `HTTP ${status}`, retryAfter);
      log('warn', `${describeHook(hook)} is removed: HTTP 410`);
      await hooks.remove(hook.id);
      return undefined;
    } catch (error) {
      return this.#isClosed ? undefined : this.#fail(hook, state, (error as Error).message);
    }
  }

  #fail(hook: StoredHook, state: HookState, fault: string, retryAfter?: number): HookState {
    const { patience, log } = this.#options;
    const now = this.#now();
    const { failures, since = now } = state;
    const isSuspended = now - since >= patience;
    if (isSuspended) log('error', `${describeHook(hook)} is suspended: ${fault}; npm run hook -- resume ${hook.id}`);
    else if (failures === 0) log('warn', `${describeHook(hook)}: ${fault}; it is tried again`);
    const next = now + computeWait(failures, retryAfter);
    return { ...state, failures: failures + 1, since, fault, next, isSuspended };
  }
}
