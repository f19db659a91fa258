/** Runs in the writer thread: commits one batch after the other. */
import { workerData } from 'node:worker_threads';
import type { Intent } from '../../../gateway/port/port.ts';
import { lowerPriority } from '../../../util/thread-priority.ts';
import { forgetDeletions } from '../../sql/system-tables.ts';
import { answer } from '../../threads/answer.ts';
import { connect } from '../connection/connection.ts';
import { prepareWriting } from '../schema/schema.ts';
import { checkpoint } from '../schema/wal.ts';
import { walMark } from '../schema/wal-mark.ts';
import type { Work, WriterRequest } from './writer-thread.ts';
import { begin, committer, tryWriting } from './writes.ts';

lowerPriority();
const { location, catalogue } = workerData as Work;
const connection = connect(location);
prepareWriting(connection);
const mark = walMark(connection, location);
const commit = committer(connection, catalogue);

const commitAll = (intents: readonly Intent[]): ReturnType<typeof commit> => {
  const outcomes = commit(intents);
  if (outcomes) mark.renew();
  return outcomes;
};

const forget = (before: number): true | undefined => {
  if (!begin(connection)) return undefined;
  connection.rows(forgetDeletions(before));
  connection.run('COMMIT', []);
  mark.renew();
  return true;
};

answer<WriterRequest>(
  (request) => {
    if (request === 'fold') return checkpoint(connection);
    if (typeof request === 'number') return forget(request);
    return request === 'try' ? tryWriting(connection) : commitAll(request);
  },
  () => {
    mark.close();
    connection.close();
  },
);
