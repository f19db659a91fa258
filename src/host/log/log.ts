import type { LogFormat, LoggedChange, ServedRequest } from './events.ts';
import { type EventMembers, type Level, levels, lineFormats } from './lines.ts';
import { type LogOutput, standardError } from './output.ts';

/** Logs one event for each call, with its cause and members for programs. */
export interface Log extends Readonly<Record<Level, (message: string, cause?: unknown, about?: EventMembers) => void>> {
  /** Logs a request at level `debug`; `undefined` where that level is off, so that nothing is recorded for it. */
  readonly request: ((served: ServedRequest) => void) | undefined;
  /** Logs a change at level `info`; `undefined` where that level is off. */
  readonly change: ((change: LoggedChange) => void) | undefined;
  /** Writes what is not written yet, and waits a moment for a slow reader; for the end of the process. */
  readonly close: () => void;
}

interface LogOptions {
  /** The least important level that is logged. */
  readonly level: Level;
  /** By default `pretty` on a terminal and `json` elsewhere. */
  readonly format?: LogFormat | undefined;
  /** By default standard error, which keeps standard output free. */
  readonly output?: LogOutput;
}

/** The most bytes that are written at once; a longer line is written alone. */
const AT_ONCE = 65_536;

/** Milliseconds after which the lines of requests and changes are written at the latest. */
const WAIT = 50;

/** Bytes of UTF-8 for a UTF-16 unit, at most. */
const MOST_BYTES = 3;

/**
 * Writes lines together, because a write costs far more than a line.
 *
 * @param capacity the most bytes that are written at once; a longer line is written alone
 */
const lineWriter = (write: (bytes: Buffer) => void, capacity: number) => {
  const waiting = Buffer.allocUnsafe(capacity);
  let size = 0;
  /** Writes the lines that wait. */
  const flush = (): void => {
    if (size > 0) write(waiting.subarray(0, size));
    size = 0;
  };
  return {
    /** Adds a line; those before it are written where they have no room beside it. */
    add: (line: string): void => {
      const most = MOST_BYTES * line.length;
      if (size + most > capacity) flush();
      if (most > capacity) write(Buffer.from(line));
      else size += waiting.write(line, size);
    },
    flush,
  };
};

/** The lines of many requests and changes are written together; any other event is written at once, after the requests before it. */
export const createLog = ({ level, format, output = standardError() }: LogOptions): Log => {
  const { add, flush } = lineWriter(output.write, AT_ONCE);
  const lines = lineFormats[format ?? (process.stderr.isTTY ? 'pretty' : 'json')];
  const enabled = levels.slice(0, levels.indexOf(level) + 1);
  let timer: NodeJS.Timeout | undefined;
  /** Requests and changes: a write for each would cost more than its line. */
  const addSoon = (line: string): void => {
    add(line);
    if (timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      flush();
    }, WAIT).unref();
  };
  const writer = (each: Level) => (message: string, cause?: unknown, about?: EventMembers) => {
    if (!enabled.includes(each)) return;
    add(lines.event(each, message, cause, about));
    flush();
  };
  return {
    error: writer('error'),
    warn: writer('warn'),
    info: writer('info'),
    debug: writer('debug'),
    request: enabled.includes('debug') ? (served) => addSoon(lines.request(served)) : undefined,
    change: enabled.includes('info') ? (change) => addSoon(lines.change(change)) : undefined,
    close: () => {
      flush();
      output.drain?.();
    },
  };
};
