import { Worker } from 'node:worker_threads';
import type { Window } from '../../../model/query.ts';
import type { Caller, Listing, ListSummary, Row } from '../../port.ts';
import { readQueue } from '../../read-queue.ts';
import type { ListPlan } from '../../sql/lists/plan.ts';
import { abandoned, unavailable } from '../../unavailable.ts';
import { cancelledBuffer, cancelledIn } from '../connection/interrupt.ts';

/** A list stays open until its last chunk was read, or until `end`. */
export type ReaderRequest =
  | { readonly id: number; readonly kind: 'summarize'; readonly plan: ListPlan }
  | { readonly id: number; readonly kind: 'list'; readonly plan: ListPlan; readonly window: Window }
  | { readonly id: number; readonly kind: 'next' }
  | { readonly id: number; readonly kind: 'end' };

/** The first chunk of a list; `long` where there are more. */
export interface FirstChunk extends ListSummary {
  readonly rows: readonly Row[];
  readonly long: boolean;
}

/** `result` is a `ListSummary`, a `FirstChunk`, the next chunk's rows, or `undefined` where there is none. */
export type ReaderResponse =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string; readonly isUnavailable: boolean };

/** The worker data of the thread. */
export interface ReaderData {
  /** The database's file. */
  readonly location: string;
  /** See `cancelledIn`. */
  readonly cancelled: SharedArrayBuffer;
}

export interface ReaderThread {
  readonly summarize: (plan: ListPlan, caller?: Caller) => Promise<ListSummary | undefined>;
  readonly list: (plan: ListPlan, window: Window, caller?: Caller) => Promise<Listing | undefined>;
  /** Ends the reads in progress. Resolves once the thread has ended. */
  readonly close: () => Promise<void>;
}

/** The most reads that wait or run, and the milliseconds after which one that still waits is rejected. */
const PLACES = 128;
const GIVE_UP_MS = 5_000;

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A thread with its own connections. It reads lists whose plans read many rows, one after the other, and starts with the first
 * of them.
 *
 * @param location the database's file
 * @param share the part of the queue that one client may take
 */
export const readerThread = (location: string, share: number): ReaderThread => {
  const queue = readQueue({ most: PLACES, atOnce: 1, giveUpMs: GIVE_UP_MS, share, reason: 'reads' });
  const buffer = cancelledBuffer();
  const cancelled = cancelledIn(buffer);
  const pending = new Map<number, Pending>();
  const open = new Set<number>();
  let worker: Worker | undefined;
  let isClosed = false;
  let lastId = 0;

  const fail = (error: unknown): void => {
    worker = undefined;
    open.clear();
    for (const { reject } of pending.values()) reject(unavailable(error));
    pending.clear();
  };
  const start = (): Worker => {
    const workerData: ReaderData = { location, cancelled: buffer };
    const started = new Worker(new URL('./reader-worker.ts', import.meta.url), { workerData });
    started.on('message', (response: ReaderResponse) => {
      const waiting = pending.get(response.id);
      pending.delete(response.id);
      if ('result' in response) waiting?.resolve(response.result);
      else if (cancelled.has(response.id)) waiting?.reject(abandoned());
      else waiting?.reject(response.isUnavailable ? unavailable(new Error(response.error)) : new Error(response.error));
    });
    started.on('error', fail);
    // The thread alone does not keep the process alive.
    started.unref();
    return started;
  };
  const ask = (question: ReaderRequest): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (isClosed) {
        reject(unavailable(new Error('the database is closed')));
        return;
      }
      worker ??= start();
      pending.set(question.id, { resolve, reject });
      worker.postMessage(question);
    });
  /** Sends a request to the thread when it is its turn. A client that disconnects cancels its read. */
  const askInTurn = (question: ReaderRequest, caller: Caller | undefined): Promise<unknown> =>
    queue.run(async () => {
      const cancel = (): void => cancelled.add(question.id);
      caller?.signal.addEventListener('abort', cancel);
      try {
        return await ask(question);
      } finally {
        caller?.signal.removeEventListener('abort', cancel);
      }
    }, caller);

  /** The chunks of a list after its first one, which is passed. */
  const rest = (id: number, first: readonly Row[]): AsyncIterator<readonly Row[], undefined> => {
    let isFirst = true;
    const end = (): Promise<IteratorReturnResult<undefined>> => {
      if (open.delete(id)) {
        cancelled.add(id);
        worker?.postMessage({ id, kind: 'end' } satisfies ReaderRequest);
      }
      return Promise.resolve({ done: true, value: undefined });
    };
    return {
      next: async () => {
        if (isFirst) {
          isFirst = false;
          return { done: false, value: first };
        }
        if (!open.has(id)) throw unavailable(new Error('the list was ended'));
        const rows = (await ask({ id, kind: 'next' })) as readonly Row[] | undefined;
        return rows ? { done: false, value: rows } : end();
      },
      return: end,
    };
  };

  return {
    summarize: (plan, caller) =>
      askInTurn({ id: ++lastId, kind: 'summarize', plan }, caller) as Promise<ListSummary | undefined>,
    list: async (plan, window, caller) => {
      const id = ++lastId;
      const found = (await askInTurn({ id, kind: 'list', plan, window }, caller)) as FirstChunk | undefined;
      if (!found) return undefined;
      const { rows, long, ...summary } = found;
      if (long) open.add(id);
      return { ...summary, chunks: long ? rest(id, rows) : [rows].values(), long };
    },
    close: async () => {
      isClosed = true;
      // A thread cannot end while its statement runs.
      for (const id of [...pending.keys(), ...open]) cancelled.add(id);
      const ended = worker?.terminate();
      fail(new Error('the database is closed'));
      await ended;
    },
  };
};
