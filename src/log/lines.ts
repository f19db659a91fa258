import type { LogFormat, ServedRequest } from '../model/log.ts';

export const levels = ['error', 'warn', 'info', 'debug'] as const;
export type Level = (typeof levels)[number];

/** Members that an event has besides its message, for programs. */
export type EventMembers = Readonly<Record<string, string | undefined>>;

/** Writes each event as one line; in `pretty`, which is for people, the lines of a cause follow. */
interface Lines {
  readonly event: (level: Level, message: string, cause: unknown, about: EventMembers | undefined) => string;
  readonly request: (served: ServedRequest) => string;
}

const SECOND = 1_000;

const timeText = (time: number): string => new Date(time).toISOString();

/** Milliseconds with at most three decimal places. */
const durationOf = (duration: number | undefined): number | undefined =>
  duration === undefined ? undefined : Math.round(duration * SECOND) / SECOND;

const textOf = (cause: unknown): string => (cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));

const pretty = (pid: number | undefined): Lines => {
  const from = pid === undefined ? '' : `[${pid}] `;
  const line = (time: number, level: Level, text: string): string =>
    `${timeText(time)} ${level.padEnd(5)} ${from}${text}\n`;
  return {
    event: (level, message, cause) => {
      const detail = cause === undefined ? '' : `\n  ${textOf(cause).replaceAll('\n', '\n  ')}`;
      return line(Date.now(), level, `${message}${detail}`);
    },
    request: ({ time, method, path, status = 'aborted', duration, bytes, requestId, client, wordsOf }) => {
      const took = duration === undefined ? '' : ` ${duration.toFixed(1)} ms`;
      const who = client === undefined ? '' : ` ${client}`;
      const words = wordsOf === undefined ? '' : ` (words of ${wordsOf})`;
      return line(time, 'debug', `${method} ${path} ${status}${took} ${bytes} B ${requestId}${who}${words}`);
    },
  };
};

const json = (pid: number | undefined): Lines => ({
  event: (level, message, cause, about) =>
    `${JSON.stringify({ time: timeText(Date.now()), level, pid, message, cause: cause === undefined ? undefined : textOf(cause), ...about })}\n`,
  request: ({ time, method, path, route, language, status, duration, bytes, requestId, client, traceId, wordsOf }) =>
    `${JSON.stringify({ time: timeText(time), level: 'debug', pid, message: 'request', route, language, status, method, path, duration: durationOf(duration), bytes, requestId, traceId, client, wordsOf })}\n`,
});

/** @param pid written on each line, where several processes share a log */
export const lineFormats: Readonly<Record<LogFormat, (pid: number | undefined) => Lines>> = { pretty, json };
