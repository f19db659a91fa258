import type { LogFormat, ServedRequest } from '../model/log.ts';
import { type About, type Level, levels, linesIn } from './lines.ts';
import { standardError } from './output.ts';

/** One event for each call, with its cause, and with what it is about. */
export interface Log extends Readonly<Record<Level, (message: string, cause?: unknown, about?: About) => void>> {
  /** Of level `debug`; `undefined` where these are not logged, so that nothing is done for them. */
  readonly request: ((served: ServedRequest) => void) | undefined;
  /** Writes what waits to be written. */
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

/** Characters of requests that are written together, and milliseconds that they wait at the most. */
const TOGETHER = 16_384;
const WAIT = 50;
/** Bytes that a pipe takes in one piece, whoever else writes to it (POSIX); a line has hardly a letter that is not ASCII. */
const PIPE_BUF = 4_096;

/** Requests are written together, some fifty at a time, which costs a twentieth; any other event is written at once, after them. */
export const createLog = ({ level, format, pid, write = standardError() }: LogOptions): Log => {
  const lines = linesIn[format ?? (process.stderr.isTTY ? 'pretty' : 'json')](pid);
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
  const writer = (each: Level) => (message: string, cause?: unknown, about?: About) => {
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
