import type { MaybePromise } from '../util/maybe-promise.ts';

/** Calls listeners when something has changed: at once if this process has changed it, and otherwise by a look now and then. */
export class ChangeWatcher {
  readonly #readVersion: () => MaybePromise<unknown>;
  readonly #interval: number;
  readonly #listeners = new Set<() => void>();
  #version: unknown;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(readVersion: () => MaybePromise<unknown>, interval: number) {
    this.#readVersion = readVersion;
    this.#interval = interval;
  }

  readonly emit = (): void => {
    for (const listener of this.#listeners) listener();
  };

  readonly watch = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    this.#timer ??= setInterval(() => void this.#look(), this.#interval).unref();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  };

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const version = await this.#readVersion();
      if (version !== this.#version) this.emit();
      this.#version = version;
    } catch {}
    this.#isLooking = false;
  }
}

/** Milliseconds for which writes succeed before the log says so: at the edge of a full disk one fails and the next does not. */
const STABLE = 1_000;

export class WriteLog {
  readonly #warn: (line: string) => void;
  #reason: string | undefined;
  #recovering: NodeJS.Timeout | undefined;

  constructor(warn: (line: string) => void) {
    this.#warn = warn;
  }

  failed(reason: string): void {
    clearTimeout(this.#recovering);
    this.#recovering = undefined;
    if (reason !== this.#reason) this.#warn(`takes no writes: ${reason}`);
    this.#reason = reason;
  }

  succeeded(): void {
    if (this.#reason === undefined || this.#recovering) return;
    this.#recovering = setTimeout(() => {
      this.#reason = undefined;
      this.#recovering = undefined;
      this.#warn('takes writes again');
    }, STABLE).unref();
  }
}
