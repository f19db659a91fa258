/** Every word of a table, of whichever kind, and in which language a sentence is. */
import { isObject, readWord } from '../../../vocabularies/src/words.ts';

/** Some words without which few sentences are written, by the tag of their language. */
const COMMON: Readonly<Record<string, string>> = {
  en: 'the of and is are be to must not no with without from an or this that for by it in only which there expected invalid missing required unknown whole number',
  es: 'el la los las de del es son ser debe no con sin un una este esta para por en solo se que hay falta válido válida esperaba desconocido entero número al su',
  pt: 'os uma das dos é são ser deve não com sem um uma ou este esta para por em só que há falta válido inválido esperado número ao seu',
  ca: 'el la els les de del és són ha no amb sense un una o aquest per en només que hi falta vàlid nombre al seu',
  fr: 'le la les de du et est sont être doit ne pas avec sans un une ou ce cette pour par en que il manque valide nombre au son',
  de: 'der die das und ist sind sein muss nicht kein mit ohne ein eine oder dieser für von in nur dass es fehlt ungültig zahl',
  it: 'il lo la gli le di del è sono essere deve non con senza un una questo per da in solo che ci manca valido numero al suo',
};

const common = Object.entries(COMMON).map(([tag, words]) => [tag, new Set(words.split(' '))] as const);

/** @returns the tag of the language that most of a text's common words have, if none has as many */
export function guessLanguage(text: string): string | undefined {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const counts = common.map(([tag, own]) => [tag, words.filter((word) => own.has(word)).length] as const);
  const [[tag, most], [, second]] = counts.toSorted(([, one], [, other]) => other - one) as [
    [string, number],
    [string, number],
  ];
  return most > second ? tag : undefined;
}

/** @returns a part of a query without its percent-encoding */
function decode(text: string): string {
  try {
    return text.includes('%') ? decodeURIComponent(text) : text;
  } catch {
    return text;
  }
}

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
    if (name === word || this.#words.get(name)?.has(word) === true) return true;
    const [parts, others] = [name, word].map((each) => decode(each).split(/([^\p{L}\p{N}_-]+)/u)) as [
      string[],
      string[],
    ];
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
