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

/** Writes to standard error. Errors are ignored, because a full disk or a reader that is gone must not end the service. */
export const standardError = (): Required<LogOutput> => {
  const { fd } = process.stderr;
  /** What the reader has not taken; only the first may be the rest of a write. */
  const waiting: Buffer[] = [];
  let size = 0;
  let isTimed = false;
  const retryLater = (): void => {
    if (isTimed) return;
    isTimed = true;
    setTimeout(() => {
      isTimed = false;
      writeWaiting();
    }, RETRY_MS).unref();
  };
  /** @returns how many bytes the reader takes */
  const taken = (bytes: Buffer): number => {
    let done = 0;
    try {
      while (done < bytes.length) done += writeSync(fd, bytes, done);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return bytes.length;
      retryLater();
    }
    return done;
  };
  const writeWaiting = (): void => {
    for (;;) {
      const [first] = waiting;
      if (!first) return;
      const done = taken(first);
      size -= done;
      if (done < first.length) {
        waiting[0] = first.subarray(done);
        return;
      }
      waiting.shift();
    }
  };
  const write = (bytes: Buffer): void => {
    writeWaiting();
    const done = size === 0 ? taken(bytes) : 0;
    if (done === bytes.length || size > MOST) return;
    waiting.push(Buffer.from(bytes.subarray(done)));
    size += bytes.length - done;
  };
  const drain = (): void => {
    const end = performance.now() + DRAIN_MS;
    while (size > 0 && performance.now() < end) {
      pause();
      writeWaiting();
    }
  };
  return { write, drain };
};
