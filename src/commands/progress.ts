/** Milliseconds between two looks of a person at a terminal, and between two lines of a log. */
const [GLANCE, LINE] = [100, 10_000];
/** https://en.wikipedia.org/wiki/ANSI_escape_code#CSI: erases the line of the cursor. */
const ERASE = '\r\u001b[K';

/** How far a work has come. */
export interface Progress {
  /** Shows a text in place of the one before; where no terminal is, a line now and then. */
  readonly show: (text: string) => void;
  readonly end: () => void;
}

export const progressOn = (stream: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>): Progress => {
  let [next, isShown] = [stream.isTTY ? 0 : performance.now() + LINE, false];
  return {
    show: (text) => {
      const now = performance.now();
      if (now < next) return;
      next = now + (stream.isTTY ? GLANCE : LINE);
      isShown = stream.isTTY;
      stream.write(stream.isTTY ? `${ERASE}${text}` : `${text}\n`);
    },
    end: () => {
      if (isShown) stream.write(ERASE);
      isShown = false;
    },
  };
};
