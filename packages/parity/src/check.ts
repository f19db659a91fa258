/** Whether two trees answer a case alike, while others write. */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../vocabularies/src/words.ts';
import type { Answer } from './kit/canonical.ts';
import { readLinks, VOLATILE } from './kit/headers.ts';
import type { Exchange, Mismatch, Trees, Trial } from './trees/trees.ts';
import { findItems } from './trees/values.ts';

export type Outcome =
  | { readonly kind: 'same'; readonly status: number; readonly rows: number }
  | { readonly kind: 'moved' }
  | ({ readonly kind: 'different' } & Mismatch);

/** How often a case is tried before it counts as not comparable. */
const TRIES = 5;

/** Asks a case in one tree, and whatever comes after it; `hasMoved` if the service itself says that somebody has written meanwhile. */
async function ask(trees: Trees, { asked }: Trial, tag: string): Promise<Exchange & { readonly hasMoved?: boolean }> {
  const request = await trees.say(asked, tag);
  const { follow } = asked;
  const first = await trees.send(request, tag);
  if (follow === 'next') {
    const links = readLinks(first.headers.link ?? '');
    const url = links.find(({ parameters }) => /;\s*rel="?next\b/.test(parameters))?.url;
    // What leads to another list has parameters of which its document knows nothing.
    const isSameList =
      url !== undefined && new URL(url, 'http://x').pathname === new URL(request.url, 'http://x').pathname;
    if (isSameList) return { tag, request: { ...request, url }, answer: await trees.send({ ...request, url }, tag) };
  }
  if (follow !== 'own tag') return { tag, request, answer: first };
  const conditional = { ...request, headers: { ...request.headers, 'If-None-Match': first.headers.etag ?? '""' } };
  const answer = await trees.send(conditional, tag);
  const hasMoved = answer.status === 200 && answer.headers.etag !== first.headers.etag;
  return { tag, request: conditional, answer, hasMoved };
}

/** @returns an answer without what is different each time */
function steady({ status, headers, body }: Answer): unknown {
  const keep = (members: object, changing: RegExp) =>
    Object.entries(members).filter(([name]) => !changing.test(name) && !VOLATILE.test(name));
  const isError = status >= 400 && isObject(body);
  const own = isError ? keep(body, /^(?:request_?id|timestamp)$/i) : body;
  return [status, keep(headers, /^(?:set-cookie|retry-after)$/), JSON.stringify(own)];
}

async function once(trees: Trees, trial: Trial): Promise<Outcome> {
  const first = await ask(trees, trial, trial.one);
  const second = await ask(trees, trial, trial.other);
  const differences = [...(await trees.compare(first, second, trial.asked))];
  const again = await ask(trees, trial, trial.one);
  // Whatever the first tree says before and after it did not move in between.
  const haveMoved = first.hasMoved || again.hasMoved;
  if (haveMoved || !isDeepStrictEqual(steady(first.answer), steady(again.answer))) return { kind: 'moved' };
  // The state of the data is one for all trees.
  const [one, other, later] = [first, second, again].map(({ answer }) => answer.headers['x-change']);
  if (one === later && one !== other) differences.push({ at: 'headers/x-change', one, other });
  const { status, body } = first.answer;
  if (differences.length === 0)
    return { kind: 'same', status, rows: status === 200 ? (findItems(body)?.length ?? 0) : 0 };
  return { kind: 'different', exchanges: [first, second], differences };
}

/**
 * Asks one tree, the other, and the first again: if that is not the same any more, nothing is said about the trees. What
 * differs must differ twice, because not every response has a tag.
 */
export async function check(trees: Trees, trial: Trial): Promise<Outcome> {
  let before: Mismatch | undefined;
  for (let tries = 0; tries < TRIES; tries++) {
    const outcome = await once(trees, trial);
    if (outcome.kind === 'same' && before === undefined) return outcome;
    if (outcome.kind !== 'different') continue;
    if (before?.differences.some(({ at }) => outcome.differences.some((each) => each.at === at))) return outcome;
    before = outcome;
  }
  return { kind: 'moved' };
}
