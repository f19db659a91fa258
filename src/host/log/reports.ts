/** Reports of many similar events: the first one in a minute in full, the others together or not at all. */
import type { RequestIds } from '../../gateway/http/exchange.ts';
import type { Log } from './log.ts';

const MINUTE = 60_000;
/** The most kinds of faults, and of addresses, that are reported in a minute; both may contain what a client sent. */
const [FAULTS, ADDRESSES] = [100, 1_000];
const OTHER = 'other faults';

class Repetitions {
  readonly #counts = new Map<string, number>();
  readonly #most: number;
  readonly #summarize: (kind: string, count: number) => void;

  constructor(most: number, summarize: (kind: string, count: number) => void = () => {}) {
    this.#most = most;
    this.#summarize = summarize;
  }

  isFirst(kind: string): boolean {
    const counted = this.#counts.has(kind) || this.#counts.size < this.#most ? kind : OTHER;
    const count = this.#counts.get(counted);
    this.#counts.set(counted, (count ?? -1) + 1);
    if (count === undefined) setTimeout(() => this.#end(counted), MINUTE).unref();
    return count === undefined;
  }

  #end(kind: string): void {
    const count = this.#counts.get(kind) ?? 0;
    this.#counts.delete(kind);
    if (count > 0) this.#summarize(kind, count);
  }
}

/** @returns a function that logs why a request failed */
export function reportFaults({ error }: Pick<Log, 'error'>): (fault: unknown, request: RequestIds) => void {
  const repetitions = new Repetitions(FAULTS, (kind, count) => error(`${count} more failed within a minute: ${kind}`));
  return (fault, { id: requestId, traceId }) => {
    if (!repetitions.isFirst(String(fault).split('\n', 1)[0] ?? '')) return;
    error(`request ${requestId} failed`, fault, { requestId, traceId });
  };
}

/** What an operator should know of: somebody who has no key at all may only have followed a link. */
const WARNINGS: Readonly<Record<string, string>> = {
  'key-invalid': 'their key or token is not valid',
  'scope-missing': 'their key or token lacks the scope',
  'rate-limited': 'they are beyond RATE_LIMIT',
};

/** @returns a function that warns of refused requests, by the sentence that their client reads */
export function reportRefusals({ warn }: Pick<Log, 'warn'>) {
  const repetitions = new Repetitions(ADDRESSES);
  return (reason: string, address = '', client?: string): void => {
    const why = WARNINGS[reason];
    if (why === undefined || !repetitions.isFirst(address)) return;
    const who = [client, address].filter(Boolean).join(', ');
    warn(`requests of ${who} are refused: ${why}`, undefined, { reason, address, client });
  };
}
