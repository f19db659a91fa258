import { writeSync } from 'node:fs';
import type { LogFormat, ServedRequest } from './model/log.ts';

const levels = ['error', 'warn', 'info', 'debug'] as const;
type Level = (typeof levels)[number];

/** One event for each call, with its cause. */
export interface Log extends Readonly<Record<Level, (message: string, cause?: unknown) => void>> {
  /** Of level `debug`; `undefined` where these are not logged, so that nothing is done for them. */
  readonly request: ((served: ServedRequest) => void) | undefined;
}

/** Writes each event as one line, but for a cause in `pretty`, which is for people. */
interface Format {
  readonly event: (level: Level, message: string, cause: unknown) => string;
  readonly request: (served: ServedRequest) => string;
}

const now = (): string => new Date().toISOString();

const textOf = (cause: unknown): string => (cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));

const pretty = (pid: number | undefined): Format => {
  const who = pid === undefined ? '' : `[${pid}] `;
  const event = (level: Level, message: string, cause?: unknown): string => {
    const detail = cause === undefined ? '' : `\n  ${textOf(cause).replaceAll('\n', '\n  ')}`;
    return `${now()} ${level.padEnd(5)} ${who}${message}${detail}\n`;
  };
  return {
    event,
    request: ({ method, path, status = 'aborted', duration, bytes, requestId, client }) => {
      const named = client === undefined ? '' : ` ${client}`;
      return event('debug', `${method} ${path} ${status} ${duration.toFixed(1)} ms ${bytes} B ${requestId}${named}`);
    },
  };
};

const json = (pid: number | undefined): Format => ({
  event: (level, message, cause) =>
    `${JSON.stringify({ time: now(), level, pid, message, cause: cause === undefined ? undefined : textOf(cause) })}\n`,
  request: (served) => {
    const duration = Math.round(served.duration * 1_000) / 1_000;
    return `${JSON.stringify({ time: now(), level: 'debug', pid, message: 'request', ...served, duration })}\n`;
  },
});

const formats: Readonly<Record<LogFormat, (pid: number | undefined) => Format>> = { pretty, json };

/** A log that cannot be written ends nothing: its disk may be full, or its reader gone. A later line may get through. */
const toStandardError = (line: string): void => {
  try {
    writeSync(process.stderr.fd, line);
  } catch {
    // There is nowhere to tell it.
  }
};

/** Bytes that a pipe takes in one piece, whoever else writes to it (POSIX); a line has hardly a letter that is not ASCII. */
const PIPE_BUF = 4_096;

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

/** Requests that end in one turn of the event loop are written together, all in their order. */
export const createLog = ({ level, format, pid, write = toStandardError }: LogOptions): Log => {
  const lines = formats[format ?? (process.stderr.isTTY ? 'pretty' : 'json')](pid);
  const enabled = levels.slice(0, levels.indexOf(level) + 1);
  const piece = pid === undefined ? Number.POSITIVE_INFINITY : PIPE_BUF;
  let waiting = '';
  const flush = (): void => {
    if (waiting === '') return;
    const text = waiting;
    waiting = '';
    write(text);
  };
  const writer = (each: Level) => (message: string, cause?: unknown) => {
    if (!enabled.includes(each)) return;
    flush();
    write(lines.event(each, message, cause));
  };
  const request = (served: ServedRequest): void => {
    const line = lines.request(served);
    if (waiting.length + line.length > piece) flush();
    if (waiting === '') setImmediate(flush);
    waiting += line;
  };
  return {
    error: writer('error'),
    warn: writer('warn'),
    info: writer('info'),
    debug: writer('debug'),
    request: enabled.includes('debug') ? request : undefined,
  };
};
