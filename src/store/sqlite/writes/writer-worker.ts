/** Runs in the writer thread: commits one batch after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriority } from '../../../util/thread-priority.ts';
import type { Intent } from '../../port.ts';
import { connect } from '../connection/connection.ts';
import { logMark } from '../schema/log-mark.ts';
import { prepareWriting } from '../schema/schema.ts';
import { checkpoint, checkpointSizeSetter } from '../schema/wal.ts';
import { toThreadError } from './thread-error.ts';
import type { Work, WriterRequest, WriterResponse } from './writer-thread.ts';
import { committer, tryWriting } from './writes.ts';

lowerPriority();
const { location, catalogue } = workerData as Work;
const connection = connect(location);
prepareWriting(connection);
const fitLog = checkpointSizeSetter(connection, location);
const mark = logMark(connection, location);
const commit = committer(connection, catalogue);

const commitAll = (intents: readonly Intent[]): WriterResponse => {
  fitLog();
  const settled = commit(intents)?.map((each) =>
    each.kind === 'failed' ? { kind: each.kind, fault: toThreadError(each.error) } : each,
  );
  if (settled) mark.renew();
  return { settled };
};

const respond = (request: Exclude<WriterRequest, 'close'>): WriterResponse => {
  try {
    if (request === 'fold') return { isDone: checkpoint(connection) };
    return request === 'try' ? { isDone: tryWriting(connection) } : commitAll(request);
  } catch (error) {
    return { fault: toThreadError(error) };
  }
};

parentPort?.on('message', (request: WriterRequest) => {
  if (request !== 'close') {
    parentPort?.postMessage(respond(request));
    return;
  }
  mark.close();
  connection.close();
  parentPort?.close();
});
