/** Whether two languages say the same. */
import { type Answer, quoteAnswer } from './canonical.ts';
import type { Dictionary } from './dictionary.ts';
import { relateDictionaries } from './relation.ts';
import { findUnmatched, foreignWords, Quote } from './sentences.ts';

/** A response and its language. */
export interface Spoken {
  readonly answer: Answer;
  readonly language: Dictionary;
}

/** One place where two responses differ; both values are in names. */
export interface Difference {
  /** A path of members: `body/0/brand`. */
  readonly at: string;
  readonly one: unknown;
  readonly other: unknown;
}

/** @returns whether a value has members: an object, or an array */
const hasMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** @returns where two values differ, of which some may be the same although they are not equal */
function compare(at: string, one: unknown, other: unknown, isSame: typeof Object.is): readonly Difference[] {
  if (isSame(one, other)) return [];
  if (!hasMembers(one) || !hasMembers(other) || Array.isArray(one) !== Array.isArray(other) || one instanceof Quote)
    return [{ at, one, other }];
  if (at.endsWith('/quoted') && Array.isArray(one) && Array.isArray(other)) {
    const [lost, rest] = findUnmatched<unknown>(one, other, isSame);
    return lost.length + rest.length > 0 ? [{ at, one: lost, other: rest }] : [];
  }
  const members = new Set([...Object.keys(one), ...Object.keys(other)]);
  const within = [...members].flatMap((name) =>
    compare(`${at}/${name}`.replace(/^\//, ''), one[name], other[name], isSame),
  );
  // Members come in the same order, too.
  const isInOrder = JSON.stringify(Object.keys(one)) === JSON.stringify(Object.keys(other));
  if (within.length > 0 || isInOrder || !at.startsWith('body')) return within;
  return [{ at, one: Object.keys(one), other: Object.keys(other) }];
}

/** The sentences of a problem, by where they stand. */
const sentencesIn = (body: unknown, at: string): readonly (readonly [at: string, text: string])[] => {
  if (!hasMembers(body)) return [];
  return Object.entries(body).flatMap(([name, value]) => {
    if (typeof value !== 'string') return sentencesIn(value, `${at}/${name}`);
    return ['title', 'detail', 'remedy'].includes(name) ? [[`${at}/${name}`, value] as const] : [];
  });
};

const foreignIn = ({ answer, language }: Spoken, other: Dictionary): readonly Difference[] => {
  if (!answer.headers['content-type']?.startsWith('application/problem+json')) return [];
  return sentencesIn(answer.body, 'body').flatMap(([at, text]) => {
    const words = foreignWords(text, language, other);
    return words.length === 0 ? [] : [{ at: `${at} (words of ${other.tag})`, one: text, other: words }];
  });
};

/**
 * What is quoted is the same if its words are translations of each other, of whichever kind: a word may mean several things.
 * `differences(b, a)` are those of `differences(a, b)` with both sides exchanged.
 *
 * @param others every dictionary of the service, for the links to other languages
 * @returns where two responses to the same request in two languages differ, in names; empty if they say the same
 */
export const differences = (one: Spoken, other: Spoken, others: readonly Dictionary[] = []): readonly Difference[] => {
  const all = [one.language, other.language, ...others];
  const [first, second] = [one, other].map(({ answer, language }) => quoteAnswer(answer, language, all));
  const words = relateDictionaries(one.language, other.language);
  const isSame = (left: unknown, right: unknown): boolean =>
    left instanceof Quote && right instanceof Quote
      ? left.word === right.word || words.isTranslation(left.text, right.text)
      : Object.is(left, right);
  return [
    ...compare('', first, second, isSame),
    ...foreignIn(one, other.language),
    ...foreignIn(other, one.language).map(({ at, one: text, other: words }) => ({ at, one: words, other: text })),
  ];
};

/** @returns differences as a person reads them, one a line */
export const formatDifferences = (all: readonly Difference[]): string =>
  all
    .map(({ at, one, other }) => `${at}: ${JSON.stringify(one) ?? 'nothing'} ≠ ${JSON.stringify(other) ?? 'nothing'}`)
    .join('\n');

/** @throws Error if two responses differ, which says where */
export const assertSaysTheSame = (one: Spoken, other: Spoken, others: readonly Dictionary[] = []): void => {
  const all = differences(one, other, others);
  if (all.length === 0) return;
  throw new Error(`${other.language.tag} does not say the same as ${one.language.tag}\n${formatDifferences(all)}`);
};
