/** What is reported of many events alike: the first one at once, the others together or not at all. */
import type { RequestIds } from '../../gateway/http/respond.ts';
import type { Log } from './log.ts';

/** Milliseconds between two reports of a kind. */
const INTERVAL = 60_000;

/** The most kinds of faults that are counted apart; a message may contain what a client sent. */
const KINDS = 100;
const OTHER = 'other faults';

const faultKind = (fault: unknown): string => String(fault).split('\n', 1)[0] ?? '';

/**
 * @returns a function that logs why a request failed: the first fault of a kind in full, then once a minute how many more
 *   there were
 */
export const faultReport = ({ error }: Pick<Log, 'error'>): ((fault: unknown, request: RequestIds) => void) => {
  const repeated = new Map<string, number>();
  const watch = (kind: string): void => {
    repeated.set(kind, 0);
    setTimeout(summarize, INTERVAL, kind).unref();
  };
  const summarize = (kind: string): void => {
    const times = repeated.get(kind) ?? 0;
    repeated.delete(kind);
    if (times === 0) return;
    error(`${times} more failed within a minute: ${kind}`);
    watch(kind);
  };
  return (fault, { id: requestId, traceId }) => {
    const own = faultKind(fault);
    const kind = repeated.has(own) || repeated.size < KINDS ? own : OTHER;
    const times = repeated.get(kind);
    if (times === undefined) {
      error(`request ${requestId} failed`, fault, { requestId, traceId });
      watch(kind);
    } else repeated.set(kind, times + 1);
  };
};

/** The most addresses that are warned of in a minute. */
const ADDRESSES = 1_000;

/** What an operator should know of: somebody who has no key at all may only have followed a link. */
const WARNINGS: Readonly<Record<string, string>> = {
  'key-invalid': 'their key or token is not valid',
  'scope-missing': 'their key or token lacks the scope',
  'rate-limited': 'they are beyond RATE_LIMIT',
};

/**
 * @returns a function that warns of requests that are refused for a reason, the sentence that their client reads; of each
 *   address at most once a minute
 */
export const refusalReport = ({ warn }: Pick<Log, 'warn'>) => {
  const told = new Set<string>();
  return (reason: string, address = '', client?: string): void => {
    const why = WARNINGS[reason];
    if (why === undefined || told.has(address) || told.size >= ADDRESSES) return;
    if (told.size === 0) setTimeout(() => told.clear(), INTERVAL).unref();
    told.add(address);
    const who = [client, address].filter(Boolean).join(', ');
    warn(`requests of ${who} are refused: ${why}`, undefined, { reason, address, client });
  };
};
