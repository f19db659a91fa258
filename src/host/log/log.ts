/** The log: events, requests and changes as lines, for people or for programs. */
import { writeSync } from 'node:fs';
import { pino } from 'pino';
import type { ChangeEvent } from '../../gateway/collections/resource.ts';
import type { RouteMatch } from '../../gateway/http/context.ts';
import type { RequestIds } from '../../gateway/http/exchange.ts';

export const logFormats = ['pretty', 'json'] as const;

export const levels = ['error', 'warn', 'info', 'debug'] as const;
type Level = (typeof levels)[number];

/** A completed request, as metrics count it: every member has a bounded number of values. */
export interface CountedRequest extends RouteMatch {
  readonly method: string;
  readonly status: number | undefined;
  /** Milliseconds from the request's headers to the end of its response. */
  readonly duration: number;
}

interface Sender {
  readonly requestId: string;
  readonly client?: string | undefined;
  readonly address?: string | undefined;
  /** https://www.w3.org/TR/trace-context/#trace-id */
  readonly traceId?: string | undefined;
}

/** A completed request, as it is logged: no bodies, no secrets. */
export interface ServedRequest extends CountedRequest, Sender {
  readonly path: string;
  /** Bytes of the response, headers included. */
  readonly bytes: number;
}

type LoggedChange = ChangeEvent & Sender & { readonly clientId?: string | undefined };

type LogEvent = (message: string, cause?: unknown, members?: Readonly<Record<string, string | undefined>>) => void;

export type Log = ReturnType<typeof createLog>;

function formatLine(json: string): string {
  const { time, level = '', message, cause, ...members } = JSON.parse(json) as Readonly<Record<string, string>>;
  const visibleMembers = message === 'request' || message === 'change' ? Object.entries(members) : [];
  const pairs = visibleMembers.map(([name, value]) => ` ${name}=${String(value).replaceAll(/\p{Cc}/gu, '?')}`);
  const causeLines = cause === undefined ? '' : `\n  ${cause.replaceAll('\n', '\n  ')}`;
  return `${time} ${level.padEnd(5)} ${message}${pairs.join('')}${causeLines}\n`;
}

function describeCause(cause: unknown): string | undefined {
  if (cause === undefined) return undefined;
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}

/** @param options.write returns how many bytes it took; by default to standard error, which keeps standard output free */
export function createLog(options: {
  level: Level;
  format?: (typeof logFormats)[number] | undefined;
  write?: (bytes: Buffer) => number;
}) {
  const { level, format, write } = options;
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
    { write: (line) => lines.add(isPretty ? formatLine(line) : line) },
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
    /** Logs a request at level `debug`; `undefined` if that level is off, so that nothing is recorded for it. */
    request: logger.isLevelEnabled('debug')
      ? ({ duration, ...served }: ServedRequest) =>
          logger.debug({ ...served, duration: Math.round(duration * 1_000) / 1_000 }, 'request')
      : undefined,
    change: logger.isLevelEnabled('info') ? (change: LoggedChange) => logger.info(change, 'change') : undefined,
    close: () => lines.drain(),
  };
}

/** Milliseconds after which lines are written at the latest, and after which a slow reader is tried again. */
const WAIT = 50;
/** Characters that are written at once. A longer line is written alone. */
const MOST_AT_ONCE = 65_536;
/** Bytes that are kept for a slow reader; beyond them, lines are dropped. */
const MOST_KEPT = 1_048_576;
/** Milliseconds for which the end of the process waits for a slow reader, and between two attempts. */
const [DRAIN, PAUSE] = [1_000, 5];

const NOTHING = Buffer.alloc(0);

/** Writes lines together, because a write costs far more than a line, and waits for no reader. */
class LineWriter {
  readonly #write: (bytes: Buffer) => number;
  #lines = '';
  #rest: Buffer = NOTHING;
  #timer: NodeJS.Timeout | undefined;

  constructor(write = (bytes: Buffer) => writeSync(process.stderr.fd, bytes)) {
    this.#write = write;
  }

  add(line: string): void {
    if (this.#lines.length + line.length > MOST_AT_ONCE) this.flush();
    if (this.#lines.length + this.#rest.length > MOST_KEPT) return;
    this.#lines += line;
    this.#timer ??= setTimeout(() => this.#send(), WAIT).unref();
  }

  /** Writes what waits, unless a slow reader has to be waited for. */
  flush(): void {
    if (this.#rest.length === 0) this.#send();
  }

  drain(): void {
    const end = performance.now() + DRAIN;
    this.#send();
    while (this.#rest.length > 0 && performance.now() < end) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
      this.#send();
    }
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    let bytes = Buffer.concat([this.#rest, Buffer.from(this.#lines)]);
    this.#lines = '';
    this.#rest = NOTHING;
    try {
      while (bytes.length > 0) bytes = bytes.subarray(this.#write(bytes));
    } catch (error) {
      // Other errors are ignored, because a full disk or a reader that is gone must not end the service.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      this.#rest = bytes;
      this.#timer = setTimeout(() => this.#send(), WAIT).unref();
    }
  }
}

const MINUTE = 60_000;
/** The most kinds of faults, and of addresses, that are reported in a minute; both may contain what a client sent. */
const [FAULTS, ADDRESSES] = [100, 1_000];
const OTHER = 'other faults';

/** Reports the first of many similar events in a minute in full, the others together or not at all. */
class Repetitions {
  readonly #counts = new Map<string, number>();
  readonly #most: number;
  readonly #summarize: (kind: string, count: number) => void;

  constructor(most: number, summarize: (kind: string, count: number) => void = () => {}) {
    this.#most = most;
    this.#summarize = summarize;
  }

  isFirst(kind: string): boolean {
    const countedKind = this.#counts.has(kind) || this.#counts.size < this.#most ? kind : OTHER;
    const count = this.#counts.get(countedKind);
    this.#counts.set(countedKind, (count ?? -1) + 1);
    if (count === undefined) setTimeout(() => this.#end(countedKind), MINUTE).unref();
    return count === undefined;
  }

  #end(kind: string): void {
    const count = this.#counts.get(kind) ?? 0;
    this.#counts.delete(kind);
    if (count > 0) this.#summarize(kind, count);
  }
}

export function createFaultReporter({ error }: Pick<Log, 'error'>): (fault: unknown, request: RequestIds) => void {
  const repetitions = new Repetitions(FAULTS, (kind, count) => error(`${count} more failed within a minute: ${kind}`));
  return (fault, { id: requestId, traceId }) => {
    if (!repetitions.isFirst(String(fault).split('\n', 1)[0] ?? '')) return;
    error(`request ${requestId} failed`, fault, { requestId, traceId });
  };
}

/** Refusals that an operator should know of. A request without any key may only have followed a link. */
const WARNINGS: Readonly<Record<string, string>> = {
  'key-invalid': 'their key or token is not valid',
  'scope-missing': 'their key or token lacks the scope',
  'rate-limited': 'they are beyond RATE_LIMIT',
};

export function createRefusalReporter({ warn }: Pick<Log, 'warn'>) {
  const repetitions = new Repetitions(ADDRESSES);
  return (reason: string, address = '', client?: string): void => {
    const why = WARNINGS[reason];
    if (why === undefined || !repetitions.isFirst(address)) return;
    const who = [client, address].filter(Boolean).join(', ');
    warn(`requests of ${who} are refused: ${why}`, undefined, { reason, address, client });
  };
}
