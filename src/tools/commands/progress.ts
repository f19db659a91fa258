import type { CommandTranslator } from '../../gateway/locale/translators.ts';

/** Milliseconds between two updates on a terminal, and between two lines of a log. */
const [GLANCE, LINE] = [100, 10_000];
/** https://en.wikipedia.org/wiki/ANSI_escape_code#CSI: erases the line of the cursor. */
const ERASE = '\r\u001b[K';
/** Characters of a bar. */
const WIDTH = 24;

/** What a command is doing with rows. */
type Step = 'reading-rows' | 'storing-rows' | 'writing-rows';

const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** How far a step has come. */
interface StepProgress {
  readonly step: Step;
  readonly share: number;
  readonly rows: number;
  readonly seconds: number;
}

/** @param hasBar whether it is shown on a terminal */
export const progressLine = (
  say: CommandTranslator,
  { step, share, rows, seconds }: StepProgress,
  hasBar: boolean,
): string => {
  const rate = Math.round(rows / Math.max(seconds, 0.001));
  const done = say('rows-done', { step: say(step), percent: Math.floor(100 * share), count: rows, rate });
  const left = share > 0 ? [say('time-left', { left: clock((seconds * (1 - share)) / share) })] : [];
  const full = Math.round(WIDTH * share);
  const bar = hasBar ? [`[${'#'.repeat(full)}${'-'.repeat(WIDTH - full)}]`] : [];
  return [...bar, done, ...left].join(' ');
};

/** Shows progress: on a terminal in place of the line before, else as a line now and then. */
export class Progress {
  readonly #stream: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>;
  readonly #say: CommandTranslator;
  #next: number;
  #isShown = false;
  #step: Step | undefined;
  #begun = 0;

  constructor(stream: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>, say: CommandTranslator) {
    this.#stream = stream;
    this.#say = say;
    this.#next = stream.isTTY ? 0 : performance.now() + LINE;
  }

  show(text: string): void {
    const { isTTY } = this.#stream;
    const now = performance.now();
    if (now < this.#next) return;
    this.#next = now + (isTTY ? GLANCE : LINE);
    this.#isShown = isTTY;
    this.#stream.write(isTTY ? `${ERASE}${text}` : `${text}\n`);
  }

  /**
   * A bar on a terminal; each step has a rate and a time left of its own.
   *
   * @param share from 0 to 1
   */
  showRows(step: Step, share: number, rows: number): void {
    const now = performance.now();
    if (step !== this.#step) [this.#step, this.#begun] = [step, now];
    const done = { step, share: Math.min(1, Math.max(0, share)), rows, seconds: (now - this.#begun) / 1_000 };
    if (now >= this.#next) this.show(progressLine(this.#say, done, this.#stream.isTTY));
  }

  /** Erases what is shown. */
  end(): void {
    if (this.#isShown) this.#stream.write(ERASE);
    this.#isShown = false;
  }
}
