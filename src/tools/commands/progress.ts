import type { Say } from './command-error.ts';

/** Milliseconds between two updates on a terminal, and between two lines of a log. */
const [ON_TERMINAL, IN_LOG] = [100, 10_000];
/** https://en.wikipedia.org/wiki/ANSI_escape_code#CSI: erases the line of the cursor. */
const ERASE = '\r\u001b[K';

/** Shows progress: on a terminal in place of the line before, else as a line now and then. */
export class Progress {
  readonly #say: Say;
  readonly #isTerminal = process.stderr.isTTY;
  readonly #begun = performance.now();
  #next = this.#isTerminal ? 0 : this.#begun + IN_LOG;
  #isShown = false;

  constructor(say: Say) {
    this.#say = say;
  }

  show(text: string): void {
    const now = performance.now();
    if (now < this.#next) return;
    this.#next = now + (this.#isTerminal ? ON_TERMINAL : IN_LOG);
    this.#isShown = this.#isTerminal;
    process.stderr.write(this.#isTerminal ? `${ERASE}${text}` : `${text}\n`);
  }

  showRows(step: 'reading-rows' | 'storing-rows' | 'writing-rows', share: number, count: number): void {
    const percent = Math.floor(100 * Math.min(1, share));
    const rate = Math.round((1_000 * count) / (performance.now() - this.#begun));
    this.show(this.#say('rows-done', { step: this.#say(step), percent, count, rate }));
  }

  end(): void {
    if (this.#isShown) process.stderr.write(ERASE);
    this.#isShown = false;
  }
}
