import { writeSync } from 'node:fs';

/** Milliseconds after which lines are written at the latest, and after which a slow reader is tried again. */
const WAIT = 50;
/** Characters that are written at once. A longer line is written alone. */
const MOST_AT_ONCE = 65_536;
/** Bytes that are kept for a slow reader; beyond them, lines are dropped. */
const MOST_KEPT = 1_048_576;
/** Milliseconds for which the end of the process waits for a slow reader, and between two attempts. */
const [DRAIN, PAUSE] = [1_000, 5];

const NOTHING = Buffer.alloc(0);

function writeToStandardError(bytes: Buffer): number {
  return writeSync(process.stderr.fd, bytes);
}

/** Writes lines together, because a write costs far more than a line, and waits for no reader. */
export class LineWriter {
  readonly #write: (bytes: Buffer) => number;
  #lines = '';
  #rest: Buffer = NOTHING;
  #timer: NodeJS.Timeout | undefined;

  constructor(write = writeToStandardError) {
    this.#write = write;
  }

  add(line: string): void {
    if (this.#lines.length + line.length > MOST_AT_ONCE) this.flush();
    if (this.#lines.length + this.#rest.length > MOST_KEPT) return;
    this.#lines += line;
    this.#timer ??= setTimeout(() => this.#send(), WAIT).unref();
  }

  /** Writes what waits, unless a slow reader has to be waited for. */
  flush(): void {
    if (this.#rest.length === 0) this.#send();
  }

  drain(): void {
    const end = performance.now() + DRAIN;
    this.#send();
    while (this.#rest.length > 0 && performance.now() < end) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
      this.#send();
    }
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    let bytes = Buffer.concat([this.#rest, Buffer.from(this.#lines)]);
    this.#lines = '';
    this.#rest = NOTHING;
    try {
      while (bytes.length > 0) bytes = bytes.subarray(this.#write(bytes));
    } catch (error) {
      // Other errors are ignored, because a full disk or a reader that is gone must not end the service.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      this.#rest = bytes;
      this.#timer = setTimeout(() => this.#send(), WAIT).unref();
    }
  }
}
