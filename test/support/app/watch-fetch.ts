import type { Check } from '../documents/check.ts';
import { localesFolder, openApp } from './app.ts';

/** Of the service's processes that tests have started. */
const origins = new Set<string>();
let check: Promise<Check> | undefined;

const checkOf = async (): Promise<Check> => (await openApp({ locales: localesFolder })).check;

const bare = globalThis.fetch;

/** Checks what is fetched from a process of the service; the rest of the world is none of its business. */
globalThis.fetch = async (input, init) => {
  const answer = await bare(input, init);
  const { origin, pathname, search } = new URL(answer.url || String(input));
  if (!origins.has(origin)) return answer;
  check ??= checkOf();
  const isShort = answer.headers.has('content-length') || answer.status === 204;
  const text = isShort ? await answer.clone().text() : undefined;
  const { status, headers } = answer;
  const { method = 'GET' } = init ?? {};
  await (await check)({ method, target: pathname + search, status, headers, text: method === 'HEAD' ? '' : text });
  return answer;
};

/** From now on, what is fetched from there is checked against the documents. */
export const watchOrigin = (origin: string): void => void origins.add(origin);

export const forgetOrigin = (origin: string): void => void origins.delete(origin);
