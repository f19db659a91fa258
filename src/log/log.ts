import type { LogFormat, ServedRequest } from '../model/log.ts';
import { type EventMembers, type Level, levels, lineFormats } from './lines.ts';
import { type LogOutput, standardError } from './output.ts';

/** Logs one event for each call, with its cause and members for programs. */
export interface Log extends Readonly<Record<Level, (message: string, cause?: unknown, about?: EventMembers) => void>> {
  /** Logs requests at level `debug`; `undefined` where that level is off, so that nothing is recorded for them. */
  readonly requests: ((served: readonly ServedRequest[]) => void) | undefined;
  /** @param tell called before any other event is logged, to log the requests that ended before it */
  readonly beforeEvents: (tell: () => void) => void;
  /** Logs the requests that are not logged yet, and waits a moment for a slow reader; for the end of the process. */
  readonly close: () => void;
}

interface LogOptions {
  /** The least important level that is logged. */
  readonly level: Level;
  /** By default `pretty` on a terminal and `json` elsewhere. */
  readonly format?: LogFormat | undefined;
  /** Names the process, where several write to one place. */
  readonly pid?: number | undefined;
  /** By default standard error, which keeps standard output free. */
  readonly output?: LogOutput;
}

/**
 * Bytes that a write to a pipe keeps together while other processes write to it (POSIX). Nearly every character of a line is
 * one byte.
 */
const PIPE_BUF = 4_096;

/** The lines of several requests are written together; any other event is written at once, after the requests before it. */
export const createLog = ({ level, format, pid, output = standardError() }: LogOptions): Log => {
  const { write, drain } = output;
  const lines = lineFormats[format ?? (process.stderr.isTTY ? 'pretty' : 'json')](pid);
  const enabled = levels.slice(0, levels.indexOf(level) + 1);
  const longest = pid === undefined ? Infinity : PIPE_BUF;
  const before: (() => void)[] = [];
  const flush = (): void => {
    for (const tell of before) tell();
  };
  const writer = (each: Level) => (message: string, cause?: unknown, about?: EventMembers) => {
    if (!enabled.includes(each)) return;
    flush();
    write(lines.event(each, message, cause, about));
  };
  const requests = (served: readonly ServedRequest[]): void => {
    let text = '';
    for (const each of served) {
      const line = lines.request(each);
      if (text.length + line.length > longest) {
        write(text);
        text = '';
      }
      text += line;
    }
    write(text);
  };
  return {
    error: writer('error'),
    warn: writer('warn'),
    info: writer('info'),
    debug: writer('debug'),
    requests: enabled.includes('debug') ? requests : undefined,
    beforeEvents: (tell) => void before.push(tell),
    close: () => {
      flush();
      drain?.();
    },
  };
};
