import { writeSync } from 'node:fs';

/** Where lines of the log go. */
export interface LogOutput {
  /** Writes bytes, or as many of them as the reader takes at the moment; a copy of the rest follows `RETRY_MS` later, or before the next. */
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

const NOTHING = Buffer.alloc(0);

/** Writes to standard error. Errors are ignored, because a full disk or a reader that is gone must not end the service. */
export const standardError = (): Required<LogOutput> => {
  const { fd } = process.stderr;
  /** What the reader has not taken. */
  let rest: Buffer = NOTHING;
  let timer: NodeJS.Timeout | undefined;
  const writeRest = (): void => {
    clearTimeout(timer);
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') timer = setTimeout(writeRest, RETRY_MS).unref();
      else rest = NOTHING;
    }
  };
  return {
    write: (bytes) => {
      if (rest.length <= MOST) rest = Buffer.concat([rest, bytes]);
      writeRest();
    },
    drain: () => {
      const end = performance.now() + DRAIN_MS;
      while (rest.length > 0 && performance.now() < end) {
        pause();
        writeRest();
      }
    },
  };
};
