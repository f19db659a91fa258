/** Whether two languages say the same. */
import { type Answer, quoteAnswer } from './canonical.ts';
import { compareSentences, compareValues, type Difference, formatDifference, turn } from './compare.ts';
import type { Dictionary } from './dictionary.ts';
import { relateDictionaries } from './relation.ts';
import { findForeignWords, Quote, Sentence } from './sentences.ts';

export type { Difference };

/** An answer and its language. */
export interface AnswerInLanguage {
  readonly answer: Answer;
  readonly language: Dictionary;
}

/**
 * What is quoted is the same if its words are translations of each other, of whichever kind: a word may mean several things.
 * `differences(b, a)` are those of `differences(a, b)` with both sides exchanged.
 *
 * @param others every dictionary of the service, for the links to other languages
 * @returns where two answers to the same request in two languages differ, in names; empty if they say the same
 */
export function differences(
  one: AnswerInLanguage,
  other: AnswerInLanguage,
  others: readonly Dictionary[] = [],
): readonly Difference[] {
  const all = [one.language, other.language, ...others];
  const [first, second] = [quoteAnswer(one.answer, one.language, all), quoteAnswer(other.answer, other.language, all)];
  const words = relateDictionaries(one.language, other.language);
  const isSame = (left: Quote, right: Quote): boolean =>
    left.word === right.word || words.isTranslation(left.text, right.text);
  const compareLeaves = (at: string, left: unknown, right: unknown): readonly Difference[] => {
    if (left instanceof Sentence && right instanceof Sentence)
      return [
        ...compareSentences(at, left, right, isSame),
        ...findForeign(at, left, one.language, other.language),
        ...findForeign(at, right, other.language, one.language).map(turn),
      ];
    const areQuotes = left instanceof Quote && right instanceof Quote;
    return areQuotes && isSame(left, right) ? [] : [{ at, one: left, other: right }];
  };
  const parts = ['status', 'headers', 'body'] as const;
  return parts.flatMap((part) => compareValues(part, first[part], second[part], compareLeaves));
}

/** @returns a difference if a sentence has words of another language */
function findForeign(at: string, { text }: Sentence, own: Dictionary, other: Dictionary): readonly Difference[] {
  const words = findForeignWords(text, own, other);
  return words.length === 0 ? [] : [{ at: `${at} (words of ${other.tag})`, one: text, other: words }];
}

/** @returns differences as a person reads them, one a line */
export function formatDifferences(all: readonly Difference[]): string {
  return all.map((difference) => formatDifference(difference)).join('\n');
}

/** @returns what a failed assertion says; empty if two answers say the same */
export function explainDifferences(
  one: AnswerInLanguage,
  other: AnswerInLanguage,
  others?: readonly Dictionary[],
): string {
  const all = differences(one, other, others);
  const [first, second] = [one.language.tag, other.language.tag];
  return all.length === 0 ? '' : `${second} does not say the same as ${first}\n${formatDifferences(all)}`;
}

/** @throws Error if two answers differ, which says where */
export function assertSaysTheSame(
  one: AnswerInLanguage,
  other: AnswerInLanguage,
  others?: readonly Dictionary[],
): void {
  const text = explainDifferences(one, other, others);
  if (text !== '') throw new Error(text);
}
