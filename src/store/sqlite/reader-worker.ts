/** Runs in the reader thread: handles one request after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { connect, isUnavailable } from './connection.ts';
import type { FirstChunk, ReaderRequest, ReaderResponse } from './reader-thread.ts';
import { type SyncListing, snapshots } from './snapshots.ts';

const reads = snapshots(() => connect(String(workerData), { readOnly: true }));
const open = new Map<number, SyncListing>();

const first = (id: number, listing: SyncListing): FirstChunk => {
  const { chunks, ...summary } = listing;
  const { value: rows = [] } = chunks.next();
  if (summary.long) open.set(id, listing);
  else chunks.return?.();
  return { ...summary, rows };
};

const answer = (ask: ReaderRequest): unknown => {
  switch (ask.kind) {
    case 'summarize':
      return reads.summarize(ask.plan);
    case 'list': {
      const listing = reads.list(ask.plan, ask.window);
      return listing && first(ask.id, listing);
    }
    case 'next': {
      const chunk = open.get(ask.id)?.chunks.next();
      if (!chunk?.done) return chunk?.value;
      open.delete(ask.id);
      return undefined;
    }
    case 'end':
      open.get(ask.id)?.chunks.return?.();
      open.delete(ask.id);
      return undefined;
  }
};

parentPort?.on('message', (ask: ReaderRequest) => {
  try {
    const result = answer(ask);
    if (ask.kind !== 'end') parentPort?.postMessage({ id: ask.id, result } satisfies ReaderResponse);
  } catch (error) {
    open.delete(ask.id);
    const message = error instanceof Error ? error.message : String(error);
    parentPort?.postMessage({
      id: ask.id,
      error: message,
      isUnavailable: isUnavailable(error),
    } satisfies ReaderResponse);
  }
});
