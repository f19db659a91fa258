/** Runs in the writer thread: commits one batch after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { connect, isUnavailable } from './connection.ts';
import { prepareWriting } from './schema.ts';
import type { Fault, Work, WriterRequest, WriterResponse } from './writer-thread.ts';
import { committer } from './writes.ts';

const { location, catalogue } = workerData as Work;
const connection = connect(location);
prepareWriting(connection);
const commit = committer(connection, catalogue);

const faultOf = (error: unknown): Fault => ({
  message: error instanceof Error ? error.message : String(error),
  isUnavailable: isUnavailable(error),
});

const answer = (intents: NonNullable<WriterRequest>): WriterResponse => {
  try {
    const settled = commit(intents)?.map((each) =>
      each.kind === 'failed' ? { kind: each.kind, fault: faultOf(each.error) } : each,
    );
    return { settled };
  } catch (error) {
    return { fault: faultOf(error) };
  }
};

parentPort?.on('message', (ask: WriterRequest) => {
  if (ask) {
    parentPort?.postMessage(answer(ask));
    return;
  }
  connection.close();
  parentPort?.close();
});
