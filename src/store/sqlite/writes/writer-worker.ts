/** Runs in the writer thread: commits one batch after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Intent } from '../../port.ts';
import { connect } from '../connection/connection.ts';
import { fold, foldSizeSetter } from '../schema/log.ts';
import { logMark } from '../schema/log-mark.ts';
import { prepareWriting } from '../schema/schema.ts';
import { faultOf } from './fault.ts';
import type { Work, WriterRequest, WriterResponse } from './writer-thread.ts';
import { committer, tryWriting } from './writes.ts';

const { location, catalogue } = workerData as Work;
const connection = connect(location);
prepareWriting(connection);
const fitLog = foldSizeSetter(connection, location);
const mark = logMark(connection, location);
const commit = committer(connection, catalogue);

const commitAll = (intents: readonly Intent[]): WriterResponse => {
  fitLog();
  const settled = commit(intents)?.map((each) =>
    each.kind === 'failed' ? { kind: each.kind, fault: faultOf(each.error) } : each,
  );
  if (settled) mark.renew();
  return { settled };
};

const respond = (request: Exclude<WriterRequest, 'close'>): WriterResponse => {
  try {
    if (request === 'fold') return { isDone: fold(connection) };
    return request === 'try' ? { isDone: tryWriting(connection) } : commitAll(request);
  } catch (error) {
    return { fault: faultOf(error) };
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
