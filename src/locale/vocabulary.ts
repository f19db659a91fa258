import { fold } from '../model/search/fold.ts';
import type { Dictionary } from './table.ts';
import { joinTruncated } from './truncate.ts';

/** The words of one kind in one language: word ⇄ name, and the word that was probably intended. */
export interface Vocabulary {
  readonly names: readonly string[];
  /** The words as a sentence lists them. */
  readonly known: string;
  /** @throws TypeError for a name that is not of this kind, which is a bug */
  readonly word: (name: string) => string;
  /** Accents may be characters of their own, as macOS writes them (NFD). */
  readonly name: (word: string) => string | undefined;
  /** The word to use instead of another language's word or a misspelt one: one slip is recognised, and case and accents are ignored. */
  readonly suggest: (word: string) => string | undefined;
}

/** UTF-16 units. A longer word gets no suggestion: a body may have a thousand unknown words, each compared letter by letter. */
const LONGEST = 64;

/**
 * @param own this language's words, by name
 * @param others the words of each other language, by the same names
 */
export const vocabulary = (own: Dictionary, others: readonly Dictionary[]): Vocabulary => {
  // Maps: in an object, `__proto__` and `constructor` would be found.
  const words = new Map(Object.entries(own));
  const names = new Map([...words].map(([name, word]) => [word, name]));
  const foreign = new Map(others.flatMap((other) => Object.entries(other).map(([name, word]) => [word, name])));
  const spelt = [...names.keys()].map((each) => ({ each, letters: lettersOf(each) }));

  const word = (name: string): string => {
    const found = words.get(name);
    if (found === undefined) throw new TypeError(`no word for "${name}"`);
    return found;
  };
  return {
    names: [...words.keys()],
    known: joinTruncated([...words.values()]),
    word,
    name: (sent) => names.get(sent) ?? names.get(sent.normalize()),
    suggest: (sent) => {
      if (sent.length > LONGEST) return undefined;
      const name = foreign.get(sent.normalize());
      if (name !== undefined) return word(name);
      const letters = lettersOf(sent);
      const meant =
        spelt.find((own) => isSame(own.letters, letters)) ?? spelt.find((own) => isOneSlip(own.letters, letters));
      return meant?.each;
    },
  };
};

/** Letters are folded one by one: `ß` is one letter, although it folds to two. */
const lettersOf = (text: string): readonly string[] =>
  Array.from(text.normalize('NFC'), fold).filter((letter) => letter !== '');

const isSame = (word: readonly string[], sent: readonly string[]): boolean => word.join('') === sent.join('');

/**
 * Whether one letter was added, lost or changed, or two neighbours swapped (Damerau–Levenshtein distance 1).
 */
const isOneSlip = (word: readonly string[], sent: readonly string[]): boolean => {
  const [longer, shorter] = [word, sent].sort((a, b) => b.length - a.length);
  if (!longer || !shorter) return false;
  let start = 0;
  while (start < shorter.length && longer[start] === shorter[start]) start++;
  const rest = (letters: readonly string[], from: number) => letters.slice(from).join('');
  if (longer.length === shorter.length + 1) return rest(longer, start + 1) === rest(shorter, start);
  if (longer.length !== shorter.length || shorter.length === 1) return false;
  if (rest(longer, start + 1) === rest(shorter, start + 1)) return true;
  const swapped = longer[start] === shorter[start + 1] && longer[start + 1] === shorter[start];
  return swapped && rest(longer, start + 2) === rest(shorter, start + 2);
};
