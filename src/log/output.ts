import { writeSync } from 'node:fs';

/** Bytes that are buffered for a slow reader; beyond them, lines are dropped. */
const MOST = 1_048_576;

/**
 * Writes to standard error. A failure is ignored, because the disk may be full or the reader gone; later lines may succeed.
 *
 * @returns a function that writes a text, or as much as the reader takes at the moment; the rest precedes the next text
 */
export const standardError = (): ((text: string) => void) => {
  const { fd } = process.stderr;
  let rest = Buffer.alloc(0);
  return (text) => {
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
};
