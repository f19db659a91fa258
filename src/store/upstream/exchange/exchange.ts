/** Requests to the API, and its answers. */
import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Dispatcher, Pool } from 'undici';
import type { Caller } from '../../../gateway/port/port.ts';
import { Unavailable, unavailable } from '../../../gateway/port/unavailable.ts';
import { Problem } from '../../../gateway/texts/problem.ts';
import { badGateway, unknownOutcome } from '../mapping/faults.ts';
import type { Mapping } from '../mapping/mapping.ts';

interface Sent {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the address of the API, with its query. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** `undefined` where it is none, or no JSON. */
  readonly content: unknown;
}

export type Exchange = (sent: Sent, caller?: Pick<Caller, 'headers'>) => Promise<Answer>;

/** Headers that every request is followed by. */
const TRACES = ['x-request-id', 'traceparent', 'tracestate'];
/** Statuses that say that it cannot respond now: those of the API itself, which has done nothing, and those of a gateway before it. */
const REFUSING = [429, 503];
const BUSY = [502, 504];
/** At a time; further reads wait for one of them. */
const CONNECTIONS = 64;
/** Milliseconds before a safe request is tried once more. */
const AGAIN = 100;
/** Exchanges that fail one after the other, until no more are tried, and the milliseconds until one is tried again. */
const [MOST_FAILURES, PAUSE] = [5, 5_000];
const JSON_CONTENT = /^application\/(?:[\w.+-]+\+)?json\b/i;

interface Received extends Pick<Answer, 'status' | 'headers'> {
  readonly chunks: readonly Buffer[];
}

const contentOf = ({ status, headers, chunks }: Received): unknown => {
  const [bytes] = chunks.length > 1 ? [Buffer.concat(chunks)] : chunks;
  if (!bytes) return undefined;
  const type = headers['content-type'] ?? '';
  if (!JSON_CONTENT.test(type)) {
    if (status >= 300) return undefined;
    throw badGateway(`status ${status} with "${type.slice(0, 100)}", which is no JSON`);
  }
  try {
    return JSON.parse(bytes.toString());
  } catch (error) {
    throw badGateway(`status ${status} with broken JSON: ${error instanceof Error ? error.message : ''}`);
  }
};

/** @returns one exchange, which rejects with Unavailable where nothing was sent, the connection's error, or a problem of the answer */
const once =
  ({ timeout, answerLimit }: Pick<Mapping, 'timeout' | 'answerLimit'>) =>
  (dispatcher: Dispatcher, options: Dispatcher.DispatchOptions): Promise<Received> =>
    new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let length = 0;
      let [status, headers]: [number, Answer['headers']] = [0, {}];
      let sent: Dispatcher.DispatchController | undefined;
      let fault: Error | undefined;
      const fail = (error: Error): void => reject(sent ? error : unavailable(error));
      const abort = (error: Error): void => {
        fault = error;
        fail(error);
        sent?.abort(error);
      };
      const late = setTimeout(() => abort(new Error(`no answer within ${timeout} ms`)), timeout);
      dispatcher.dispatch(options, {
        onRequestStart: (controller) => {
          sent = controller;
          // It has waited for a connection all the time.
          if (fault) controller.abort(fault);
        },
        onResponseStart: (_, code, own) => {
          // One that is sent twice is a list (RFC 9110 §5.3).
          const whole = Object.entries(own).map(([name, value]) => [name, String(value)]);
          [status, headers] = [code, Object.fromEntries(whole)];
        },
        onResponseData: (_, chunk) => {
          length += chunk.length;
          chunks.push(chunk);
          if (length > answerLimit) abort(badGateway(`an answer of more than ${answerLimit} bytes`));
        },
        onResponseEnd: () => {
          clearTimeout(late);
          resolve({ status, headers, chunks });
        },
        onResponseError: (_, error) => {
          clearTimeout(late);
          fail(error);
        },
      });
    });

