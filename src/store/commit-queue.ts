import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { Intent, Outcome } from '../gateway/port/port.ts';
import { OutcomeUnknown, Unavailable, unavailable } from '../gateway/port/unavailable.ts';
import type { MaybePromise } from '../util/maybe-promise.ts';
import type { CommonOptions } from './store.ts';

type Result = Outcome | { readonly kind: 'failed'; readonly error: unknown };

/** Commits all intents together, in order, or none if it throws `Unavailable`; returns `undefined` if another process holds the lock. */
export type Commit = (intents: readonly Intent[], patience: number) => MaybePromise<readonly Outcome[] | undefined>;

interface Write {
  readonly intent: Intent;
  readonly arrivedAt: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
  readonly leave: () => void;
}

interface Job {
  readonly arrivedAt: number;
  readonly run: () => Promise<boolean>;
  readonly reject: (error: unknown) => void;
}

/** The most intents in one transaction, which then takes about 10 ms. */
const BATCH = 256;
/** Writers that get their outcome in one turn of the event loop: their responses take half a millisecond, and reads go between two turns. */
const RESPONSES = 8;
/** The milliseconds between two attempts to lock, and those after which a write that has not begun is refused. */
const RETRY_MS = 10;
const GIVE_UP_MS = 5_000;
/** Milliseconds for which a client waits for a commit that has begun. */
const COMMIT_MS = 30_000;
/** Milliseconds after which work between commits is refused because another process holds the lock: an import takes its time. */
const JOB_GIVE_UP_MS = 120_000;

const LOCKED = 'the database is locked';
const CLOSED = 'the database is closed';

/** Writes that arrive together become one transaction, because a durable commit costs one flush however many are in it. */
export class CommitQueue {
  readonly #commit: Commit;
  readonly #giveUp: number;
  readonly #onCommit: CommonOptions['onCommit'];
  readonly #step: number;
  #waiting: Write[] = [];
  #committing: readonly Write[] = [];
  readonly #jobs: Job[] = [];
  #running: Promise<void> | undefined;
  #isClosed = false;

  /** @param commit is never called again before it has settled */
  constructor(
    commit: Commit,
    { giveUp = GIVE_UP_MS, onCommit }: Pick<CommonOptions, 'onCommit'> & { readonly giveUp?: number } = {},
  ) {
    this.#commit = commit;
    this.#giveUp = giveUp;
    this.#onCommit = onCommit;
    this.#step = giveUp / 20;
  }

  /** @throws Unavailable if nothing was written; OutcomeUnknown if its commit takes too long */
  readonly write = async (intent: Intent): Promise<Outcome> => {
    if (this.#isClosed) throw unavailable(new Error(CLOSED));
    const { promise: outcome, resolve, reject } = Promise.withResolvers<Outcome>();
    const response = Promise.withResolvers<Outcome>();
    outcome.then(response.resolve, response.reject);
    const leave = (): void => response.reject(new OutcomeUnknown({ outcome }));
    this.#waiting.push({ intent, arrivedAt: performance.now(), resolve, reject, leave });
    this.#running ??= this.#run();
    return response.promise;
  };

  /** Does work between two commits, again and again while it resolves to `undefined`, because another process holds the lock. */
  async runBetween<T>(work: () => Promise<T | undefined>): Promise<T> {
    if (this.#isClosed) throw unavailable(new Error(CLOSED));
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const run = async (): Promise<boolean> => {
      try {
        const result = await work();
        if (result === undefined) return false;
        resolve(result);
      } catch (error) {
        reject(error);
      }
      return true;
    };
    this.#jobs.push({ arrivedAt: performance.now(), run, reject });
    this.#running ??= this.#run();
    return promise;
  }

  async drain(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    const latest = this.#giveUp - 2 * this.#step;
    const timer = setInterval(() => {
      this.#refuseOlder(latest, 'the database does not respond');
      // The outcome is logged once it is known.
      const late = performance.now() - this.#giveUp - COMMIT_MS;
      for (const write of this.#committing) if (write.arrivedAt <= late) write.leave();
    }, this.#step).unref();
    await turn();
    while (this.#waiting.length > 0 || this.#jobs.length > 0) {
      await this.#runJob();
      if (this.#waiting.length === 0) continue;
      const committing = this.#commitNext();
      // The writers of the last batch get their responses while the database works on the next one.
      await turn();
      const failure = await committing;
      if (failure === undefined) continue;
      this.#refuseOlder(this.#isClosed ? 0 : latest, failure);
      if (this.#waiting.length > 0) await sleep(RETRY_MS);
    }
    clearInterval(timer);
    this.#running = undefined;
  }

  async #runJob(): Promise<void> {
    const [job] = this.#jobs;
    if (!job) return;
    const isDone = await job.run();
    if (!isDone && !this.#isClosed && performance.now() - job.arrivedAt < JOB_GIVE_UP_MS) {
      if (this.#waiting.length === 0) await sleep(RETRY_MS);
      return;
    }
    this.#jobs.shift();
    if (!isDone) job.reject(unavailable(new Error(LOCKED)));
  }

  async #commitNext(): Promise<string | undefined> {
    const batch = this.#waiting.splice(0, BATCH);
    const start = performance.now();
    const age = start - (batch[0]?.arrivedAt ?? 0);
    this.#committing = batch;
    const intents = batch.map(({ intent }) => intent);
    const results = await this.#commitOrFail(intents, Math.max(1, Math.round(this.#giveUp - this.#step - age)));
    this.#committing = [];
    if (results === undefined) {
      this.#waiting.unshift(...batch);
      return LOCKED;
    }
    const isFailure = results.every(({ kind }) => kind === 'failed');
    if (!isFailure) this.#onCommit?.(batch.length, performance.now() - start);
    void settle(batch, results);
    return isFailure ? 'the database takes no writes' : undefined;
  }

  /** If one intent fails, which only a fault in the program can cause, each of its batch is committed by itself. */
  async #commitOrFail(intents: readonly Intent[], patience: number): Promise<readonly Result[] | undefined> {
    try {
      return await this.#commit(intents, patience);
    } catch (error) {
      const isOfDatabase = error instanceof Unavailable || error instanceof OutcomeUnknown;
      if (isOfDatabase || intents.length === 1) return intents.map(() => ({ kind: 'failed', error }));
      const results: Result[] = [];
      for (const intent of intents) {
        const alone = await this.#commitOrFail([intent], patience);
        results.push(alone?.[0] ?? { kind: 'failed', error: unavailable(new Error(LOCKED)) });
      }
      return results;
    }
  }

  #refuseOlder(age: number, reason: string): void {
    const now = performance.now();
    const { old = [], young = [] } = Object.groupBy(this.#waiting, ({ arrivedAt }) =>
      now - arrivedAt >= age ? 'old' : 'young',
    );
    this.#waiting = young;
    for (const { reject } of old) reject(unavailable(new Error(reason)));
  }
}

async function settle(batch: readonly Write[], results: readonly Result[]): Promise<void> {
  for (const [at, { resolve, reject }] of batch.entries()) {
    if (at % RESPONSES === 0) await turn();
    const result = results[at];
    if (result === undefined || result.kind === 'failed') reject(result?.error ?? new Error('no outcome'));
    else resolve(result);
  }
}
