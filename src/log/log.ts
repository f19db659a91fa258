import type { LogFormat, ServedRequest } from '../model/log.ts';
import { type EventMembers, type Level, levels, lineFormats } from './lines.ts';
import { standardError } from './output.ts';

/** Logs one event for each call, with its cause and members for programs. */
export interface Log extends Readonly<Record<Level, (message: string, cause?: unknown, about?: EventMembers) => void>> {
  /** Logs a request at level `debug`; `undefined` where that level is off, so that requests cost nothing. */
  readonly request: ((served: ServedRequest) => void) | undefined;
  /** Writes the lines that are still buffered. */
  readonly flush: () => void;
}

interface LogOptions {
  /** The least important level that is logged. */
  readonly level: Level;
  /** By default `pretty` on a terminal and `json` elsewhere. */
  readonly format?: LogFormat | undefined;
  /** Names the process, where several write to one place. */
  readonly pid?: number | undefined;
  /** Writes lines; by default to standard error, which keeps standard output free. */
  readonly write?: (lines: string) => void;
}

/** Characters of request lines that are buffered, and the most milliseconds that they wait. */
const TOGETHER = 16_384;
const WAIT = 50;
/**
 * Bytes that a write to a pipe keeps together while other processes write to it (POSIX). Nearly every character of a line is
 * one byte.
 */
const PIPE_BUF = 4_096;

/** Request lines are written some fifty at a time, at a twentieth of the cost; any other event is written at once, after them. */
export const createLog = ({ level, format, pid, write = standardError() }: LogOptions): Log => {
  const lines = lineFormats[format ?? (process.stderr.isTTY ? 'pretty' : 'json')](pid);
  const enabled = levels.slice(0, levels.indexOf(level) + 1);
  const piece = pid === undefined ? TOGETHER : PIPE_BUF;
  let waiting = '';
  let late: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(late);
    late = undefined;
    if (waiting === '') return;
    const text = waiting;
    waiting = '';
    write(text);
  };
  const writer = (each: Level) => (message: string, cause?: unknown, about?: EventMembers) => {
    if (!enabled.includes(each)) return;
    flush();
    write(lines.event(each, message, cause, about));
  };
  const request = (served: ServedRequest): void => {
    const line = lines.request(served);
    if (waiting.length + line.length > piece) flush();
    waiting += line;
    late ??= setTimeout(flush, WAIT).unref();
  };
  return {
    error: writer('error'),
    warn: writer('warn'),
    info: writer('info'),
    debug: writer('debug'),
    request: enabled.includes('debug') ? request : undefined,
    flush,
  };
};
