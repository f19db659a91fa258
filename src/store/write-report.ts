/** Milliseconds for which writes succeed before the log says so: at the edge of a full disk one fails and the next does not. */
const STABLE = 1_000;

/** Logs once that writes fail, and once that they succeed again. */
export class WriteReport {
  readonly #report: (line: string) => void;
  #reason: string | undefined;
  #recovering: NodeJS.Timeout | undefined;

  constructor(report: (line: string) => void) {
    this.#report = report;
  }

  failed(reason: string): void {
    clearTimeout(this.#recovering);
    this.#recovering = undefined;
    if (reason !== this.#reason) this.#report(`takes no writes: ${reason}`);
    this.#reason = reason;
  }

  succeeded(): void {
    if (this.#reason === undefined || this.#recovering) return;
    this.#recovering = setTimeout(() => {
      this.#reason = undefined;
      this.#recovering = undefined;
      this.#report('takes writes again');
    }, STABLE).unref();
  }
}
