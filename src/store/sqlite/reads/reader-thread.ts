import { Worker } from 'node:worker_threads';
import type { Window } from '../../../model/query.ts';
import type { Gate } from '../../gate.ts';
import type { Caller, Chunks, Found, ListSummary, Row } from '../../port.ts';
import type { ListSql } from '../../sql/lists/list-sql.ts';
import { abandoned, unavailable } from '../../unavailable.ts';
import { cancelledBuffer, cancelledIn } from '../connection/interrupt.ts';

/** A list stays open until its last chunk was read, or until `end`. */
export type ReaderRequest =
  | { readonly id: number; readonly kind: 'summarize'; readonly sql: ListSql }
  | { readonly id: number; readonly kind: 'list'; readonly sql: ListSql; readonly window: Window }
  | { readonly id: number; readonly kind: 'next' }
  | { readonly id: number; readonly kind: 'end' };

/** The first chunk of a list, and whether there are more. */
export interface FirstChunk extends ListSummary {
  readonly rows: readonly Row[];
  readonly hasRest: boolean;
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
  readonly summarize: (sql: ListSql, caller?: Caller) => Promise<ListSummary | undefined>;
  readonly list: (sql: ListSql, window: Window, caller?: Caller) => Promise<Found | undefined>;
  /** Starts the thread before it is needed. */
  readonly warm: () => void;
  /** Ends the reads in progress. Resolves once the thread has ended. */
  readonly close: () => Promise<void>;
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A thread with its own connections. It reads lists whose plans read many rows, one after the other, and starts with the first
 * of them at the latest.
 *
 * @param location the database's file
 * @param gate lets one read pass at a time
 */
export const readerThread = (location: string, gate: Gate): ReaderThread => {
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
  /** Sends a request to the thread once the gate lets it pass. A client that disconnects cancels its read. */
  const askThroughGate = (question: ReaderRequest, caller: Caller | undefined): Promise<unknown> =>
    gate.run(async () => {
      const cancel = (): void => cancelled.add(question.id);
      caller?.signal.addEventListener('abort', cancel);
      try {
        return await ask(question);
      } finally {
        caller?.signal.removeEventListener('abort', cancel);
      }
    }, caller);

  /** The chunks of a list after its first one. */
  const rest = (id: number): Chunks => {
    const end = (): Promise<IteratorReturnResult<undefined>> => {
      if (open.delete(id)) {
        cancelled.add(id);
        worker?.postMessage({ id, kind: 'end' } satisfies ReaderRequest);
      }
      return Promise.resolve({ done: true, value: undefined });
    };
    return {
      next: async () => {
        if (!open.has(id)) throw unavailable(new Error('the list was ended'));
        const rows = (await ask({ id, kind: 'next' })) as readonly Row[] | undefined;
        return rows ? { done: false, value: rows } : end();
      },
      return: end,
    };
  };

  return {
    summarize: (sql, caller) =>
      askThroughGate({ id: ++lastId, kind: 'summarize', sql }, caller) as Promise<ListSummary | undefined>,
    list: async (sql, window, caller) => {
      const id = ++lastId;
      const found = (await askThroughGate({ id, kind: 'list', sql, window }, caller)) as FirstChunk | undefined;
      if (!found) return undefined;
      const { hasRest, ...first } = found;
      if (!hasRest) return first;
      open.add(id);
      return { ...first, rest: rest(id) };
    },
    warm: () => {
      if (!isClosed) worker ??= start();
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
