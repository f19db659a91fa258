import { pino } from 'pino';
import {
  type EventMembers,
  type Level,
  type LogFormat,
  type LoggedChange,
  levels,
  type ServedRequest,
} from './events.ts';
import { type LogOutput, standardError } from './output.ts';
import { prettyLine } from './pretty.ts';

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

/** Milliseconds after which the lines of requests and changes are written at the latest. */
const WAIT = 50;
/** Characters that are written at once. A longer line is written alone. */
const MOST_WAITING = 65_536;

/** Writes lines together, because a write costs far more than a line. */
class LineBuffer {
  readonly #write: LogOutput['write'];
  #lines = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(write: LogOutput['write']) {
    this.#write = write;
  }

  add(line: string): void {
    if (this.#lines.length + line.length > MOST_WAITING) this.flush();
    this.#lines += line;
    this.#timer ??= setTimeout(() => this.flush(), WAIT).unref();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lines !== '') this.#write(Buffer.from(this.#lines));
    this.#lines = '';
  }
}

/** @returns milliseconds with at most three decimal places */
const roundDuration = (duration: number | undefined): number | undefined =>
  duration === undefined ? undefined : Math.round(duration * 1_000) / 1_000;

const causeText = (cause: unknown): string | undefined => {
  if (cause === undefined) return undefined;
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
};

/** The lines of many requests and changes are written together; any other event is written at once, after those before it. */
export function createLog({ level, format, output = standardError() }: LogOptions): Log {
  const isPretty = (format ?? (process.stderr.isTTY ? 'pretty' : 'json')) === 'pretty';
  const lines = new LineBuffer(output.write);
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line) => lines.add(isPretty ? prettyLine(line) : line) },
  );
  const writer = (each: Level) => (message: string, cause?: unknown, about?: EventMembers) => {
    logger[each]({ cause: causeText(cause), ...about }, message);
    lines.flush();
  };
  const isEnabled = (each: Level): boolean => levels.indexOf(each) <= levels.indexOf(level);
  return {
    error: writer('error'),
    warn: writer('warn'),
    info: writer('info'),
    debug: writer('debug'),
    request: isEnabled('debug')
      ? (served) => logger.debug({ ...served, duration: roundDuration(served.duration) }, 'request')
      : undefined,
    change: isEnabled('info') ? (change) => logger.info(change, 'change') : undefined,
    close: () => {
      lines.flush();
      output.drain?.();
    },
  };
}
