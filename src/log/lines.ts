import type { LogFormat, ServedRequest } from '../model/log.ts';

export const levels = ['error', 'warn', 'info', 'debug'] as const;
export type Level = (typeof levels)[number];

/** Members of an event besides its message; for programs. */
export type EventMembers = Readonly<Record<string, string | undefined>>;

/** Writes each event as one line; in `pretty`, which is for people, a cause takes more. */
interface Lines {
  readonly event: (level: Level, message: string, cause: unknown, about: EventMembers | undefined) => string;
  readonly request: (served: ServedRequest) => string;
}

const THOUSANDTHS = Array.from({ length: 1_000 }, (_, at) => String(at).padStart(3, '0'));
const SECOND = 1_000;

/** The time as ISO 8601 writes it, written once for all events in a millisecond. */
const clock = (): (() => string) => {
  let at = -1;
  let second = -1;
  let seconds = '';
  let text = '';
  return () => {
    const now = Date.now();
    if (now === at) return text;
    const thousandths = now % SECOND;
    if (now - thousandths !== second) {
      second = now - thousandths;
      seconds = new Date(second).toISOString().slice(0, -'000Z'.length);
    }
    at = now;
    text = `${seconds}${THOUSANDTHS[thousandths]}Z`;
    return text;
  };
};
const now = clock();

/** Caches a text for each pair of keys, of which there must be few. */
const cachedByPair = <A, B>(write: (a: A, b: B) => string): ((a: A, b: B) => string) => {
  const texts = new Map<A, Map<B, string>>();
  return (a, b) => {
    const byB = texts.get(a) ?? new Map<B, string>();
    const known = byB.get(b);
    if (known !== undefined) return known;
    const text = write(a, b);
    texts.set(a, byB.set(b, text));
    return text;
  };
};

const member = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `,"${name}":${JSON.stringify(value)}`;

const DECIMALS = THOUSANDTHS.map((digits) => `.${digits},"bytes":`);

/** Milliseconds with three decimal places, in half the time that a number with a fraction takes to be written, and what follows them. */
const durationText = (duration: number): string => {
  const micros = Math.round(duration * 1_000);
  const rest = micros % 1_000;
  return `,"duration":${(micros - rest) / 1_000}${DECIMALS[rest]}`;
};

/**
 * A line of JSON in few pieces: `JSON.stringify` of all of it takes several times as long, and each piece costs when the line is
 * written. Methods, identifiers and trace ids need no escapes (RFC 9110 §5.6.2, and what is accepted of the others).
 */
const jsonRequest = (pid: number | undefined): Lines['request'] => {
  const start = `","level":"debug"${pid === undefined ? '' : `,"pid":${pid}`},"message":"request"`;
  const startOf = cachedByPair(
    (route: string | undefined, language: string | undefined) =>
      `${start}${member('route', route)}${member('language', language)},"method":"`,
  );
  return ({ method, path, route, language, status, duration, bytes, requestId, client, traceId, wordsOf }) => {
    const end = status === undefined ? '' : `,"status":${status}`;
    const took = duration === undefined ? ',"bytes":' : durationText(duration);
    const head = `{"time":"${now()}${startOf(route, language)}${method}","path":${JSON.stringify(path)}${end}`;
    const line = `${head}${took}${bytes},"requestId":"${requestId}"`;
    if (client === undefined && traceId === undefined && wordsOf === undefined) return `${line}}\n`;
    return `${line}${member('client', client)}${member('traceId', traceId)}${member('wordsOf', wordsOf)}}\n`;
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
export const lineFormats: Readonly<Record<LogFormat, (pid: number | undefined) => Lines>> = { pretty, json };
