/** Whether two languages say the same. */
import { type Answer, quoteAnswer } from './canonical.ts';
import { compareSentences, compareValues, type Difference, formatDifference, turn } from './compare.ts';
import type { Dictionary } from './dictionary.ts';
import { findForeignWords, Quote, Sentence } from './sentences.ts';
import { relateDictionaries } from './words.ts';

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

/**
 * @param others every dictionary of the service; by default those of the answers
 * @returns where the answers of other languages differ from the first one, as people read it; empty if they say the same
 */
export function describeDifferences(
  answers: readonly AnswerInLanguage[],
  others: readonly Dictionary[] = answers.map(({ language }) => language),
): string {
  const [first, ...rest] = answers;
  const texts = rest.flatMap((other) => {
    const list = first ? differences(first, other, others) : [];
    const [one, another] = [first, other].map((each) => `${each?.language.tag} ${each?.answer.url}`);
    return list.length === 0 ? [] : [`${one} and ${another} differ`, ...list.map((each) => formatDifference(each))];
  });
  return texts.join('\n');
}

/** @throws Error if two answers differ, which says where */
export function assertSaysTheSame(
  one: AnswerInLanguage,
  other: AnswerInLanguage,
  others?: readonly Dictionary[],
): void {
  const text = describeDifferences([one, other], others);
  if (text !== '') throw new Error(text);
}
