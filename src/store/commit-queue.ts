import type { MaybePromise } from '../model/maybe-promise.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
import type { Intent, Outcome } from './port.ts';

/** One intent's end: its outcome, or why it alone failed. */
export type Settled = Outcome | { readonly kind: 'failed'; readonly error: unknown };

/** Commits intents together, in order; `undefined` where somebody else holds the lock, with nothing written. */
export type Commit = (intents: readonly Intent[]) => MaybePromise<readonly Settled[] | undefined>;

interface Waiting {
  readonly intent: Intent;
  readonly since: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Keeps one transaction short: some 10 ms. */
const BATCH = 256;
/** Milliseconds between tries for a lock, and after which a write is given up. */
const RETRY = 10;
const PATIENCE = 5_000;

interface CommitQueue {
  readonly write: (intent: Intent) => Promise<Outcome>;
  /** Commits what still waits, trying a lock no longer; nothing more is taken. */
  readonly drain: () => Promise<void>;
}

/** @returns the problem that answers a write or read that the database did not do */
export const unavailable = (cause: unknown): Problem =>
  new Problem('unavailable', sentence('store-unavailable', {}), { cause });

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const pause = (time: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, time));

const settle = (batch: readonly Waiting[], settled: readonly Settled[]): void => {
  for (const [at, { resolve, reject }] of batch.entries()) {
    const each = settled[at];
    if (each === undefined || each.kind === 'failed') reject(each?.error ?? new Error('no outcome'));
    else resolve(each);
  }
};

/**
 * Group commit: what arrives in one turn of the event loop, or while others are being committed, becomes one transaction,
 * because the price of a durable commit is one flush to the disk whatever it holds. Nobody waits for a lock: a timer tries
 * again.
 *
 * @param commit writes a batch; called again only after it is done
 */
export const commitQueue = (commit: Commit): CommitQueue => {
  let waiting: Waiting[] = [];
  let running: Promise<void> | undefined;
  let isClosed = false;

  const giveUp = (why: string): void => {
    const deadline = performance.now() - (isClosed ? 0 : PATIENCE);
    const tired = waiting.filter(({ since }) => since <= deadline);
    waiting = waiting.filter(({ since }) => since > deadline);
    for (const { reject } of tired) reject(unavailable(new Error(why)));
  };
  /** @returns why nothing could be committed, or `undefined` */
  const commitNext = async (): Promise<string | undefined> => {
    const batch = waiting.slice(0, BATCH);
    try {
      const settled = await commit(batch.map(({ intent }) => intent));
      if (settled === undefined) return 'the database is locked';
      waiting = waiting.slice(batch.length);
      settle(batch, settled);
      return settled.every(({ kind }) => kind === 'failed') ? 'the database takes no writes' : undefined;
    } catch (error) {
      waiting = waiting.slice(batch.length);
      for (const { reject } of batch) reject(error);
      return 'the database takes no writes';
    }
  };
  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      await turn();
      const hindrance = await commitNext();
      if (hindrance === undefined) continue;
      giveUp(hindrance);
      if (waiting.length > 0) await pause(RETRY);
    }
    running = undefined;
  };

  return {
    write: (intent) =>
      new Promise((resolve, reject) => {
        if (isClosed) {
          reject(unavailable(new Error('the database is closed')));
          return;
        }
        waiting.push({ intent, since: performance.now(), resolve, reject });
        running ??= run();
      }),
    drain: async () => {
      isClosed = true;
      await running;
    },
  };
};
