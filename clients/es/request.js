/** Sends a request, several times if need be. */
import { problemOf } from './error.js';
const RETRIES = 2;
const TIMEOUT = 60_000;
/** Milliseconds: the first pause is at most this, each further one at most twice the one before. */
const SHORTEST = 500;
const LONGEST = 8_000;
/** Milliseconds that the service may ask for. */
const LONGEST_ASKED = 60_000;
const PASSING = new Set([408, 429, 500, 502, 503, 504]);
/** All of it by chance: clients that failed at the same time do not come back at the same time. */
const backoff = (tries) => Math.random() * Math.min(LONGEST, SHORTEST * 2 ** (tries - 1));
/** @returns `undefined` where the request would be refused again, or the service wants to be left alone for long */
const waitOf = ({ status, headers }, { code }, tries) => {
    if (!PASSING.has(status) && code !== 'request-in-progress')
        return undefined;
    const after = headers.get('Retry-After');
    if (after === null)
        return backoff(tries);
    const wait = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.now();
    if (Number.isNaN(wait))
        return backoff(tries);
    return wait <= LONGEST_ASKED ? Math.max(wait, 0) : undefined;
};
const pause = (milliseconds, signal) => new Promise((resolve, reject) => {
    const stop = () => {
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
const addressOf = ({ origin }, path) => {
    const own = new URL(origin).origin;
    const address = new URL(path, own);
    if (address.origin !== own)
        throw new TypeError(`${address} is not at ${own}`);
    return address;
};
const initOf = ({ key, timeout = TIMEOUT }, request) => {
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
const attempt = async (service, request, read, tries) => {
    const { fetch: get = fetch, Refusal } = service;
    const address = addressOf(service, request.path);
    try {
        const response = await get(address, initOf(service, request));
        // An answer that breaks off is as good as none.
        if (response.ok)
            return { value: await read(response) };
        const problem = await problemOf(response);
        return { error: new Refusal(problem, tries), wait: waitOf(response, problem, tries) };
    }
    catch (error) {
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
export const send = async (service, request, read) => {
    const { retries = RETRIES } = service;
    const most = request.isOnce ? 1 : retries + 1;
    for (let tries = 1;; tries++) {
        const outcome = await attempt(service, request, read, tries);
        if ('value' in outcome)
            return outcome.value;
        if (tries >= most || outcome.wait === undefined)
            throw outcome.error;
        await pause(outcome.wait, request.signal);
    }
};
