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

const NOTHING = Buffer.alloc(0);

const pause = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);

/** Writes to standard error. Errors are ignored, because a full disk or a reader that is gone must not end the service. */
export const standardError = (): Required<LogOutput> => {
  const { fd } = process.stderr;
  let rest = NOTHING;
  let isTimed = false;
  const retryLater = (): void => {
    if (isTimed) return;
    isTimed = true;
    setTimeout(() => {
      isTimed = false;
      if (rest.length > 0) write(NOTHING);
    }, RETRY_MS).unref();
  };
  const write = (next: Buffer): void => {
    const more = rest.length === 0 ? next : rest.length > MOST ? rest : Buffer.concat([rest, next]);
    let done = 0;
    try {
      while (done < more.length) done += writeSync(fd, more, done);
      rest = NOTHING;
    } catch (error) {
      const isSlow = (error as NodeJS.ErrnoException).code === 'EAGAIN';
      rest = isSlow ? Buffer.from(more.subarray(done)) : NOTHING;
      if (isSlow) retryLater();
    }
  };
  const drain = (): void => {
    const end = Date.now() + DRAIN_MS;
    while (rest.length > 0 && Date.now() < end) {
      pause();
      write(NOTHING);
    }
  };
  return { write, drain };
};
