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
  readonly status: number | undefined;
  /** Milliseconds from the request's headers to the end of its response; `undefined` if the headers were incomplete. */
  readonly duration: number | undefined;
}

interface Sender {
  readonly requestId: string;
  readonly client?: string | undefined;
  readonly address?: string | undefined;
  /** https://www.w3.org/TR/trace-context/#trace-id */
  readonly traceId?: string | undefined;
}

interface LoggedChange extends ChangeEvent, Sender {
  readonly clientId?: string | undefined;
}

/** A completed request, as it is logged: no bodies, no secrets. */
export interface ServedRequest extends CountedRequest, Sender {
  readonly path: string;
  /** Bytes of the response, headers included. */
  readonly bytes: number;
  readonly wordsOf?: string | undefined;
  readonly fault?: string | undefined;
}

type LogEvent = (message: string, cause?: unknown, members?: Readonly<Record<string, string | undefined>>) => void;

export interface Log extends Readonly<Record<Level, LogEvent>> {
  /** Logs a request at level `debug`; `undefined` if that level is off, so that nothing is recorded for it. */
  readonly request: ((served: ServedRequest) => void) | undefined;
  readonly change: ((change: LoggedChange) => void) | undefined;
  readonly close: () => void;
}

interface LogOptions {
  readonly level: Level;
  readonly format?: LogFormat | undefined;
  /** Writes bytes and returns how many it took; by default to standard error, which keeps standard output free. */
  readonly write?: (bytes: Buffer) => number;
}

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
