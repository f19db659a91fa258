/** Whether two languages answer a case alike, while others write. */
import { isDeepStrictEqual } from 'node:util';
import { type Answer, canonical } from '../kit/canonical.ts';
import type { Dictionary } from '../kit/dictionary.ts';
import { type Difference, differences, type Spoken } from '../kit/same.ts';
import { type Request, translate } from '../kit/translate.ts';
import type { Case } from './cases.ts';
import type { Service } from './service.ts';

/** A case, and the two languages that it is asked in. */
export interface Trial {
  readonly asked: Case;
  readonly one: Dictionary;
  readonly other: Dictionary;
}

/** Two responses that differ, each with its request. */
export interface Mismatch {
  readonly requests: readonly [Request, Request];
  readonly answers: readonly [Spoken, Spoken];
  readonly differences: readonly Difference[];
}

export type Outcome =
  | { readonly kind: 'same'; readonly status: number; readonly rows: number }
  | { readonly kind: 'moved' }
  | ({ readonly kind: 'different' } & Mismatch);

/** How often a case is tried before it counts as not comparable. */
const TRIES = 5;

/** @returns a case in a language of its trial */
const sayCase = ({ asked, one, other }: Trial, names: Dictionary, language: Dictionary): Request => {
  const { method, headers, body, url, isForeign } = asked;
  const request = {
    url,
    ...(method !== undefined && { method }),
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
  };
  const own = translate(request, names, one);
  const [path] = own.url.split('?');
  const [, query] = translate(request, names, other).url.split('?');
  const said = isForeign ? { ...own, url: `${path}?${query}` } : own;
  return language === one ? said : translate(said, one, language);
};

const NEXT = /<([^>]*)>;\s*rel="next"/;

interface Asked {
  readonly request: Request;
  readonly answer: Answer;
  /** Whether the service says itself that somebody has written meanwhile. */
  readonly hasMoved?: boolean;
}

/** Asks a case in one language, and whatever comes after it. */
const ask = async (service: Service, trial: Trial, language: Dictionary): Promise<Asked> => {
  const request = sayCase(trial, service.names, language);
  const { follow } = trial.asked;
  const first = await service.ask(request, language);
  if (follow === undefined) return { request, answer: first };
  if (follow === 'next') {
    const [, url] = NEXT.exec(first.headers.link ?? '') ?? [];
    if (url === undefined) return { request, answer: first };
    const next = { ...request, url };
    return { request: next, answer: await service.ask(next, language) };
  }
  const elsewhere = language === trial.one ? trial.other : trial.one;
  const tagged = follow === 'own tag' ? first : await service.ask(sayCase(trial, service.names, elsewhere), elsewhere);
  const conditional = { ...request, headers: { ...request.headers, 'If-None-Match': tagged.headers.etag ?? '""' } };
  const answer = await service.ask(conditional, language);
  const hasMoved = follow === 'own tag' && answer.status === 200 && answer.headers.etag !== first.headers.etag;
  return { request: conditional, answer, hasMoved };
};

/** @returns where two responses differ; a service that fails is never right, in however many languages it does */
export const differing = (
  answers: readonly [Spoken, Spoken],
  languages: readonly Dictionary[],
): readonly Difference[] => {
  const [one, other] = answers.map(({ answer }) => answer.status);
  return one === 500 && other === 500 ? [{ at: 'status', one, other }] : differences(...answers, languages);
};

/** Headers that change with every write that concerns a response. */
const TAGS = ['etag', 'x-change'];

/** The state of the catalogue is one for all languages. @returns where it differs although nothing was written */
const compareStates = (...answers: readonly [Answer, Answer, Answer]): readonly Difference[] => {
  const [one, other, again] = answers.map(({ headers }) => headers['x-change']);
  return one === again && one !== other ? [{ at: 'headers/x-change', one, other }] : [];
};

const once = async (service: Service, trial: Trial): Promise<Outcome> => {
  const { languages } = service;
  const { one, other } = trial;
  const first = await ask(service, trial, one);
  const second = await ask(service, trial, other);
  const again = await ask(service, trial, one);
  const haveMoved = [first, second, again].some(({ hasMoved }) => hasMoved);
  if (
    haveMoved ||
    !isDeepStrictEqual(canonical(first.answer, one, languages), canonical(again.answer, one, languages))
  ) {
    return { kind: 'moved' };
  }
  const answers = [
    { answer: first.answer, language: one },
    { answer: second.answer, language: other },
  ] as const;
  const differences = [...differing(answers, languages), ...compareStates(first.answer, second.answer, again.answer)];
  const { status, body } = first.answer;
  // What was changed and changed back looks the same, but for its tag.
  if (differences.length > 0 && TAGS.some((name) => first.answer.headers[name] !== again.answer.headers[name])) {
    return { kind: 'moved' };
  }
  if (differences.length === 0) return { kind: 'same', status, rows: Array.isArray(body) ? body.length : 1 };
  return { kind: 'different', requests: [first.request, second.request], answers, differences };
};

/**
 * Asks one language, the other, and the first again: if that is not the same any more, nothing is said about languages. What
 * differs must differ twice, because not every response has a tag.
 */
export const check = async (service: Service, trial: Trial): Promise<Outcome> => {
  let before: Outcome | undefined;
  for (let tries = 0; tries < TRIES; tries++) {
    const outcome = await once(service, trial);
    if (outcome.kind === 'same' && before === undefined) return outcome;
    if (outcome.kind !== 'different') continue;
    const isAgain =
      before?.kind === 'different' &&
      before.differences.some(({ at }) => outcome.differences.some((each) => each.at === at));
    if (isAgain) return outcome;
    before = outcome;
  }
  return { kind: 'moved' };
};
