/** Whether two trees answer a case alike, while others write. */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../vocabularies/src/words.ts';
import type { Answer } from './kit/canonical.ts';
import { readLinks, VOLATILE } from './kit/headers.ts';
import type { Exchange, Mismatch, Outcome, Trees, Trial } from './trees/trees.ts';
import { findItems } from './trees/values.ts';

/** How often a case is tried before it counts as not comparable. */
const TRIES = 5;

/** Makes a request to one tree, and the one that comes after it; `hasMoved` if the service itself says that somebody has written meanwhile. */
async function ask(trees: Trees, { request }: Trial, tag: string): Promise<Exchange & { readonly hasMoved?: boolean }> {
  const translated = await trees.translateRequest(request, tag);
  const first = { tag, request: translated, answer: await trees.send(translated, tag) };
  const { etag, link = '' } = first.answer.headers;
  if (request.follow === 'next') {
    const { url } = readLinks(link).find(({ rel }) => /^next\b/.test(rel)) ?? translated;
    const [path, ownPath] = [url, translated.url].map((address) => new URL(address, 'http://x').pathname);
    const next = { ...translated, url };
    // What leads to another list has parameters of which its document knows nothing.
    if (next.url !== translated.url && path === ownPath)
      return { tag, request: next, answer: await trees.send(next, tag) };
  }
  if (request.follow !== 'own tag') return first;
  const conditional = { ...translated, headers: { ...translated.headers, 'if-none-match': etag ?? '""' } };
  const answer = await trees.send(conditional, tag);
  return { tag, request: conditional, answer, hasMoved: answer.status === 200 && answer.headers.etag !== etag };
}

/** @returns an answer without what is different each time */
function omitVolatile({ status, headers, body }: Answer): unknown {
  const omit = (members: object, volatile: RegExp) =>
    Object.entries(members).filter(([name]) => !volatile.test(name) && !VOLATILE.test(name));
  const own = status >= 400 && isObject(body) ? omit(body, /^(?:request_?id|timestamp)$/i) : body;
  return [status, omit(headers, /^(?:set-cookie|retry-after)$/), JSON.stringify(own)];
}

async function checkOnce(trees: Trees, trial: Trial): Promise<Outcome> {
  const first = await ask(trees, trial, trial.one);
  const second = await ask(trees, trial, trial.other);
  const differences = [...(await trees.compare(first, second, trial.request))];
  const again = await ask(trees, trial, trial.one);
  // Whatever the first tree says before and after it did not move in between.
  const isSteady = isDeepStrictEqual(omitVolatile(first.answer), omitVolatile(again.answer));
  if (first.hasMoved || again.hasMoved || !isSteady) return { kind: 'moved' };
  // The state of the data is one for all trees.
  const [one, other, later] = [first, second, again].map(({ answer }) => answer.headers['x-change']);
  if (one === later && one !== other) differences.push({ at: 'headers/x-change', one, other });
  if (differences.length > 0) return { kind: 'different', exchanges: [first, second], differences };
  const { status, body } = first.answer;
  return { kind: 'same', status, rows: status === 200 ? (findItems(body)?.length ?? 0) : 0 };
}

/**
 * Asks one tree, the other, and the first again: if that is not the same any more, nothing is said about the trees. What
 * differs must differ twice, because not every response has a tag.
 */
export async function check(trees: Trees, trial: Trial): Promise<Outcome> {
  let before: Mismatch | undefined;
  for (let tries = 0; tries < TRIES; tries++) {
    const outcome = await checkOnce(trees, trial);
    if (outcome.kind === 'same' && before === undefined) return outcome;
    if (outcome.kind !== 'different') continue;
    if (before?.differences.some(({ at }) => outcome.differences.some((each) => each.at === at))) return outcome;
    before = outcome;
  }
  return { kind: 'moved' };
}
