import type { LogFormat, ServedRequest } from '../model/log.ts';

export const levels = ['error', 'warn', 'info', 'debug'] as const;
export type Level = (typeof levels)[number];

/** Members of an event besides its message; for programs. */
export type About = Readonly<Record<string, string | undefined>>;

/** Writes each event as one line; in `pretty`, which is for people, a cause takes more. */
interface Lines {
  readonly event: (level: Level, message: string, cause: unknown, about: About | undefined) => string;
  readonly request: (served: ServedRequest) => string;
}

const THOUSANDTHS = Array.from({ length: 1_000 }, (_, at) => String(at).padStart(3, '0'));
const SECOND = 1_000;

/** The time as in ISO 8601; its seconds are formatted once for all events within them. */
const clock = (): (() => string) => {
  let second = -1;
  let text = '';
  return () => {
    const now = Date.now();
    const thousandths = now % SECOND;
    if (now - thousandths !== second) {
      second = now - thousandths;
      text = new Date(second).toISOString().slice(0, -'000Z'.length);
    }
    return `${text}${THOUSANDTHS[thousandths]}Z`;
  };
};
const now = clock();

/** Milliseconds with three decimal places, formatted in half the time that a fraction takes. */
const durationText = (duration: number): string => {
  const micros = Math.round(duration * 1_000);
  const rest = micros % 1_000;
  return `${(micros - rest) / 1_000}.${THOUSANDTHS[rest]}`;
};

/** Writes a member of an object, and caches the text of each value: there must be few. */
const member = (name: string): ((value: string | undefined) => string) => {
  const written = new Map<string | undefined, string>([[undefined, '']]);
  return (value) => {
    const known = written.get(value);
    if (known !== undefined) return known;
    const text = `,"${name}":${JSON.stringify(value)}`;
    written.set(value, text);
    return text;
  };
};

/**
 * A line of JSON in pieces: `JSON.stringify` of all of it takes several times as long. Methods, identifiers and trace ids need no
 * escapes (RFC 9110 §5.6.2, and what is accepted of the others).
 */
const jsonRequest = (pid: number | undefined): Lines['request'] => {
  const start = `","level":"debug"${pid === undefined ? '' : `,"pid":${pid}`},"message":"request","method":"`;
  const route = member('route');
  const language = member('language');
  const wordsOf = member('wordsOf');
  return (served) => {
    const { method, path, status, duration, requestId, client, traceId } = served;
    const end = status === undefined ? '' : `,"status":${status}`;
    const took = duration === undefined ? '' : `,"duration":${durationText(duration)}`;
    const who = client === undefined ? '' : `,"client":${JSON.stringify(client)}`;
    const trace = traceId === undefined ? '' : `,"traceId":"${traceId}"`;
    return `{"time":"${now()}${start}${method}","path":${JSON.stringify(path)}${route(served.route)}${language(served.language)}${end}${took},"bytes":${served.bytes},"requestId":"${requestId}"${who}${trace}${wordsOf(served.wordsOf)}}\n`;
  };
};

const textOf = (cause: unknown): string => (cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));

const pretty = (pid: number | undefined): Lines => {
  const from = pid === undefined ? '' : `[${pid}] `;
  const event = (level: Level, message: string, cause?: unknown): string => {
    const detail = cause === undefined ? '' : `\n  ${textOf(cause).replaceAll('\n', '\n  ')}`;
    return `${now()} ${level.padEnd(5)} ${from}${message}${detail}\n`;
  };
  return {
    event,
    request: ({ method, path, status = 'aborted', duration, bytes, requestId, client, wordsOf }) => {
      const took = duration === undefined ? '' : ` ${duration.toFixed(1)} ms`;
      const who = client === undefined ? '' : ` ${client}`;
      const words = wordsOf === undefined ? '' : ` (words of ${wordsOf})`;
      return event('debug', `${method} ${path} ${status}${took} ${bytes} B ${requestId}${who}${words}`);
    },
  };
};

const json = (pid: number | undefined): Lines => ({
  event: (level, message, cause, about) =>
    `${JSON.stringify({ time: now(), level, pid, message, cause: cause === undefined ? undefined : textOf(cause), ...about })}\n`,
  request: jsonRequest(pid),
});

/** @param pid written on each line, where several processes share a log */
export const linesIn: Readonly<Record<LogFormat, (pid: number | undefined) => Lines>> = { pretty, json };
