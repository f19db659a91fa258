/** Runs in the reader thread: handles one request after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { connect, isUnavailable } from '../connection/connection.ts';
import { cancelledIn } from '../connection/interrupt.ts';
import type { FirstChunk, ReaderData, ReaderRequest, ReaderResponse } from './reader-thread.ts';
import { type SyncFound, snapshots } from './snapshots.ts';

const { location, cancelled: buffer }: ReaderData = workerData;
const cancelled = cancelledIn(buffer);
/** The id of the request that is being handled. */
let current = 0;
const checkCancelled = (): void => {
  if (cancelled.has(current)) throw new Error('nobody waits for this read any more');
};

const reads = snapshots(() => connect(location, { readOnly: true, onInterrupt: checkCancelled }));
const open = new Map<number, NonNullable<SyncFound['rest']>>();

const first = (id: number, { rest, ...found }: SyncFound): FirstChunk => {
  if (rest) open.set(id, rest);
  return { ...found, hasRest: rest !== undefined };
};

const end = (id: number): void => {
  open.get(id)?.return?.();
  open.delete(id);
};

const resultOf = (ask: Exclude<ReaderRequest, { kind: 'end' }>): unknown => {
  checkCancelled();
  switch (ask.kind) {
    case 'summarize':
      return reads.summarize(ask.sql);
    case 'list': {
      const found = reads.read(ask.sql, ask.window);
      return found && first(ask.id, found);
    }
    case 'next': {
      const chunk = open.get(ask.id)?.next();
      if (chunk?.done) open.delete(ask.id);
      return chunk?.value;
    }
  }
};

parentPort?.on('message', (ask: ReaderRequest) => {
  current = ask.id;
  try {
    if (ask.kind === 'end') end(ask.id);
    else parentPort?.postMessage({ id: ask.id, result: resultOf(ask) } satisfies ReaderResponse);
  } catch (error) {
    end(ask.id);
    const message = error instanceof Error ? error.message : String(error);
    parentPort?.postMessage({
      id: ask.id,
      error: message,
      isUnavailable: isUnavailable(error),
    } satisfies ReaderResponse);
  }
});
