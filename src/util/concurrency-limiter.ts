/** Why work was refused: `busy` if too much runs and waits, or it has waited too long; `client` if its client has its share; `aborted` if its client has left. */
export type Refusal = 'busy' | 'client' | 'aborted';

export interface ConcurrencyLimits {
  readonly limit: number;
  /** The most that waits; more is refused at once. By default nothing waits. */
  readonly queue?: number;
  /** Milliseconds after which what still waits is refused. */
  readonly timeout?: number;
  readonly refuse: (refusal: Refusal) => Error;
}

/** Whom the work is for. Work without a client has no share of its own, and work without a signal waits until its turn or the timeout. */
interface Applicant {
  readonly client?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Limits how much work runs at a time. The rest waits in the order of its arrival, and no client takes more than its share. */
export class ConcurrencyLimiter {
  readonly #limits: ConcurrencyLimits;
  readonly #most: number;
  readonly #mostOfClient: number;
  readonly #clients = new Map<string, number>();
  readonly #waiting = new Set<() => void>();
  #running = 0;

  /** @param share is the part (0–1) of all that runs and waits that one client may have; it may always have one */
  constructor(limits: ConcurrencyLimits, share = 1) {
    this.#limits = limits;
    this.#most = limits.limit + (limits.queue ?? 0);
    this.#mostOfClient = Math.max(1, Math.floor(this.#most * share));
  }

  async acquire({ client, signal }: Applicant = {}): Promise<() => void> {
    const { limit, refuse } = this.#limits;
    if (signal?.aborted) throw refuse('aborted');
    if (this.#running + this.#waiting.size >= this.#most) throw refuse('busy');
    if (client !== undefined && (this.#clients.get(client) ?? 0) >= this.#mostOfClient) throw refuse('client');
    this.#count(client, 1);
    try {
      if (this.#running < limit) this.#running += 1;
      else await this.#wait(signal);
    } catch (error) {
      this.#count(client, -1);
      throw error;
    }
    let isDone = false;
    return () => {
      if (isDone) return;
      isDone = true;
      this.#count(client, -1);
      // The next one takes the place, so that nobody comes in between.
      const [next] = this.#waiting;
      if (next) next();
      else this.#running -= 1;
    };
  }

  async run<T>(work: () => Promise<T>, applicant?: Applicant): Promise<T> {
    const release = await this.acquire(applicant);
    try {
      if (applicant?.signal?.aborted) throw this.#limits.refuse('aborted');
      return await work();
    } finally {
      release();
    }
  }

  #count(client: string | undefined, change: 1 | -1): void {
    if (client === undefined) return;
    const count = (this.#clients.get(client) ?? 0) + change;
    if (count > 0) this.#clients.set(client, count);
    else this.#clients.delete(client);
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    const { timeout = 0, refuse } = this.#limits;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const settle = (refusal?: Refusal): void => {
      this.#waiting.delete(settle);
      if (refusal) reject(refuse(refusal));
      else resolve();
    };
    const abort = (): void => settle('aborted');
    const timer = setTimeout(settle, timeout, 'busy');
    this.#waiting.add(settle);
    signal?.addEventListener('abort', abort);
    await promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    });
  }
}
