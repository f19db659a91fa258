/** Writes lines together, because a write costs far more than a line. */
export interface LineWriter {
  /** Adds a line, which is written when there is no room for the next one. */
  readonly add: (line: string) => void;
  /** Writes the lines that wait. */
  readonly flush: () => void;
}

/** The most bytes of a UTF-16 code unit in UTF-8. */
const WIDEST = 3;

/**
 * @param write must not keep the bytes
 * @param capacity bytes that are written at once; a longer line is written alone
 */
export const lineWriter = (write: (bytes: Buffer) => void, capacity: number): LineWriter => {
  const buffer = Buffer.allocUnsafeSlow(capacity);
  let used = 0;
  const flush = (): void => {
    if (used > 0) write(buffer.subarray(0, used));
    used = 0;
  };
  const hasRoom = (line: string): boolean =>
    used + line.length * WIDEST <= capacity || used + Buffer.byteLength(line) <= capacity;
  return {
    add: (line) => {
      if (!hasRoom(line)) flush();
      if (hasRoom(line)) used += buffer.write(line, used);
      else write(Buffer.from(line));
    },
    flush,
  };
};
