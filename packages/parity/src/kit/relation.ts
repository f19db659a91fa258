/** Relates the words of two languages, whatever they stand for. */
import { decodeUri } from '../../../vocabularies/src/document.ts';
import type { Dictionary } from './dictionary.ts';
import { pairDictionaries } from './words.ts';

const PARTS = /([^\p{L}\p{N}_-]+)/u;

/** Knows which names of one language and words of the other are translations of each other, wherever they stand. */
export class Relation {
  readonly #words = new Map<string, Set<string>>();
  readonly #names = new Map<string, Set<string>>();

  /** Members of the second tree, and parameters, whose values cannot be translated, because a word is another one's name. */
  readonly skipped = new Set<string>();

  pair(name: string, word: string): void {
    this.#words.set(name, (this.#words.get(name) ?? new Set()).add(word));
    this.#names.set(word, (this.#names.get(word) ?? new Set()).add(name));
  }

  /** @returns whether a text is another one in words: itself, or each of its parts in words, with or without a sign */
  isTranslation(name: string, word: string): boolean {
    if (this.#isPart(name, word)) return true;
    const parts = decodeUri(name).split(PARTS);
    const others = decodeUri(word).split(PARTS);
    return parts.length === others.length && parts.every((part, at) => this.#isPart(part, others[at] ?? ''));
  }

  /** @returns the word of a name, or what is no name as it is */
  toWord(name: string): string {
    return [...(this.#words.get(name) ?? [name])][0] ?? name;
  }

  #isPart(name: string, word: string): boolean {
    if (name === word || this.#words.get(name)?.has(word) === true) return true;
    return name.startsWith('-') && word.startsWith('-') && this.#isPart(name.slice(1), word.slice(1));
  }

  /** @returns whether only the words have it, and no name is spelt like it */
  isWordOnly(word: string): boolean {
    return this.#names.has(word) && !this.#words.has(word);
  }

  /** @returns whether only the names have it, and no word is spelt like it */
  isNameOnly(name: string): boolean {
    return this.#words.has(name) && !this.#names.has(name);
  }
}

/** @returns the words of two languages, which are each other's translations */
export function relateDictionaries(one: Dictionary, other: Dictionary): Relation {
  const words = new Relation();
  for (const [own, theirs] of pairDictionaries(one, other)) {
    words.pair(own, theirs);
    words.pair(theirs, own);
  }
  return words;
}
