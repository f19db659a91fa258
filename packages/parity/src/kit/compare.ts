/** Where two answers differ, whoever has made them comparable: one in names of both, or one that was translated into the words of the other. */
import { asArray } from '../../../vocabularies/src/document.ts';
import { asObject, type Json } from '../../../vocabularies/src/words.ts';
import type { Quote, Sentence } from './sentences.ts';

/** One place where two answers differ. */
export interface Difference {
  /** A path of members: `body/0/brand`. */
  readonly at: string;
  readonly one: unknown;
  readonly other: unknown;
}

/** @returns where two values differ that have no members, or are not both lists or both objects */
type CompareLeaves = (at: string, one: unknown, other: unknown, original: unknown) => readonly Difference[];

/** @returns whether a value has members: an object of a class stands for one value */
function isPlain(value: unknown): value is Json {
  if (typeof value !== 'object' || value === null) return false;
  // The prototype of objects is another one in each realm, such as that of a test in jest.
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * Members come in the same order in both, and lists are as long as each other.
 *
 * @param original what the first value was before it was translated, with its members in the same order
 */
export function compareValues(
  at: string,
  one: unknown,
  other: unknown,
  compareLeaves: CompareLeaves,
  original?: unknown,
): readonly Difference[] {
  if (Object.is(one, other)) return [];
  if (Array.isArray(one) && Array.isArray(other)) {
    if (one.length !== other.length) return [{ at: `${at}/length`, one: one.length, other: other.length }];
    const originals = asArray(original);
    return one.flatMap((value, index) =>
      compareValues(`${at}/${index}`, value, other[index], compareLeaves, originals[index]),
    );
  }
  if (!isPlain(one) || !isPlain(other)) return compareLeaves(at, one, other, original);
  const [names, others] = [Object.keys(one), Object.keys(other)];
  const originals = Object.values(asObject(original));
  const within = [...new Set([...names, ...others])].flatMap((name) =>
    compareValues(`${at}/${name}`, one[name], other[name], compareLeaves, originals[names.indexOf(name)]),
  );
  if (within.length > 0 || names.join('\0') === others.join('\0')) return within;
  return [{ at, one: names, other: others }];
}

/** @returns those of each list that have no counterpart in the other, whatever their order */
function findUnmatched<T>(one: readonly T[], other: readonly T[], isSame: (a: T, b: T) => boolean) {
  const rest = [...other];
  const lost = one.filter((item) => {
    const index = rest.findIndex((candidate) => isSame(item, candidate));
    if (index !== -1) rest.splice(index, 1);
    return index === -1;
  });
  return [lost, rest] as const;
}

/** @param isPlain whether what one sentence quotes stands in the text of the other, which counts as quoted there */
export function compareSentences(
  at: string,
  one: Sentence,
  other: Sentence,
  isSame: (a: Quote, b: Quote) => boolean,
  isPlain: (quote: Quote, text: string) => boolean = () => false,
): readonly Difference[] {
  const [lost, rest] = findUnmatched(one.quoted, other.quoted, isSame);
  const [left, right] = [
    lost.filter((quote) => !isPlain(quote, other.plain)),
    rest.filter((quote) => !isPlain(quote, one.plain)),
  ];
  const areNumbersSame = one.numbers.join() === other.numbers.join();
  return [
    ...(areNumbersSame ? [] : [{ at: `${at}/numbers`, one: one.numbers, other: other.numbers }]),
    ...(left.length + right.length === 0 ? [] : [{ at: `${at}/quoted`, one: left, other: right }]),
  ];
}

/** @returns a difference of the same answers, of which the other one comes first */
export function turn({ at, one, other }: Difference): Difference {
  return { at, one: other, other: one };
}

/** @returns a difference as a person reads it */
export function formatDifference({ at, one, other }: Difference, write = JSON.stringify): string {
  return `${at}: ${write(one) ?? 'nothing'} ≠ ${write(other) ?? 'nothing'}`;
}
