import { writeSync } from 'node:fs';

/** Bytes that wait for a reader who is slow; beyond them, lines are lost. */
const MOST = 1_048_576;

/**
 * Writes to standard error. A log that cannot be written ends nothing: its disk may be full, or its reader gone. A later line
 * may get through.
 *
 * @returns writes a text, or as much as its reader takes at the moment; the rest comes before the next one
 */
export const standardError = (): ((text: string) => void) => {
  const { fd } = process.stderr;
  let rest = Buffer.alloc(0);
  return (text) => {
    const more = rest.length > MOST ? rest : Buffer.concat([rest, Buffer.from(text)]);
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
