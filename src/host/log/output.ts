import { writeSync } from 'node:fs';

/** Where lines of the log go. */
export interface LogOutput {
  /** Writes bytes, or as many of them as the reader takes at the moment; a copy of the rest follows `RETRY_MS` later. */
  readonly write: (bytes: Buffer) => void;
  /** Waits for a slow reader to take the rest, for up to `DRAIN_MS`. */
  readonly drain?: () => void;
}

/** Bytes that are buffered for a slow reader; beyond them, lines are dropped. */
const MOST = 1_048_576;
const RETRY_MS = 50;
/** Milliseconds in all, and between two attempts. */
const DRAIN_MS = 1_000;
const PAUSE_MS = 5;

const pause = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);

/** Writes to standard error. Errors are ignored, because a full disk or a reader that is gone must not end the service. */
export const standardError = (): Required<LogOutput> => {
  const { fd } = process.stderr;
  /** What the reader has not taken: joined with each attempt only, as most lines come while it takes nothing. */
  let waiting: Buffer[] = [];
  let size = 0;
  let timer: NodeJS.Timeout | undefined;
  const writeWaiting = (): void => {
    clearTimeout(timer);
    timer = undefined;
    let rest: Buffer = Buffer.concat(waiting);
    waiting = [];
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') {
        waiting.push(rest);
        timer = setTimeout(writeWaiting, RETRY_MS).unref();
      }
    }
    size = waiting.length > 0 ? rest.length : 0;
  };
  return {
    write: (bytes) => {
      if (size <= MOST) {
        waiting.push(timer ? Buffer.from(bytes) : bytes);
        size += bytes.length;
      }
      if (!timer) writeWaiting();
    },
    drain: () => {
      const end = performance.now() + DRAIN_MS;
      while (size > 0 && performance.now() < end) {
        pause();
        writeWaiting();
      }
    },
  };
};
