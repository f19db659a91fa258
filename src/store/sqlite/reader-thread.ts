import { Worker } from 'node:worker_threads';
import type { Window } from '../../model/query.ts';
import type { Listing, ListSummary, Row } from '../port.ts';
import type { ListPlan } from '../sql/lists.ts';
import { unavailable } from '../unavailable.ts';

/** A list stays open until its last chunk was read, or until `end`. */
export type ReaderRequest =
  | { readonly id: number; readonly kind: 'summarize'; readonly plan: ListPlan }
  | { readonly id: number; readonly kind: 'list'; readonly plan: ListPlan; readonly window: Window }
  | { readonly id: number; readonly kind: 'next' | 'end' };

/** The first chunk of a list; `long` where there are more. */
export interface FirstChunk extends ListSummary {
  readonly rows: readonly Row[];
  readonly long: boolean;
}

/** `result` is a `ListSummary`, a `FirstChunk`, the next chunk's rows, or `undefined` where there is none. */
export type ReaderResponse =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string; readonly isUnavailable: boolean };

interface ReaderThread {
  /** The number of long lists that are open. */
  readonly held: () => number;
  readonly summarize: (plan: ListPlan) => Promise<ListSummary | undefined>;
  readonly list: (plan: ListPlan, window: Window) => Promise<Listing | undefined>;
  readonly close: () => void;
}

/** The most requests that wait for the thread; each may take some tenths of a second. */
const WAITING = 256;

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A thread with connections of its own, for lists whose plans read many rows. The first of them starts it.
 *
 * @param location the database's file
 */
export const readerThread = (location: string): ReaderThread => {
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
    const started = new Worker(new URL('./reader-worker.ts', import.meta.url), { workerData: location });
    started.on('message', (answer: ReaderResponse) => {
      const waiting = pending.get(answer.id);
      pending.delete(answer.id);
      if ('result' in answer) waiting?.resolve(answer.result);
      else waiting?.reject(answer.isUnavailable ? unavailable(new Error(answer.error)) : new Error(answer.error));
    });
    started.on('error', fail);
    // The thread alone does not keep the process alive.
    started.unref();
    return started;
  };
  const ask = (question: ReaderRequest): Promise<unknown> =>
    new Promise((resolve, reject) => {
      // A list that was begun may go on, however many requests wait.
      if (isClosed || (question.kind !== 'next' && pending.size >= WAITING)) {
        reject(unavailable(new Error(isClosed ? 'the database is closed' : 'too many reads wait for their turn')));
        return;
      }
      worker ??= start();
      pending.set(question.id, { resolve, reject });
      worker.postMessage(question);
    });

  /** The chunks of a list whose first one was read. */
  const rest = (id: number, first: readonly Row[]): AsyncIterator<readonly Row[], undefined> => {
    let isFirst = true;
    const end = (): Promise<IteratorReturnResult<undefined>> => {
      if (open.delete(id)) worker?.postMessage({ id, kind: 'end' } satisfies ReaderRequest);
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
    held: () => open.size,
    summarize: (plan) => ask({ id: ++lastId, kind: 'summarize', plan }) as Promise<ListSummary | undefined>,
    list: async (plan, window) => {
      const id = ++lastId;
      const found = (await ask({ id, kind: 'list', plan, window })) as FirstChunk | undefined;
      if (!found) return undefined;
      const { rows, long, ...summary } = found;
      if (long) open.add(id);
      return { ...summary, chunks: long ? rest(id, rows) : [rows].values(), long };
    },
    close: () => {
      isClosed = true;
      void worker?.terminate();
      fail(new Error('the database is closed'));
    },
  };
};
