import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { Intent, Outcome } from '../gateway/port/port.ts';
import { Unavailable, unavailable } from '../gateway/port/unavailable.ts';
import type { MaybePromise } from '../util/maybe-promise.ts';
import { throttled } from '../util/throttled.ts';
import type { CommonOptions } from './store.ts';

/** The result of one intent: its outcome, or why it alone failed. */
type Settled = Outcome | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Commits intents together, in order: all of them or, where it throws, none, unless `Unavailable` says that this is not known.
 *
 * @param patience whole milliseconds after which it gives up the lock, where it waits for it
 * @returns `undefined`, with nothing written, where another process holds the lock
 */
export type Commit = (intents: readonly Intent[], patience: number) => MaybePromise<readonly Outcome[] | undefined>;

interface Waiting {
  readonly intent: Intent;
  readonly since: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Work that is done between two commits. */
interface Job {
  readonly since: number;
  /** Resolves to whether it is over; it is not where another process holds the lock. */
  readonly run: () => Promise<boolean>;
  readonly reject: (error: unknown) => void;
}

/** Milliseconds that a commit may end later than its limit; then nobody knows its outcome. */
const GRACE_MS = 500;
/** The most intents in one transaction, which then takes about 10 ms. */
const BATCH = 256;
/** Writers told in one turn of the event loop: their responses take half a millisecond, and reads go between two turns. */
const TOLD = 8;
/** The pause between two attempts to lock, and the age that no write reaches without an outcome. */
const RETRY_MS = 10;
const GIVE_UP_MS = 5_000;
/** Milliseconds after which work between commits is given up because another process holds the lock: an import takes its time. */
const JOB_GIVE_UP_MS = 120_000;

interface QueueOptions extends Pick<CommonOptions, 'onCommit'> {
  /** Milliseconds that a write waits at the most. */
  readonly giveUp?: number;
}

const LOCKED = 'the database is locked';

const settle = ([{ resolve, reject }, settled]: readonly [Waiting, Settled | undefined]): void => {
  if (settled === undefined || settled.kind === 'failed') reject(settled?.error ?? new Error('no outcome'));
  else resolve(settled);
};

/**
 * Group commit: the writes that arrive in one turn of the event loop, or during a commit, become one transaction, because
 * a durable commit costs one flush to the disk however many writes are in it. Nothing blocks on a lock: a timer tries again.
 *
 * @param commit writes a batch; never called again before it is done
 */
export const commitQueue = (commit: Commit, { giveUp = GIVE_UP_MS, onCommit }: QueueOptions = {}) => {
  /** Milliseconds between two looks for writes that are too old. */
  const step = giveUp / 20;
  /** The age from which on no commit of a write is begun. */
  const lastBegin = giveUp - 2 * step;
  let waiting: Waiting[] = [];
  const jobs: Job[] = [];
  let committing: readonly Waiting[] = [];
  let running: Promise<void> | undefined;
  let isClosed = false;
  const tell = throttled(TOLD, settle);

  const rejectOlder = (age: number, why: string): void => {
    const now = performance.now();
    const late = committing.filter(({ since }) => now - since >= giveUp + GRACE_MS);
    const { old = [], young = [] } = Object.groupBy(waiting, ({ since }) => (now - since >= age ? 'old' : 'young'));
    waiting = young;
    for (const { reject } of [...late, ...old]) reject(unavailable(new Error(why)));
  };
  /** Where one intent fails, which only a fault in the program can cause, each of its batch is committed by itself. */
  const settledOf = async (intents: readonly Intent[], patience: number): Promise<readonly Settled[] | undefined> => {
    try {
      return await commit(intents, patience);
    } catch (error) {
      if (error instanceof Unavailable || intents.length === 1) return intents.map(() => ({ kind: 'failed', error }));
      const settled: Settled[] = [];
      for (const intent of intents) {
        const [alone = { kind: 'failed', error: unavailable(new Error(LOCKED)) }] =
          (await settledOf([intent], patience)) ?? [];
        settled.push(alone);
      }
      return settled;
    }
  };
  /** @returns why nothing could be committed */
  const commitNext = async (): Promise<string | undefined> => {
    const batch = waiting.splice(0, BATCH);
    const start = performance.now();
    const age = start - (batch[0]?.since ?? 0);
    committing = batch;
    const intents = batch.map(({ intent }) => intent);
    const settled = await settledOf(intents, Math.max(1, Math.round(giveUp - step - age)));
    committing = [];
    if (settled === undefined) {
      waiting.unshift(...batch);
      return LOCKED;
    }
    const isFailure = settled.every(({ kind }) => kind === 'failed');
    if (!isFailure) onCommit?.(batch.length, performance.now() - start);
    for (const [at, each] of batch.entries()) tell([each, settled[at]]);
    return isFailure ? 'the database takes no writes' : undefined;
  };
  /** Does the work that has waited longest, unless another process holds the lock. */
  const runJob = async (): Promise<void> => {
    const [job] = jobs;
    if (!job) return;
    const isOver = await job.run();
    if (!isOver && !isClosed && performance.now() - job.since < JOB_GIVE_UP_MS) {
      if (waiting.length === 0) await pause(RETRY_MS);
      return;
    }
    jobs.shift();
    if (!isOver) job.reject(unavailable(new Error(LOCKED)));
  };
  const run = async (): Promise<void> => {
    const looking = setInterval(() => rejectOlder(lastBegin, 'the database does not respond'), step).unref();
    await turn();
    while (waiting.length > 0 || jobs.length > 0) {
      await runJob();
      if (waiting.length === 0) continue;
      const next = commitNext();
      // The writers of the last batch get their responses while the database works on the next one.
      await turn();
      const failure = await next;
      if (failure === undefined) continue;
      rejectOlder(isClosed ? 0 : lastBegin, failure);
      if (waiting.length > 0) await pause(RETRY_MS);
    }
    clearInterval(looking);
    running = undefined;
  };

  return {
    write: (intent: Intent): Promise<Outcome> =>
      new Promise((resolve, reject) => {
        if (isClosed) {
          reject(unavailable(new Error('the database is closed')));
          return;
        }
        waiting.push({ intent, since: performance.now(), resolve, reject });
        running ??= run();
      }),
    /**
     * Does some work between two commits; writes wait meanwhile.
     *
     * @param work resolves to `undefined`, with nothing done, where another process holds the lock
     */
    between: <T>(work: () => Promise<T | undefined>): Promise<T> =>
      new Promise((resolve, reject) => {
        if (isClosed) {
          reject(unavailable(new Error('the database is closed')));
          return;
        }
        const doWork = async (): Promise<boolean> => {
          try {
            const result = await work();
            if (result === undefined) return false;
            resolve(result);
          } catch (error) {
            reject(error);
          }
          return true;
        };
        jobs.push({ since: performance.now(), run: doWork, reject });
        running ??= run();
      }),
    /** Commits the waiting writes, trying for the lock only once. Later writes are rejected. */
    drain: async (): Promise<void> => {
      isClosed = true;
      await running;
    },
  };
};
