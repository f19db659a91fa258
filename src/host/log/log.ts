/** The log: events, requests and changes as lines, for people or for programs. */
import { pino } from 'pino';
import type { ChangeEvent } from '../../gateway/collections/resource.ts';
import type { RouteMatch } from '../../gateway/http/context.ts';
import { LineWriter } from './line-writer.ts';

export const logFormats = ['pretty', 'json'] as const;
type LogFormat = (typeof logFormats)[number];

/** From the most important to the least. */
export const levels = ['error', 'warn', 'info', 'debug'] as const;
type Level = (typeof levels)[number];

/** A completed request, as metrics count it: every member has a bounded number of values. */
export interface CountedRequest extends RouteMatch {
  readonly method: string;
  /** `undefined` if the connection ended before there was a response. */
  readonly status: number | undefined;
  /** Milliseconds from the request's headers to the end of its response; `undefined` if the headers were incomplete. */
  readonly duration: number | undefined;
}

interface Sender {
  readonly requestId: string;
  /** The name of the client's key, or its token's subject. */
  readonly client?: string | undefined;
  readonly address?: string | undefined;
  /** https://www.w3.org/TR/trace-context/#trace-id */
  readonly traceId?: string | undefined;
}

interface LoggedChange extends ChangeEvent, Sender {
  /** The id of the client's key, or a hash of its token's subject. */
  readonly clientId?: string | undefined;
}

/** A completed request, as it is logged: no bodies, no secrets. */
export interface ServedRequest extends CountedRequest, Sender {
  /** The path as it was sent, without the query, truncated if it is long. */
  readonly path: string;
  /** Bytes of the response, headers included. */
  readonly bytes: number;
  /** The language of another tree's words for which it was refused. */
  readonly wordsOf?: string | undefined;
  /** The code of Node's HTTP parser for what it refused, of which neither method nor path is known. */
  readonly fault?: string | undefined;
}

/** Logs an event, its cause, and members for programs. */
type LogEvent = (message: string, cause?: unknown, members?: Readonly<Record<string, string | undefined>>) => void;

export interface Log extends Readonly<Record<Level, LogEvent>> {
  /** Logs a request at level `debug`; `undefined` if that level is off, so that nothing is recorded for it. */
  readonly request: ((served: ServedRequest) => void) | undefined;
  /** Logs a change at level `info`; `undefined` if that level is off. */
  readonly change: ((change: LoggedChange) => void) | undefined;
  /** Writes what is not written yet, and waits a moment for a slow reader; for the end of the process. */
  readonly close: () => void;
}

interface LogOptions {
  /** The least important level that is logged. */
  readonly level: Level;
  /** By default `pretty` on a terminal and `json` elsewhere. */
  readonly format?: LogFormat | undefined;
  /** Writes bytes and returns how many it took; by default to standard error, which keeps standard output free. */
  readonly write?: (bytes: Buffer) => number;
}

/**
 * @param json a line for programs
 * @returns the line for people; those of a cause follow it, and the members of a request or a change, which have no sentence
 */
function prettyLine(json: string): string {
  const { time, level = '', message, cause, ...members } = JSON.parse(json) as Readonly<Record<string, string>>;
  const shown = message === 'request' || message === 'change' ? Object.entries(members) : [];
  const pairs = shown.map(([name, value]) => ` ${name}=${String(value).replaceAll(/\p{Cc}/gu, '?')}`);
  const causeLines = cause === undefined ? '' : `\n  ${cause.replaceAll('\n', '\n  ')}`;
  return `${time} ${level.padEnd(5)} ${message}${pairs.join('')}${causeLines}\n`;
}

function describeCause(cause: unknown): string | undefined {
  if (cause === undefined) return undefined;
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}

/** The lines of many requests and changes are written together; any other event is written at once, after those before it. */
export function createLog({ level, format, write }: LogOptions): Log {
  const isPretty = (format ?? (process.stderr.isTTY ? 'pretty' : 'json')) === 'pretty';
  const lines = new LineWriter(write);
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
  const logAt =
    (own: Level): LogEvent =>
    (message, cause, members) => {
      logger[own]({ cause: describeCause(cause), ...members }, message);
      lines.flush();
    };
  return {
    error: logAt('error'),
    warn: logAt('warn'),
    info: logAt('info'),
    debug: logAt('debug'),
    request: logger.isLevelEnabled('debug')
      ? ({ duration, ...served }) =>
          logger.debug({ ...served, duration: duration && Math.round(duration * 1_000) / 1_000 }, 'request')
      : undefined,
    change: logger.isLevelEnabled('info') ? (change) => logger.info(change, 'change') : undefined,
    close: () => lines.drain(),
  };
}
