/** Runs in the threads of imports: the rows of one at a time wait here, and are then applied. */
import { parentPort, receiveMessageOnPort } from 'node:worker_threads';
import type { ImportOutcome, ItemChange } from '../../gateway/model/import.ts';
import type { Idempotency } from '../../gateway/model/precondition.ts';
import { abandoned } from '../../gateway/port/unavailable.ts';
import type { MaybePromise } from '../../util/maybe-promise.ts';
import { answer, tell } from '../threads/answer.ts';
import type { Rejection } from './apply-row.ts';
import type { ImportNews, ImportNote, ImportOrder, ImportWork } from './import-threads.ts';
import { hasChanges, type StagedBatch } from './stage.ts';

/** Milliseconds between two looks at whether the import must end. */
const LOOK = 5;

/** How an import goes on. */
export interface Course extends ImportWork {
  readonly onRejected: (rejection: Rejection) => void;
  /** Called with the number of written items. @throws Unavailable where the import must end */
  readonly onDone: (items: number) => void;
  /** Waits for some milliseconds. @throws Unavailable where the import must end */
  readonly pause: () => void;
  /** Aborted where the import must end. */
  readonly signal: AbortSignal;
  /** Returns what is stored with the report. */
  readonly note: () => string;
}

/** An import into a database. */
interface Importing {
  /** Plans a batch. */
  readonly add: (batch: StagedBatch) => MaybePromise<void>;
  /** Applies what is planned. */
  readonly apply: (idempotency: Idempotency | undefined) => MaybePromise<ImportOutcome>;
  /** Returns what it has done with some items; none at the end. */
  readonly nextChanges: () => readonly ItemChange[];
  readonly close: () => void;
}

export type BeginImport = (course: Course) => MaybePromise<Importing>;

const courseOf = (work: ImportWork) => {
  const { stopped } = work;
  const checkStopped = (): void => {
    if (Atomics.load(stopped, 0) !== 0) throw abandoned();
  };
  const pause = (): void => {
    checkStopped();
    Atomics.wait(stopped, 0, 0, LOOK);
  };
  const stopping = new AbortController();
  void Promise.resolve(Atomics.waitAsync(stopped, 0, 0).value).then(() => stopping.abort());
  let rejected: Rejection[] = [];
  const tellRejected = (): void => {
    if (rejected.length > 0) tell<ImportNews>({ rejected });
    rejected = [];
  };
  /** Asks for it while the transaction is open. */
  const note = (): string => {
    tellRejected();
    tell<ImportNews>({ isAsking: true });
    for (;;) {
      checkStopped();
      const received = parentPort && receiveMessageOnPort(parentPort);
      if (received) return (received.message as ImportNote).note;
      pause();
    }
  };
  const onRejected = (rejection: Rejection): void => void rejected.push(rejection);
  const onDone = (done: number): void => {
    checkStopped();
    tell<ImportNews>({ done });
  };
  return { course: { ...work, onRejected, onDone, pause, signal: stopping.signal, note }, tellRejected };
};

/** @param end is called before the thread ends */
export const answerImports = (begin: BeginImport, end: () => unknown = () => {}): void => {
  let importing: Promise<Importing> | undefined;
  let tellRejected = (): void => {};
  let isListed = false;
  const started = async (work: ImportWork): Promise<Importing> => {
    const { course, ...own } = courseOf(work);
    tellRejected = own.tellRejected;
    isListed = work.request.listsChanges;
    return begin(course);
  };
  const close = async (): Promise<void> => {
    // What could not begin has nothing open.
    (await importing?.catch(() => undefined))?.close();
    importing = undefined;
  };
  const nextChanges = async (): Promise<readonly ItemChange[]> => {
    const changes = (await importing)?.nextChanges() ?? [];
    if (changes.length === 0) await close();
    return changes;
  };
  const follow = async (
    order: ImportOrder | ImportNote,
  ): Promise<ImportOutcome | readonly ItemChange[] | undefined> => {
    // Nobody waits for it any more.
    if ('note' in order) return undefined;
    if ('wants' in order) return nextChanges();
    if ('location' in order) importing = started(order);
    const current = await importing;
    if ('bytes' in order) await current?.add(order);
    const outcome = 'idempotency' in order ? await current?.apply(order.idempotency) : undefined;
    tellRejected();
    if (outcome && !(isListed && hasChanges(outcome))) await close();
    return outcome;
  };
  answer(follow, async () => {
    await close();
    await end();
  });
};
