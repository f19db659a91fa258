/** Runs in the reader thread: handles one request after the other. */
import { workerData } from 'node:worker_threads';
import { unavailable } from '../../../gateway/port/unavailable.ts';
import { answer } from '../../threads/answer.ts';
import { connect } from '../connection/connection.ts';
import type { FirstChunk, ReaderRequest } from './reader-thread.ts';
import { type SyncFound, snapshots } from './snapshots.ts';

const reads = snapshots(() => connect(workerData, { readOnly: true }));
const open = new Map<number, NonNullable<SyncFound['rest']>>();

const first = (id: number, { rest, ...found }: SyncFound): FirstChunk => {
  if (rest) open.set(id, rest);
  return { ...found, hasRest: rest !== undefined };
};

const end = (id: number): void => {
  open.get(id)?.return?.();
  open.delete(id);
};

answer<ReaderRequest>((asked) => {
  if (asked.kind === 'end') return end(asked.id);
  try {
    switch (asked.kind) {
      case 'list': {
        const found = reads.read(asked.sql, asked.window);
        return found && first(asked.id, found);
      }
      case 'next': {
        const list = open.get(asked.id);
        // The thread that had begun it has ended.
        if (!list) throw unavailable(new Error('the list was ended'));
        const chunk = list.next();
        if (chunk.done) open.delete(asked.id);
        return chunk.value;
      }
    }
  } catch (error) {
    end(asked.id);
    throw error;
  }
});
