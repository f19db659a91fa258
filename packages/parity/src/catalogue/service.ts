/** A running service, of which nothing is known but what it says of itself. */
import { setTimeout } from 'node:timers/promises';
import { isObject } from '../../../vocabularies/src/words.ts';
import { type Answer, answerOf } from '../kit/canonical.ts';
import {
  type Dictionary,
  type Fetch,
  listNames,
  readDictionaries,
  readText,
  resolveAt,
  rootPath,
} from '../kit/dictionary.ts';
import { type Request, translate } from '../kit/translate.ts';

/** An item in canonical names. */
export type Item = Readonly<Record<string, unknown>>;

export interface Service {
  readonly origin: string;
  /** At least two. */
  readonly languages: readonly Dictionary[];
  /** The language of the names that all languages share. */
  readonly names: Dictionary;
  /** Some items of each collection, each with the URL of its list in names. */
  readonly samples: Readonly<Record<string, readonly { readonly list: string; readonly item: Item }[]>>;
  /** OpenAPI documents by language. */
  readonly documents: Readonly<Record<string, unknown>>;
  /** How many web hooks there are; `undefined` if the service does not say. */
  readonly hooks: number | undefined;
  readonly ask: (request: Request, language: Dictionary) => Promise<Answer>;
}

export interface ServiceOptions {
  readonly origin: string;
  /** Tags; by default every language. */
  readonly languages?: readonly string[] | undefined;
  /** An API key. */
  readonly key?: string | undefined;
  /** The most requests a second. */
  readonly rate?: number | undefined;
  readonly get?: Fetch;
}

/** A service that cannot be checked, which says why. */
export class NotComparable extends Error {}

/** Milliseconds after which an answer is not waited for any longer. */
const PATIENCE = 30_000;
/** Seconds that a service may ask to wait at a time. */
const LONGEST_WAIT = 60;

/** @returns what asks in turn, and waits for as long as the service asks */
function createPoliteFetch(get: Fetch, rate: number | undefined): Fetch {
  let turn = 0;
  return async (url, init) => {
    for (let tries = 0; ; tries++) {
      if (rate !== undefined) {
        turn = Math.max(turn + 1000 / rate, performance.now());
        await setTimeout(turn - performance.now());
      }
      const response = await get(url, { ...init, signal: AbortSignal.timeout(PATIENCE) });
      if (response.status !== 429 || tries === 5) return response;
      const wait = Number(response.headers.get('retry-after')) || 1;
      await setTimeout(Math.min(Math.max(wait, 0), LONGEST_WAIT) * 1000);
    }
  };
}

const SAMPLES = 40;

type Samples = Service['samples'];

async function readItems(
  ask: Service['ask'],
  names: Dictionary,
  language: Dictionary,
  list: string,
): Promise<readonly Item[]> {
  const size = names.parameters.number_of_elements?.word ?? '';
  const request = translate({ url: `${list}?${size}=${SAMPLES}` }, names, language);
  const { status, body } = await ask(request, language);
  if (status === 401 || status === 403)
    throw new NotComparable(`${request.url} is answered with ${status}: give a --key that may read`);
  const items = translate({ url: request.url, body }, language, names).body;
  return Array.isArray(items) ? items.filter(isObject) : [];
}

async function readSamples(ask: Service['ask'], names: Dictionary, language: Dictionary): Promise<Samples> {
  const samples = new Map<string, Samples[string]>();
  for (const [name, { parent, paths }] of Object.entries(names.collections)) {
    const parents = (samples.get(parent ?? '') ?? []).slice(0, 10);
    const lists =
      parent === undefined
        ? [paths.list]
        : parents.map(({ list, item }) => `${list}/${encodeURIComponent(readKey(names, parent, item))}/${name}`);
    const all = [];
    for (const list of lists)
      all.push(...(await readItems(ask, names, language, list)).map((item) => ({ list, item })));
    samples.set(name, all);
  }
  return Object.fromEntries(samples);
}

/** @returns the key of an item */
export const readKey = (names: Dictionary, collection: string, item: Item): string =>
  String(item[Object.keys(names.collections[collection]?.fields ?? {})[0] ?? ''] ?? '');

async function readJson(get: Fetch, url: string, tag: string): Promise<unknown> {
  const headers = { Accept: 'application/json', 'Accept-Language': tag };
  const response = await get(url, { headers, redirect: 'error' });
  return response.ok ? JSON.parse(await readText(response, url)) : undefined;
}

/** @returns what these members say to people anywhere in a document, without names between backticks */
function collectProse(document: unknown, members: readonly string[]): string {
  if (typeof document !== 'object' || document === null) return '';
  const texts = Object.entries(document).map(([name, value]) =>
    typeof value === 'string' && members.includes(name)
      ? value.replaceAll(/`[^`]*`/g, '')
      : collectProse(value, members),
  );
  return texts.filter((text) => text !== '').join('\n');
}

/** @throws NotComparable if there is too little to compare */
export async function openService({ origin, languages, key, rate, get = fetch }: ServiceOptions): Promise<Service> {
  const headers = { 'User-Agent': 'parity', ...(key !== undefined && { Authorization: `Bearer ${key}` }) };
  const send = createPoliteFetch((url, init) => get(url, { ...init, headers: { ...headers, ...init?.headers } }), rate);
  const every = await readDictionaries(origin, send);
  const chosen = every.filter(({ tag }) => languages?.includes(tag) ?? true);
  const missing = languages?.filter((tag) => !chosen.some((each) => each.tag === tag)) ?? [];
  if (missing.length > 0) throw new NotComparable(`the service has no language ${missing.join(', ')}`);
  const [first] = chosen;
  if (!first || chosen.length < 2) throw new NotComparable('there is one language only');

  const documents: Record<string, unknown> = {};
  const withProse = await Promise.all(
    chosen.map(async (dictionary) => {
      const { tag } = dictionary;
      documents[tag] = await readJson(send, `${origin}/api/openapi.${tag}.json`, tag);
      const problems = await readJson(send, `${origin}/api/problems`, tag);
      // Not what examples say: those are sentences that are compared.
      const prose =
        collectProse(documents[tag], ['description', 'summary']) + collectProse(problems, ['title', 'detail']);
      return { ...dictionary, prose };
    }),
  );
  const ask: Service['ask'] = async ({ method = 'GET', url, headers: own, body }, language) => {
    // Inside a tree it must not count, so that it is always another's.
    const other = every.find(({ tag }) => tag !== language.tag)?.tag ?? '';
    const content = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const sent = {
      'Accept-Language': other,
      ...(content !== undefined && { 'Content-Type': 'application/json' }),
      ...own,
    };
    const response = await send(resolveAt(origin, url), {
      method,
      headers: sent,
      redirect: 'manual',
      ...(content !== undefined && { body: content }),
    });
    return answerOf(response, url);
  };
  const names = listNames(first);
  const index = await readJson(send, origin + rootPath(first), first.tag);
  const hooks = (index as { readonly hooks?: number } | undefined)?.hooks;
  return { origin, languages: withProse, names, documents, hooks, ask, samples: await readSamples(ask, names, first) };
}
