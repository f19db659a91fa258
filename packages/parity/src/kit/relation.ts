/** Every word of a table, of whichever kind. */
import { decodeUri } from '../../../vocabularies/src/document.ts';
import { isObject, readWord } from '../../../vocabularies/src/words.ts';
import type { Dictionary } from './dictionary.ts';

const PARTS = /([^\p{L}\p{N}_-]+)/u;

/** Words of a table by their names, and names by their words, wherever they stand. */
export class TableWords {
  readonly #words = new Map<string, Set<string>>();
  readonly #names = new Map<string, Set<string>>();

  constructor(table: unknown) {
    this.#add(table, 0);
  }

  #add(content: unknown, depth: number): void {
    if (!isObject(content) || depth > 6) return;
    for (const [name, entry] of Object.entries(content)) {
      const word = readWord(entry);
      if (word === undefined) this.#add(entry, depth + 1);
      else if (!/\s\S+\s/.test(word)) this.pair(name, word);
    }
  }

  /** Members of the second tree, and parameters, whose values cannot be translated, because a word is another one's name. */
  readonly skipped = new Set<string>();

  /** Adds the names of members that have no other word. */
  addNames(content: unknown): void {
    if (Array.isArray(content)) for (const each of content) this.addNames(each);
    if (!isObject(content)) return;
    for (const [keyword, value] of Object.entries(content)) {
      const names = keyword === 'properties' && isObject(value) ? Object.keys(value) : [];
      for (const name of names) if (!this.#words.has(name)) this.pair(name, name);
      this.addNames(value);
    }
  }

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

/** Members of a dictionary that are no words, or words for people. */
const NO_WORDS = /^(?:tag|name|direction|kind|parent|refersTo|label|description|schema|unit|title)$/;

/** @returns the words of two dictionaries, of whichever kind */
export function pairDictionaries(one: unknown, other: unknown, depth = 0): readonly (readonly [string, string])[] {
  if (!isObject(one) || !isObject(other) || depth > 6) return [];
  return Object.entries(one).flatMap(([name, own]) => {
    const word = other[name];
    if (typeof own !== 'string' || typeof word !== 'string') return pairDictionaries(own, word, depth + 1);
    return NO_WORDS.test(name) || /[/.]/.test(own + word) ? [] : [[own, word] as const];
  });
}

/** @returns the words of two languages, which are each other's translations */
export function relateDictionaries(one: Dictionary, other: Dictionary): TableWords {
  const words = new TableWords({});
  for (const [own, theirs] of pairDictionaries(one, other)) {
    words.pair(own, theirs);
    words.pair(theirs, own);
  }
  return words;
}
