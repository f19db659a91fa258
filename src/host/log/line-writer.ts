/**
 * Writes lines together, because a write costs far more than a line.
 *
 * @param capacity the most bytes that are written at once; a longer line is written alone
 */
export const lineWriter = (write: (bytes: Buffer) => void, capacity: number) => {
  let waiting = '';
  let size = 0;
  /** Writes the lines that wait. */
  const flush = (): void => {
    if (size > 0) write(Buffer.from(waiting));
    waiting = '';
    size = 0;
  };
  return {
    /** Adds a line; those before it are written where they have no room beside it. */
    add: (line: string): void => {
      const own = Buffer.byteLength(line);
      if (size + own > capacity) flush();
      waiting += line;
      size += own;
    },
    flush,
  };
};
