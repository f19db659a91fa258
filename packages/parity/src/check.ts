/** Whether two trees answer a case alike, while others write. */
import { isDeepStrictEqual } from 'node:util';
import type { Exchange, Mismatch, Subject, Trial } from './subject.ts';
import { findItems } from './trees/values.ts';

export type Outcome =
  | { readonly kind: 'same'; readonly status: number; readonly rows: number }
  | { readonly kind: 'moved' }
  | ({ readonly kind: 'different' } & Mismatch);

/** How often a case is tried before it counts as not comparable. */
const TRIES = 5;

const NEXT = /<([^>]*)>;\s*rel="next"/;

interface Asked extends Exchange {
  /** Whether the service says itself that somebody has written meanwhile. */
  readonly hasMoved?: boolean;
}

/** Asks a case in one tree, and whatever comes after it. */
async function ask(subject: Subject, trial: Trial, tag: string): Promise<Asked> {
  const request = await subject.say(trial, tag);
  const { follow } = trial.asked;
  const first = await subject.send(request, tag);
  if (follow === undefined) return { tag, request, answer: first };
  if (follow === 'next') {
    const [, url] = NEXT.exec(first.headers.link ?? '') ?? [];
    // What leads to another list has parameters of which its document knows nothing.
    const isSameList =
      url !== undefined && new URL(url, 'http://x').pathname === new URL(request.url, 'http://x').pathname;
    if (!isSameList) return { tag, request, answer: first };
    const next = { ...request, url };
    return { tag, request: next, answer: await subject.send(next, tag) };
  }
  const elsewhere = tag === trial.one ? trial.other : trial.one;
  const tagged = follow === 'own tag' ? first : await subject.send(await subject.say(trial, elsewhere), elsewhere);
  const conditional = { ...request, headers: { ...request.headers, 'If-None-Match': tagged.headers.etag ?? '""' } };
  const answer = await subject.send(conditional, tag);
  const hasMoved = follow === 'own tag' && answer.status === 200 && answer.headers.etag !== first.headers.etag;
  return { tag, request: conditional, answer, hasMoved };
}

/** Headers that change with every write that concerns a response. */
const TAGS = ['etag', 'x-change'];

async function once(subject: Subject, trial: Trial): Promise<Outcome> {
  const first = await ask(subject, trial, trial.one);
  const second = await ask(subject, trial, trial.other);
  const differences = [...(await subject.compare(first, second, trial.asked))];
  const { status, body } = first.answer;
  const same: Outcome = { kind: 'same', status, rows: status === 200 ? (findItems(body)?.length ?? 0) : 0 };
  const again = await ask(subject, trial, trial.one);
  const haveMoved = [first, second, again].some(({ hasMoved }) => hasMoved);
  const [before, after] = [first, again].map(({ answer, tag }) => subject.steady(answer, tag));
  if (haveMoved || !isDeepStrictEqual(before, after)) return { kind: 'moved' };
  // The state of the data is one for all trees.
  const [one, other, later] = [first, second, again].map(({ answer }) => answer.headers['x-change']);
  if (one === later && one !== other) differences.push({ at: 'headers/x-change', one, other });
  if (differences.length === 0) return same;
  // What was changed and changed back looks the same, but for its tag.
  if (TAGS.some((name) => first.answer.headers[name] !== again.answer.headers[name])) return { kind: 'moved' };
  return { kind: 'different', exchanges: [first, second], differences };
}

/**
 * Asks one tree, the other, and the first again: if that is not the same any more, nothing is said about the trees. What
 * differs must differ twice, because not every response has a tag.
 */
export async function check(subject: Subject, trial: Trial): Promise<Outcome> {
  let before: Outcome | undefined;
  for (let tries = 0; tries < TRIES; tries++) {
    const outcome = await once(subject, trial);
    if (outcome.kind === 'same' && before === undefined) return outcome;
    if (outcome.kind !== 'different') continue;
    const isAgain =
      before?.kind === 'different' &&
      before.differences.some(({ at }) => outcome.differences.some((each) => each.at === at));
    if (isAgain) return outcome;
    before = outcome;
  }
  return { kind: 'moved' };
}
