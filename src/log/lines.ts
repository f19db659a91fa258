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

const THOUSANDTHS = Array.from({ length: 1_000 }, (_, at) => String(at).padStart(3, '0'));
const SECOND = 1_000;

/** Writes a time as ISO 8601 does, once for all events in a millisecond. */
const clock = (): ((time: number) => string) => {
  let at = -1;
  let second = -1;
  let seconds = '';
  let text = '';
  return (time) => {
    if (time === at) return text;
    const thousandths = time % SECOND;
    if (time - thousandths !== second) {
      second = time - thousandths;
      seconds = new Date(second).toISOString().slice(0, -'000Z'.length);
    }
    at = time;
    text = `${seconds}${THOUSANDTHS[thousandths]}Z`;
    return text;
  };
};
const timeText = clock();

/** Makes a value once for each key; keys must be few, because no value is ever removed. */
const cached = <K, V>(make: (key: K) => V): ((key: K) => V) => {
  const values = new Map<K, V>();
  return (key) => {
    const known = values.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    values.set(key, value);
    return value;
  };
};

const member = (name: string, value: string | number | undefined): string =>
  value === undefined ? '' : `,"${name}":${JSON.stringify(value)}`;

/** Printable ASCII that JSON writes as it is. */
const PLAIN = /^[ !#-[\]-~]*$/;
const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));

/** Milliseconds with three decimal places, in half the time that a number with a fraction takes to be written. */
const durationText = (duration: number): string => {
  const micros = Math.round(duration * 1_000);
  const rest = micros % 1_000;
  return `,"duration":${(micros - rest) / 1_000}.${THOUSANDTHS[rest]}`;
};

/**
 * Joins a line of JSON from few strings: `JSON.stringify` of all members takes several times as long, and each string costs time
 * when the line is written. Methods (RFC 9110 §5.6.2), identifiers and trace ids contain nothing that needs an escape.
 */
const jsonRequest = (pid: number | undefined): Lines['request'] => {
  const start = `","level":"debug"${member('pid', pid)},"message":"request"`;
  const startOf = cached((route: string | undefined) =>
    cached((language: string | undefined) =>
      cached(
        (status: number | undefined) =>
          `${start}${member('route', route)}${member('language', language)}${member('status', status)},"method":"`,
      ),
    ),
  );
  return ({ time, method, path, route, language, status, duration, bytes, requestId, client, traceId, wordsOf }) => {
    const head = `{"time":"${timeText(time)}${startOf(route)(language)(status)}${method}","path":${quoted(path)}`;
    const took = duration === undefined ? '' : durationText(duration);
    const trace = traceId === undefined ? '' : `,"traceId":"${traceId}"`;
    const line = `${head}${took},"bytes":${bytes},"requestId":"${requestId}"${trace}`;
    if (client === undefined && wordsOf === undefined) return `${line}}\n`;
    return `${line}${member('client', client)}${member('wordsOf', wordsOf)}}\n`;
  };
};

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
  request: jsonRequest(pid),
});

/** @param pid written on each line, where several processes share a log */
export const lineFormats: Readonly<Record<LogFormat, (pid: number | undefined) => Lines>> = { pretty, json };
