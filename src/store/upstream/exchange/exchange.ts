/** Requests to the API, and its answers. */
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Dispatcher, Pool } from 'undici';
import type { Caller } from '../../../gateway/port/port.ts';
import { Unavailable, unavailable } from '../../../gateway/port/unavailable.ts';
import { Problem } from '../../../gateway/texts/problem.ts';
import { badGateway, unknownOutcome } from '../mapping/faults.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { breakerOf } from './breaker.ts';

interface Sent {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below the address of the API, with its query. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** `undefined` where it is none, or no JSON. */
  readonly content: unknown;
}

export type Exchange = (sent: Sent, caller?: Pick<Caller, 'headers'>) => Promise<Answer>;

/** Headers that every request is followed by. */
const TRACES = ['x-request-id', 'traceparent', 'tracestate'];
/** Statuses that say that it cannot respond now, and has done nothing. */
const REFUSING = [429, 503];
const BUSY = [...REFUSING, 502, 504];
/** At a time; further reads wait for one of them. */
const CONNECTIONS = 64;
/** Milliseconds before a safe request is tried once more. */
const AGAIN = 100;
const JSON_CONTENT = /^application\/(?:[\w.+-]+\+)?json\b/i;

const contentOf = (status: number, headers: IncomingHttpHeaders, chunks: readonly Buffer[]): unknown => {
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
  (dispatcher: Dispatcher, options: Dispatcher.DispatchOptions): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let length = 0;
      let [status, headers]: [number, IncomingHttpHeaders] = [0, {}];
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
          [status, headers] = [code, own];
        },
        onResponseData: (_, chunk) => {
          length += chunk.length;
          chunks.push(chunk);
          if (length > answerLimit) abort(badGateway(`an answer of more than ${answerLimit} bytes`));
        },
        onResponseEnd: () => {
          clearTimeout(late);
          try {
            resolve({ status, headers, content: contentOf(status, headers, chunks) });
          } catch (problem) {
            reject(problem);
          }
        },
        onResponseError: (_, error) => {
          clearTimeout(late);
          fail(error);
        },
      });
    });

const retryAfterIn = ({ headers }: Answer): number | undefined => {
  const seconds = headers['retry-after'] ?? '';
  return /^\d{1,5}$/.test(seconds) ? Number(seconds) : undefined;
};

/** @param authorization the secret that every request has, which may change */
export const exchangeWith = (url: URL, mapping: Mapping, authorization: () => string | undefined): Exchange => {
  const base = url.pathname.replace(/\/$/, '');
  const settings = { connectTimeout: mapping.timeout, headersTimeout: 0, bodyTimeout: 0 };
  const kept = new Pool(url.origin, { ...settings, connections: CONNECTIONS });
  const exchange = once(mapping);
  const breaker = breakerOf();
  // The same of every instance before this API, so that a request that comes back to any of them is noticed.
  const pseudonym = `catalogue-${hash('sha256', url.href).slice(0, 12)}`;
  const set = Object.entries(mapping.set).map(([name, value]) => [name.toLowerCase(), value]);
  const own = { accept: 'application/json', 'accept-encoding': 'identity', ...Object.fromEntries(set) };
  const passed = [...TRACES, ...mapping.pass.map((name) => name.toLowerCase())];

  const headersFor = (sent: Sent, client: Headers | undefined, body: string | null): Record<string, string> => {
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
    if (body !== null) headers['content-type'] ??= 'application/json';
    return headers;
  };
  /** @throws Unavailable where nothing was done, Problem where that is not known, or the answer cannot be used */
  const attempt = async (isSafe: boolean, options: Dispatcher.DispatchOptions): Promise<Answer> => {
    const lost = (cause: unknown, isUnknown: boolean, retryAfter?: number): Error => {
      breaker.failed();
      return isUnknown && !isSafe ? unknownOutcome(cause) : new Unavailable('database', { cause, retryAfter });
    };
    const unusable = (problem: Problem): Problem => {
      breaker.succeeded();
      return isSafe ? problem : unknownOutcome(problem.cause);
    };
    // A connection that was closed meanwhile would leave it unknown whether a write was done.
    const dispatcher = isSafe ? kept : new Client(url.origin, settings);
    const answer = await exchange(dispatcher, options).catch((error: unknown) => {
      if (error instanceof Problem) throw unusable(error);
      throw error instanceof Unavailable ? lost(error.cause, false) : lost(error, true);
    });
    const { status, headers } = answer;
    if (BUSY.includes(status)) {
      throw lost(new Error(`upstream: status ${status}`), !REFUSING.includes(status), retryAfterIn(answer));
    }
    if (status >= 300 && status < 400) {
      throw unusable(badGateway(`status ${status}, to ${String(headers.location).slice(0, 200)}`));
    }
    breaker.succeeded();
    return answer;
  };

  return async (sent, caller) => {
    const { method, path } = sent;
    const isSafe = method === 'GET';
    const body = sent.body === undefined ? null : JSON.stringify(sent.body);
    const headers = headersFor(sent, caller?.headers, body);
    const options = { path: base + path, method, headers, body, reset: !isSafe };
    breaker.check();
    try {
      return await attempt(isSafe, options);
    } catch (error) {
      if (!isSafe || !(error instanceof Unavailable)) throw error;
    }
    await sleep(AGAIN);
    breaker.check();
    return attempt(isSafe, options);
  };
};
