import type { RequestIds } from '../../gateway/http/respond.ts';
import type { Log } from './log.ts';

/** Milliseconds between two summaries of a kind. */
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
