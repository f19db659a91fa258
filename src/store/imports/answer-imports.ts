/** Runs in the threads of imports: the rows of one at a time wait here, and are then applied. */
import type { ImportOutcome, ItemChange, Rejection } from '../../gateway/model/import.ts';
import type { Idempotency } from '../../gateway/model/precondition.ts';
import { abandoned } from '../../gateway/port/unavailable.ts';
import type { MaybePromise } from '../../util/maybe-promise.ts';
import { answer, tell } from '../threads/answer.ts';
import type { ImportRequest } from './apply-row.ts';
import { hasChanges, type StagedBatch } from './stage.ts';

/** Milliseconds between two looks at whether the import must end. */
const LOOK = 5;

/** What an import begins with. */
export interface ImportWork {
  /** The path or the URL of the database. */
  readonly location: string;
  readonly request: ImportRequest;
  /** A number in memory that is shared: not 0 where the import must end. */
  readonly stopped: Int32Array;
}

/** How it goes while rows are staged and applied. */
export type ImportNews = { readonly rejected: readonly Rejection[] } | { readonly done: number };

/** How an import goes on. */
export interface Course extends ImportWork {
  readonly onRejected: (rejection: Rejection) => void;
  /** Called with the number of written items. @throws Unavailable where the import must end */
  readonly onDone: (items: number) => void;
  /** Waits for some milliseconds. @throws Unavailable where the import must end */
  readonly pause: () => void;
  /** Aborted where the import must end. */
  readonly signal: AbortSignal;
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

const courseOf = (work: ImportWork, onRejected: Course['onRejected']): Course => {
  const { stopped } = work;
  const checkStopped = (): void => {
    if (Atomics.load(stopped, 0) !== 0) throw abandoned();
  };
  const stopping = new AbortController();
  void Promise.resolve(Atomics.waitAsync(stopped, 0, 0).value).then(() => stopping.abort());
  return {
    ...work,
    onRejected,
    onDone: (done) => {
      checkStopped();
      tell<ImportNews>({ done });
    },
    pause: () => {
      checkStopped();
      Atomics.wait(stopped, 0, 0, LOOK);
    },
    signal: stopping.signal,
  };
};

const servicesOf = (begin: BeginImport) => {
  let importing: Promise<Importing> | undefined;
  let rejected: Rejection[] = [];
  let isListed = false;
  const tellRejected = (): void => {
    if (rejected.length > 0) tell<ImportNews>({ rejected });
    rejected = [];
  };
  const close = async (): Promise<void> => {
    // What could not begin has nothing open.
    (await importing?.catch(() => undefined))?.close();
    importing = undefined;
  };
  const services = {
    begin: async (work: ImportWork): Promise<void> => {
      rejected = [];
      isListed = work.request.listsChanges;
      importing = Promise.try(
        begin,
        courseOf(work, (rejection) => void rejected.push(rejection)),
      );
      await importing;
    },
    add: async (batch: StagedBatch): Promise<void> => {
      await (await importing)?.add(batch);
      tellRejected();
    },
    apply: async (idempotency: Idempotency | undefined): Promise<ImportOutcome | undefined> => {
      const outcome = await (await importing)?.apply(idempotency);
      tellRejected();
      if (outcome && !(isListed && hasChanges(outcome))) await close();
      return outcome;
    },
    nextChanges: async (): Promise<readonly ItemChange[]> => {
      const changes = (await importing)?.nextChanges() ?? [];
      if (changes.length === 0) await close();
      return changes;
    },
  };
  return { services, close };
};

/** The work, then its rows, then what to do with them once all are there; then what it has done is asked for, where it is listed. */
export type ImportServices = ReturnType<typeof servicesOf>['services'];

/** @param end is called before the thread ends */
export const answerImports = (begin: BeginImport, end: () => unknown = () => {}): void => {
  const { services, close } = servicesOf(begin);
  answer(services, async () => {
    await close();
    await end();
  });
};
