import { writeSync } from 'node:fs';

/** Where lines of the log go. */
export interface LogOutput {
  /** Writes a text, or as much of it as the reader takes at the moment; the rest precedes the next text. */
  readonly write: (text: string) => void;
  /** Waits for a slow reader to take the rest, for up to `DRAIN_MS`. */
  readonly drain?: () => void;
}

/** Bytes that are buffered for a slow reader; beyond them, lines are dropped. */
const MOST = 1_048_576;
/** Milliseconds in all, and between two attempts. */
const DRAIN_MS = 1_000;
const PAUSE_MS = 5;

const pause = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);

/** Writes to standard error. Errors are ignored, because a full disk or a reader that is gone must not end the service. */
export const standardError = (): Required<LogOutput> => {
  const { fd } = process.stderr;
  let rest = Buffer.alloc(0);
  const write = (text: string): void => {
    const next = Buffer.from(text);
    const more = rest.length === 0 ? next : rest.length > MOST ? rest : Buffer.concat([rest, next]);
    let done = 0;
    try {
      while (done < more.length) done += writeSync(fd, more, done);
      rest = Buffer.alloc(0);
    } catch (error) {
      const isSlow = (error as NodeJS.ErrnoException).code === 'EAGAIN';
      rest = isSlow ? more.subarray(done) : Buffer.alloc(0);
    }
  };
  const drain = (): void => {
    const end = Date.now() + DRAIN_MS;
    while (rest.length > 0 && Date.now() < end) {
      pause();
      write('');
    }
  };
  return { write, drain };
};
