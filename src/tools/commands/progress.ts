import type { Say } from './command-error.ts';

/** Milliseconds between two updates on a terminal, and between two lines of a log. */
const [GLANCE, LINE] = [100, 10_000];
/** https://en.wikipedia.org/wiki/ANSI_escape_code#CSI: erases the line of the cursor. */
const ERASE = '\r\u001b[K';

/** What a command is doing with rows. */
type Step = 'reading-rows' | 'storing-rows' | 'writing-rows';

/** @param share from 0 to 1 */
export function progressLine(say: Say, step: Step, share: number, count: number, seconds: number): string {
  const rate = Math.round(count / Math.max(seconds, 0.001));
  const done = say('rows-done', { step: say(step), percent: Math.floor(100 * share), count, rate });
  if (share === 0) return done;
  const left = Math.floor((seconds * (1 - share)) / share);
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  return `${done} ${say('time-left', { left: clock })}`;
}

/** Shows progress: on a terminal in place of the line before, else as a line now and then. */
export class Progress {
  readonly #say: Say;
  readonly #isTerminal = process.stderr.isTTY;
  #next = this.#isTerminal ? 0 : performance.now() + LINE;
  #isShown = false;
  #step: Step | undefined;
  #begun = 0;

  constructor(say: Say) {
    this.#say = say;
  }

  show(text: string): void {
    const now = performance.now();
    if (now < this.#next) return;
    this.#next = now + (this.#isTerminal ? GLANCE : LINE);
    this.#isShown = this.#isTerminal;
    process.stderr.write(this.#isTerminal ? `${ERASE}${text}` : `${text}\n`);
  }

  /**
   * Shows how far a step is; each has a rate and a time left of its own.
   *
   * @param share about from 0 to 1
   */
  showRows(step: Step, share: number, rows: number): void {
    const now = performance.now();
    if (step !== this.#step) [this.#step, this.#begun] = [step, now];
    const seconds = (now - this.#begun) / 1_000;
    this.show(progressLine(this.#say, step, Math.min(1, Math.max(0, share)), rows, seconds));
  }

  /** Erases what is shown. */
  end(): void {
    if (this.#isShown) process.stderr.write(ERASE);
    this.#isShown = false;
  }
}
