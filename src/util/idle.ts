/** Milliseconds after which what is idle ends. */
const KEPT = 20_000;

/** Lends what is costly to start, such as threads, and keeps some of it for a while when it comes back. */
export class IdlePool<T> {
  readonly #most: number;
  readonly #start: () => T;
  readonly #end: (item: T) => Promise<unknown>;
  readonly #idle = new Map<T, NodeJS.Timeout>();

  /** @param most that are idle at a time; one more that comes back is ended at once */
  constructor(most: number, start: () => T, end: (item: T) => Promise<unknown>) {
    this.#most = most;
    this.#start = start;
    this.#end = end;
  }

  take(): T {
    const [item = this.#start()] = this.#idle.keys();
    this.forget(item);
    return item;
  }

  giveBack(item: T): void {
    if (this.#idle.size < this.#most) this.#idle.set(item, setTimeout(() => this.#endIdle(item), KEPT).unref());
    else void this.#end(item);
  }

  forget(item: T): void {
    clearTimeout(this.#idle.get(item));
    this.#idle.delete(item);
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.#idle.keys()].map((item) => this.#endIdle(item)));
  }

  async #endIdle(item: T): Promise<void> {
    this.forget(item);
    await this.#end(item);
  }
}
