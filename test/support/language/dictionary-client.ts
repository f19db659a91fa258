import { type Dictionary, readDictionaries as readAll } from '../../../kit/src/dictionary.ts';
import { translate } from '../../../kit/src/translate.ts';
import type { Send, TestResponse } from '../app/app.ts';

/** A client that knows nothing of the catalogue: whatever it does follows from the dictionaries that the service sends. */

/** One request, or what an answer holds, in one language. */
export interface Spoken {
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly body?: unknown;
}

const responseOf = ({ status, text, headers }: TestResponse): Response =>
  new Response(text === '' ? null : text, { status, headers });

/** Every dictionary that the service lists. */
export const readDictionaries = (send: Send): Promise<readonly Dictionary[]> =>
  readAll('', async (url) => responseOf(await send('GET', url)));

const searchOf = (query: Spoken['query']): string =>
  query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');

const pairsOf = (search: string): Spoken['query'] =>
  search === '' ? [] : search.split('&').map((pair) => pair.split('=').map(decodeURIComponent) as [string, string]);

/** @returns functions that say in one language what was said in another */
export const translatorBetween = (from: Dictionary, to: Dictionary) => ({
  path: (path: string): string => translate({ url: path }, from, to).url,
  content: (path: string, content: unknown): unknown => translate({ url: path, body: content }, from, to).body,
  request: ({ method, path, query, body }: Spoken): Spoken => {
    const translated = translate({ method, url: `${path}?${searchOf(query)}`, body }, from, to);
    const [there = '', search = ''] = translated.url.split('?');
    return { method, path: there, query: pairsOf(search), body: translated.body };
  },
});
