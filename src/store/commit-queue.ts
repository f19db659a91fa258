import { sentence } from '../model/phrase.ts';
import { Problem } from '../model/problem.ts';
import type { Intent, Outcome } from './port.ts';

/** One intent's end: its outcome, or why it alone failed. */
export type Settled = Outcome | { readonly kind: 'failed'; readonly error: unknown };

/** Commits intents together, in order; `undefined` where somebody else holds the lock, with nothing written. */
export type Commit = (intents: readonly Intent[]) => readonly Settled[] | undefined;

export interface Waiting {
  readonly intent: Intent;
  readonly since: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Keeps one transaction, and so one turn of the event loop, short: some 10 ms. */
export const BATCH = 256;
/** Milliseconds between tries for a lock, and after which a write is given up. */
const RETRY = 10;
export const PATIENCE = 5_000;

export interface CommitQueue {
  readonly write: (intent: Intent) => Promise<Outcome>;
  /** Commits at once what still waits, trying a lock no longer. */
  readonly flush: () => void;
}

/** @returns the problem that answers a write or read that the database did not do */
export const unavailable = (cause: unknown): Problem =>
  new Problem('unavailable', sentence('store-unavailable', {}), { cause });

/** Tells each of a batch what became of it. */
export const settle = (batch: readonly Waiting[], settled: readonly Settled[]): void => {
  for (const [at, { resolve, reject }] of batch.entries()) {
    const each = settled[at];
    if (each === undefined || each.kind === 'failed') reject(each?.error ?? new Error('no outcome'));
    else resolve(each);
  }
};

/**
 * Group commit: what arrives in one turn of the event loop becomes one transaction, because the price of a durable
 * commit is one flush to the disk whatever it holds. Nobody waits for a lock on the loop: a timer tries again.
 *
 * @param commit writes a batch
 */
export const commitQueue = (commit: Commit): CommitQueue => {
  let waiting: Waiting[] = [];
  let scheduled = false;

  const giveUp = (patience: number): void => {
    const deadline = performance.now() - patience;
    const patient = waiting.findIndex(({ since }) => since > deadline);
    const tired = waiting.splice(0, patient === -1 ? waiting.length : patient);
    for (const { reject } of tired) reject(unavailable(new Error('the database is locked')));
  };

  const flushOnce = (patience: number): void => {
    scheduled = false;
    const batch = waiting.slice(0, BATCH);
    if (batch.length === 0) return;
    try {
      const settled = commit(batch.map(({ intent }) => intent));
      if (settled === undefined) {
        giveUp(patience);
        if (waiting.length > 0) schedule(() => setTimeout(() => flushOnce(PATIENCE), RETRY));
        return;
      }
      waiting = waiting.slice(batch.length);
      settle(batch, settled);
    } catch (error) {
      waiting = waiting.slice(batch.length);
      for (const { reject } of batch) reject(error);
    }
    if (waiting.length > 0) schedule(() => setImmediate(() => flushOnce(PATIENCE)));
  };

  const schedule = (later: () => void): void => {
    if (scheduled) return;
    scheduled = true;
    later();
  };

  return {
    write: (intent) =>
      new Promise((resolve, reject) => {
        waiting.push({ intent, since: performance.now(), resolve, reject });
        schedule(() => setImmediate(() => flushOnce(PATIENCE)));
      }),
    flush: () => {
      while (waiting.length > 0) flushOnce(0);
    },
  };
};
