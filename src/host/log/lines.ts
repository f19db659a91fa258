import { memoized } from '../../util/memoized.ts';
import type { LogFormat, LoggedChange, ServedRequest } from './events.ts';

export const levels = ['error', 'warn', 'info', 'debug'] as const;
export type Level = (typeof levels)[number];

/** Members that an event has besides its message, for programs. */
export type EventMembers = Readonly<Record<string, string | undefined>>;

/** Writes each event as one line; in `pretty`, which is for people, the lines of a cause follow. */
interface Lines {
  readonly event: (level: Level, message: string, cause: unknown, about: EventMembers | undefined) => string;
  readonly request: (served: ServedRequest) => string;
  readonly change: (change: LoggedChange) => string;
}

const SECOND = 1_000;

/** Many requests end in the same millisecond. */
const timeText = memoized((time: number): string => new Date(time).toISOString());

/** Milliseconds with at most three decimal places. */
const durationOf = (duration: number | undefined): number | undefined =>
  duration === undefined ? undefined : Math.round(duration * SECOND) / SECOND;

const textOf = (cause: unknown): string => (cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));

/** @returns client and address, each after a space */
const whoOf = (...known: readonly (string | undefined)[]): string =>
  known.map((each) => (each === undefined ? '' : ` ${each.replaceAll(/\p{Cc}/gu, '?')}`)).join('');

const pretty = (): Lines => {
  const line = (time: number, level: Level, text: string): string => `${timeText(time)} ${level.padEnd(5)} ${text}\n`;
  return {
    event: (level, message, cause) => {
      const detail = cause === undefined ? '' : `\n  ${textOf(cause).replaceAll('\n', '\n  ')}`;
      return line(Date.now(), level, `${message}${detail}`);
    },
    request: ({
      time,
      method,
      path,
      status = 'aborted',
      duration,
      bytes,
      requestId,
      client,
      address,
      wordsOf,
      fault,
    }) => {
      if (fault !== undefined) return line(time, 'debug', `not HTTP: ${fault} ${status}`);
      const took = duration === undefined ? '' : ` ${duration.toFixed(1)} ms`;
      const who = whoOf(client, address);
      const words = wordsOf === undefined ? '' : ` (words of ${wordsOf})`;
      return line(time, 'debug', `${method} ${path} ${status}${took} ${bytes} B ${requestId}${who}${words}`);
    },
    change: ({ action, collection, identifiers, revision, created, updated, deleted, ...sender }) => {
      const { requestId, clientId, client, address } = sender;
      const what = [collection, ...identifiers].join('/');
      const how = revision ?? `created ${created}, updated ${updated}, deleted ${deleted}`;
      const id = clientId === undefined || clientId === client ? '' : ` ${clientId}`;
      return line(Date.now(), 'info', `${action} ${what} ${how} ${requestId}${id}${whoOf(client, address)}`);
    },
  };
};

const json = (): Lines => {
  const request = { time: '', level: 'debug', message: 'request', duration: undefined };
  return {
    event: (level, message, cause, about) =>
      `${JSON.stringify({ time: timeText(Date.now()), level, message, cause: cause === undefined ? undefined : textOf(cause), ...about })}\n`,
    request: (served) =>
      `${JSON.stringify({ ...request, ...served, time: timeText(served.time), duration: durationOf(served.duration) })}\n`,
    change: (change) =>
      `${JSON.stringify({ time: timeText(Date.now()), level: 'info', message: 'change', ...change })}\n`,
  };
};

export const lineFormats: Readonly<Record<LogFormat, Lines>> = { pretty: pretty(), json: json() };