/** @param authorization the secret that every request has, which may change */
export const exchangeWith = (
  url: URL,
  mapping: Mapping,
  authorization = (): string | undefined => undefined,
): Exchange => {
  const base = url.pathname.replace(/\/$/, '');
  const settings = { connectTimeout: mapping.timeout, headersTimeout: 0, bodyTimeout: 0 };
  const kept = new Pool(url.origin, { ...settings, connections: CONNECTIONS });
  const exchange = once(mapping);
  // The same of every instance before this API, so that a request that comes back to any of them is noticed.
  const pseudonym = `catalogue-${hash('sha256', url.href).slice(0, 12)}`;
  const set = Object.entries(mapping.set).map(([name, value]) => [name.toLowerCase(), value]);
  const own = { accept: 'application/json', 'accept-encoding': 'identity', ...Object.fromEntries(set) };
  const passed = [...TRACES, ...mapping.pass.map((name) => name.toLowerCase())];

  const headersFor = (sent: Sent, client: Headers | undefined): Record<string, string> => {
    const headers: Record<string, string> = { ...own, ...sent.headers };
    const secret = authorization();
    if (secret !== undefined) headers.authorization = secret;
    const via = client?.get('via');
    if (via?.includes(pseudonym)) throw badGateway('the request came back to this service (Via)');
    headers.via = via ? `${via}, 1.1 ${pseudonym}` : `1.1 ${pseudonym}`;
    for (const name of passed) {
      const value = client?.get(name);
      if (value) headers[name] = value;
    }
    if (sent.body !== undefined) headers['content-type'] ??= 'application/json';
    return headers;
  };

  /** @throws Unavailable, Problem or the connection's error where there is no answer that can be used */
  const answerTo = async (isSafe: boolean, options: Dispatcher.DispatchOptions): Promise<Answer> => {
    // A connection that was closed meanwhile would leave it unknown whether a write was done.
    const received = await exchange(isSafe ? kept : new Client(url.origin, settings), options);
    const { status, headers } = received;
    if (status >= 300 && status < 400)
      throw badGateway(`status ${status}, to ${String(headers.location).slice(0, 200)}`);
    const isBusy = BUSY.includes(status);
    if (!isBusy && !REFUSING.includes(status)) return { status, headers, content: contentOf(received) };
    const cause = new Error(`upstream: status ${status}`);
    if (isBusy && !isSafe) throw cause;
    const [seconds] = /^\d{1,5}$/.exec(headers['retry-after'] ?? '') ?? [];
    throw new Unavailable('database', { cause, retryAfter: seconds === undefined ? undefined : Number(seconds) });
  };

  let failures = 0;
  let closedUntil = 0;
  /** @throws Unavailable where nothing was done, Problem where that is not known, or the answer cannot be used */
  const attempt = async (isSafe: boolean, options: Dispatcher.DispatchOptions): Promise<Answer> => {
    const wait = failures < MOST_FAILURES ? 0 : closedUntil - performance.now();
    if (wait > 0) {
      const cause = new Error('upstream: it has not responded to the last requests');
      throw new Unavailable('database', { cause, retryAfter: Math.ceil(wait / 1_000) });
    }
    // After a pause this one is the trial; the others wait for what becomes of it.
    closedUntil = performance.now() + PAUSE;
    try {
      const answer = await answerTo(isSafe, options);
      failures = 0;
      return answer;
    } catch (error) {
      const isAnswered = error instanceof Problem;
      failures = isAnswered ? 0 : failures + 1;
      closedUntil = performance.now() + PAUSE;
      if (error instanceof Unavailable || (isSafe && isAnswered)) throw error;
      throw isSafe ? unavailable(error) : unknownOutcome(isAnswered ? error.cause : error);
    }
  };

  return async (sent, caller) => {
    const { method, path } = sent;
    const isSafe = method === 'GET';
    const headers = headersFor(sent, caller?.headers);
    const body = sent.body === undefined ? null : JSON.stringify(sent.body);
    const options = { path: base + path, method, headers, body, reset: !isSafe };
    try {
      return await attempt(isSafe, options);
    } catch (error) {
      if (!isSafe || !(error instanceof Unavailable)) throw error;
    }
    await sleep(AGAIN);
    return attempt(isSafe, options);
  };
};
