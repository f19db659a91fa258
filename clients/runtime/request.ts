/** Sends a request, several times if need be. */
import { type AnyProblem, type CatalogueError, problemOf } from './error.ts';

export interface Service {
  /** Scheme, host and port. */
  readonly origin: string;
  /** An API key or a token. */
  readonly key?: string | undefined;
  /** How often a request is sent again at most. */
  readonly retries?: number | undefined;
  /** Milliseconds for each try, but for files; 0 is no limit. */
  readonly timeout?: number | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** The error of this language. */
  readonly Refusal: new (
    problem: AnyProblem,
    tries: number,
  ) => CatalogueError;
  /** The words of parameters that the client sends by itself. */
  readonly words: { readonly pageSize: string; readonly changedSince: string };
  /** Parameters with several values in one, with commas between them. */
  readonly lists: readonly string[];
  /** Whether the service keeps results by idempotency keys. */
  readonly takesKeys: boolean;
}

export interface Options {
  readonly signal?: AbortSignal | undefined;
}

/** What can be sent; a stream can be sent once only. */
export type Body = Blob | string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

interface Request extends Options {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Body;
  /** Whether it, or its response, is a file. */
  readonly isFile?: boolean;
  /** Whether it must not be sent again. */
  readonly isOnce?: boolean;
}

/** What became of a try: what was read, or an error and the milliseconds to wait for the next try, if there should be one. */
type Outcome<T> = { readonly value: T } | { readonly error: unknown; readonly wait: number | undefined };

const RETRIES = 2;
const TIMEOUT = 60_000;
/** Milliseconds: the first pause is at most this, each further one at most twice the one before. */
const SHORTEST = 500;
const LONGEST = 8_000;
/** Milliseconds that the service may ask for. */
const LONGEST_ASKED = 60_000;
const PASSING = new Set([408, 429, 500, 502, 503, 504]);

/** All of it by chance: clients that failed at the same time do not come back at the same time. */
const backoff = (tries: number): number => Math.random() * Math.min(LONGEST, SHORTEST * 2 ** (tries - 1));

/** @returns `undefined` where the request would be refused again, or the service wants to be left alone for long */
const waitOf = ({ status, headers }: Response, { code }: AnyProblem, tries: number): number | undefined => {
  if (!PASSING.has(status) && code !== 'request-in-progress') return undefined;
  const after = headers.get('Retry-After');
  if (after === null) return backoff(tries);
  const wait = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.now();
  if (Number.isNaN(wait)) return backoff(tries);
  return wait <= LONGEST_ASKED ? Math.max(wait, 0) : undefined;
};

const pause = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });

/** @throws TypeError where the address is not the service's: nobody else gets the key */
const addressOf = ({ origin }: Service, path: string): URL => {
  const own = new URL(origin).origin;
  const address = new URL(path, own);
  if (address.origin !== own) throw new TypeError(`${address} is not at ${own}`);
  return address;
};

const initOf = ({ key, timeout = TIMEOUT }: Service, request: Request): RequestInit => {
  const { method, headers, body, signal, isFile } = request;
  const limits = [...(signal ? [signal] : []), ...(timeout > 0 && !isFile ? [AbortSignal.timeout(timeout)] : [])];
  return {
    method,
    headers: { ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }), ...headers },
    ...(body === undefined ? {} : { body }),
    // What `fetch` asks of whoever sends a stream.
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    signal: AbortSignal.any(limits),
  };
};

const attempt = async <T>(
  service: Service,
  request: Request,
  read: (response: Response) => Promise<T>,
  tries: number,
): Promise<Outcome<T>> => {
  const { fetch: get = fetch, Refusal } = service;
  const address = addressOf(service, request.path);
  try {
    const response = await get(address, initOf(service, request));
    // An answer that breaks off is as good as none.
    if (response.ok) return { value: await read(response) };
    const problem = await problemOf(response);
    return { error: new Refusal(problem, tries), wait: waitOf(response, problem, tries) };
  } catch (error) {
    request.signal?.throwIfAborted();
    return { error, wait: backoff(tries) };
  }
};

/**
 * Sends a request, and again where there was no answer or one that may be another the next time.
 *
 * @param read makes something of the response
 * @throws CatalogueError where it is refused
 */
export const send = async <T>(
  service: Service,
  request: Request,
  read: (response: Response) => Promise<T>,
): Promise<T> => {
  const { retries = RETRIES } = service;
  const most = request.isOnce ? 1 : retries + 1;
  for (let tries = 1; ; tries++) {
    const outcome = await attempt(service, request, read, tries);
    if ('value' in outcome) return outcome.value;
    if (tries >= most || outcome.wait === undefined) throw outcome.error;
    await pause(outcome.wait, request.signal);
  }
};
