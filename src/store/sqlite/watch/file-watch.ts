import type { Intent } from '../../../gateway/port/port.ts';
import { messageOf, Unavailable } from '../../../gateway/port/unavailable.ts';
import type { Streams } from '../../streams.ts';
import { writeReport } from '../../write-report.ts';
import type { Connection, Guard } from '../connection/connection.ts';
import { freeSpaceFor, walExcess } from '../schema/wal.ts';
import type { Writer } from '../writes/writer-worker.ts';
import { fileCheck } from './file-check.ts';

/** Milliseconds between two checks. */
const EVERY = 250;
const MIB = 1_048_576;
/** Bytes of free disk from which on a write can be expected to succeed. */
const ENOUGH = 1_048_576;
/** Bytes by which a log that could not be checkpointed grows before a commit tries again. */
const GROWTH = 262_144;

interface Watched {
  /** The file, without symbolic links. */
  readonly path: string;
  readonly main: Connection;
  readonly guard: Guard;
  readonly writer: Writer;
  readonly lists: Pick<Streams, 'endAll'>;
  /** Bytes that the log may have. */
  readonly walLimit: number;
  readonly report: (message: string) => void;
}

/** Checks the database's file, its log and the free disk space regularly. */
export const fileWatch = ({ path, main, guard, writer, lists, walLimit, report }: Watched) => {
  const check = fileCheck(path, main);
  const tell = (message: string): void => report(`${path}: ${message}`);
  const log = writeReport(tell);
  let fault: string | undefined;
  /** Whether the last write failed. */
  let isFailing = false;
  let isLooking = false;

  const lookAtFile = (): void => {
    const before = fault;
    fault = check();
    if (fault === before) return;
    guard.refuse(fault && `${path}: ${fault}`);
    tell(fault ?? 'is there again');
    if (fault !== undefined) lists.endAll(fault);
  };
  const lookAtLog = async (): Promise<void> => {
    const size = walExcess(path, walLimit);
    if (size === 0 || (await writer.ask('fold', []))) return;
    const count = lists.endAll('the write-ahead log had to be folded (DATABASE_LOG_LIMIT)');
    if (count === 0) return;
    tell(
      `the write-ahead log has ${Math.ceil(size / MIB)} MiB; ${count} lists that kept it from shrinking were broken off`,
    );
    await writer.ask('fold', []);
  };
  const onWrite = (error: unknown): void => {
    isFailing = error !== undefined;
    if (isFailing) log.failed(messageOf(error));
    else log.succeeded();
  };
  /** Tries a write where the last one failed, or where the disk has hardly any room. */
  const tryWriting = async (): Promise<void> => {
    const isEnough = freeSpaceFor(path) >= ENOUGH;
    if (isEnough && !isFailing) return;
    try {
      // A trial is smaller than most writes, so that after a failure it proves nothing without room.
      if ((await writer.ask('tryWriting', [])) && isEnough) onWrite(undefined);
    } catch (error) {
      onWrite(error);
    }
  };
  /** Bytes of the log when a commit last tried to have it checkpointed. */
  let tried = 0;
  /** Called before a commit, too: a log that fills the disk between two checks could not be checkpointed any more. */
  const makeRoom = async (): Promise<void> => {
    const size = walExcess(path, walLimit);
    if (size === 0) {
      tried = 0;
      return;
    }
    // Readers may prevent it; then it is not tried before every commit.
    if (size - tried < GROWTH) return;
    tried = size;
    await lookAtLog();
  };
  const checkAll = async (): Promise<void> => {
    lookAtFile();
    if (fault !== undefined || isLooking) return;
    isLooking = true;
    // Failures are ignored: it is tried again the next time.
    await lookAtLog().catch(() => {});
    await tryWriting().catch(() => {});
    isLooking = false;
  };
  const timer = setInterval(() => void checkAll(), EVERY).unref();

  /** Runs work that writes. @param work resolves to `undefined` where another process holds the lock */
  const write = async <T>(work: () => Promise<T | undefined>): Promise<T | undefined> => {
    try {
      // A failure is ignored here: the write itself will report it.
      await makeRoom().catch(() => {});
      const result = await guard.use(work);
      if (result !== undefined) onWrite(undefined);
      return result;
    } catch (error) {
      if (fault === undefined && error instanceof Unavailable) onWrite(error);
      throw error;
    }
  };
  return {
    write,
    commit: (intents: readonly Intent[]) => write(() => writer.ask('commit', [intents])),
    /** Whether the file can be read, or also written. */
    isReady: (toWrite: boolean): boolean => fault === undefined && !(toWrite && isFailing),
    /** Checks a last time. @returns whether the file may still be used */
    close: (): boolean => {
      clearInterval(timer);
      // Twice, because a change is reported only when it is seen a second time.
      lookAtFile();
      lookAtFile();
      return fault === undefined;
    },
  };
};
