/** What every vocabulary does with words: compares them, finds the name behind one, suggests another, and fills sentences in. */

/** Texts by name: the words of one kind, or an object of JSON whose members are texts. */
export type Dictionary = Readonly<Record<string, string>>;

/** A word that stands for a name, and is only suggested for. */
export type Synonym = readonly [word: string, name: string];

/** A word that another one has replaced, as plain data. */
export interface FormerWord {
  /** The tag of its language. */
  readonly language: string;
  /** Where the table has it: `fields.cars.mileage`. */
  readonly place: string;
  readonly word: string;
  /** The word in its place. */
  readonly now: string;
  /** The day (UTC) since when it is former, and the last one on which it is accepted. */
  readonly since: string;
  readonly until: string;
}

export type Json = Readonly<Record<string, unknown>>;

/** @returns whether a value is an object with members, and no array */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const EMPTY: Json = {};

/** @returns an object, or an empty one, which is always the same, instead of anything else */
export function asObject(value: unknown): Json {
  return isObject(value) ? value : EMPTY;
}

/** @returns the value at a path of own members, or of positions in arrays; `undefined` if there is none */
export function valueAt(content: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && Object.hasOwn(at ?? {}, name) ? (at as Json)[name] : undefined),
    content,
  );
}

/** @returns the value of a key, which is made the first time that somebody asks for it */
export function findOrCreate<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = create();
  map.set(key, value);
  return value;
}

/** @returns the word of an entry of a table of any shape; `undefined` if it has none */
export function readWord(entry: unknown): string | undefined {
  const word = typeof entry === 'string' ? entry : valueAt(entry, 'word');
  return typeof word === 'string' ? word : undefined;
}

const ASCII = /^[\0-\x7f]*$/;
const MARKS = /\p{M}/gu;

/** UTF-16 units of the longest text that is composed or compared letter by letter: the time grows with its square. */
const LONGEST_WORD = 256;

/** @returns a word in NFC, as tables have theirs; one that is too long to be any word is returned as it is */
export function compose(word: string): string {
  return word.length > LONGEST_WORD || ASCII.test(word) ? word : word.normalize();
}

/**
 * Folds a text so that texts which differ only in case and accents become equal: `Citroën` and `CITROEN` fold to `citroen`.
 * All languages fold alike, so that a filter finds the same rows in each tree. A collator would not: ñ and n are different
 * letters in Spanish, but not in English. It goes through upper case, because only that makes `ß` equal to `ss`.
 *
 * @param text any well-formed text
 * @returns its folded key; folding a key again changes nothing
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return removeMarks(removeMarks(removeMarks(text).toLowerCase().toUpperCase()).toLowerCase()).replaceAll('ς', 'σ');
}

/** Without the first step, the time would grow with the square of the marks on one letter, which `normalize` sorts. */
function removeMarks(text: string): string {
  return text.replaceAll(MARKS, '').normalize('NFD').replaceAll(MARKS, '');
}

/** Between the parts of a word, and what programs put before one: `page-size`, `pageSize`, `_page`, `$top`. */
const SEPARATORS = /^[$_]+|(?<=[\p{L}\p{N}])[\p{White_Space}_.-]+(?=[\p{L}\p{N}])/gu;

/** @returns what words have in common that differ in case, accents and the separators of their parts only */
export function likeness(word: string): string {
  return fold(word.normalize().replace(SEPARATORS, ''));
}

/** Words that abbreviations leave out. */
const SMALL = ['de', 'del', 'la', 'el', 'los', 'las', 'of', 'the'];
const PART = /([\p{L}\p{N}]+?)(?:(\.?[ºª°]|\.)|(?![\p{L}\p{N}]))/gu;

/** @returns the parts of a heading, folded, and whether they are abbreviated, as in `Pot. (CV)` and `Nº puertas` */
function readParts(heading: string): readonly { readonly text: string; readonly isShort: boolean }[] {
  const parts = [...fold(heading.slice(0, LONGEST_WORD)).matchAll(PART)];
  return parts
    .map(([, text = '', sign]) => ({ text, isShort: sign !== undefined }))
    .filter(({ text }) => !SMALL.includes(text));
}

/** @returns the value of the heading whose abbreviation a text is; `undefined` if it is that of none, or of several */
export function findAbbreviated<T>(text: string, values: Iterable<readonly [heading: string, T]>): T | undefined {
  const parts = readParts(text);
  if (!parts.some(({ isShort }) => isShort)) return undefined;
  const matches = [...values].filter(([heading]) => {
    const long = readParts(heading).map((part) => part.text);
    const isMatch = parts.every((part, at) =>
      part.isShort ? long[at]?.startsWith(part.text) : long[at] === part.text,
    );
    return isMatch && long.length === parts.length;
  });
  const distinct = new Set(matches.map(([, value]) => value));
  return distinct.size === 1 ? matches[0]?.[1] : undefined;
}

/** Letters are folded one by one: `ß` is one letter, although it folds to two. */
function readLetters(text: string): readonly string[] {
  return Array.from(text.normalize(), fold).filter((letter) => letter !== '');
}

/** @returns how many letters were added, lost, changed or swapped with a neighbour (optimal string alignment) */
function countSlips(from: readonly string[], to: readonly string[]): number {
  const rows = [[0, ...to.map((_, column) => column + 1)]];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (const [row, letter] of from.entries()) {
    rows.push([row + 1]);
    for (const [column, other] of to.entries()) {
      const isSwapped = letter === to[column - 1] && from[row - 1] === other;
      const changed = Math.min(
        at(row, column) + Number(letter !== other),
        isSwapped ? at(row - 1, column - 1) + 1 : Number.POSITIVE_INFINITY,
      );
      rows[row + 1]?.push(Math.min(changed, at(row, column + 1) + 1, at(row + 1, column) + 1));
    }
  }
  return at(from.length, to.length);
}

const DAY = 86_400_000;

/** @returns the first moment at which a former word is not accepted any more */
export function endOfUse({ until }: FormerWord): number {
  return Date.parse(until) + DAY;
}

/** UTF-16 units. A longer word gets no suggestion, because it is compared with each word letter by letter. */
export const LONGEST_SUGGESTED = 64;

/** What begins or ends an operator, such as `-year` and `brand!`, whose bare word would ask another question. */
const OPERATOR = /^[-!~<>=^]|[-!~<>=*]$/;

/** The share of letters that differ in words that are still alike. */
const ALIKE = 1 / 2;

/** The words of one kind in one language: word ⇄ name, and the word that was probably intended. Its functions can be passed on. */
export class WordIndex {
  readonly names: readonly string[];
  /** The words by their names. */
  readonly dictionary: Dictionary;
  /** The words as a sentence lists them. */
  readonly known: string;
  /** For indexes that consist of others; their names may be of any kind. */
  readonly synonyms: readonly Synonym[];
  // Maps, because an object would have words such as `__proto__` and `constructor`.
  readonly #words: ReadonlyMap<string, string>;
  readonly #names: ReadonlyMap<string, string>;
  readonly #former: ReadonlyMap<string, { readonly name: string; readonly former: FormerWord }>;
  readonly #foreign: ReadonlyMap<string, string>;
  /** The words and synonyms of its names, the last of several first. */
  readonly #suggested: readonly Synonym[];
  readonly #alike: ReadonlyMap<string, string>;
  readonly #letters: ReadonlyMap<string, readonly string[]>;
  readonly #onFormer: (former: FormerWord) => void;

  /**
   * @param own this language's words, by name
   * @param others the words of each other language, by the same names
   * @param suggested synonyms of these names, and of others; the first of several decides
   * @param former what the words were before, by name
   * @param onFormer is called with each former word that is accepted
   */
  constructor(
    own: Dictionary,
    others: readonly Dictionary[] = [],
    suggested: readonly Synonym[] = [],
    former: Readonly<Record<string, readonly FormerWord[]>> = {},
    onFormer: (former: FormerWord) => void = () => {},
  ) {
    this.#words = new Map(Object.entries(own));
    this.names = [...this.#words.keys()];
    const words = [...this.#words.values()];
    this.known = words.join(', ');
    this.#names = invert(own);
    this.#letters = new Map(words.map((word) => [word, readLetters(word)]));
    this.#foreign = new Map(others.flatMap((other) => [...invert(other)]));
    const formerWords = Object.entries(former).flatMap(([name, all]) => all.map((word) => ({ name, former: word })));
    this.#former = new Map(formerWords.map((entry) => [entry.former.word, entry]));
    this.synonyms = [...suggested, ...Array.from(this.#former, ([word, { name }]): Synonym => [word, name])];
    // Reversed, because the last of several entries of a map decides.
    this.#suggested = [...this.#names, ...this.synonyms].filter(([, name]) => this.#words.has(name)).reverse();
    this.#alike = new Map(this.#suggested.map(([word, name]) => [likeness(word), name]));
    this.#onFormer = onFormer;
    this.dictionary = own;
  }

  /** @throws TypeError for a name that is not of this kind, which is a bug */
  readonly word = (name: string): string => {
    const word = this.#words.get(name);
    if (word === undefined) throw new TypeError(`no word for "${name}"`);
    return word;
  };

  /** @returns the name of a word, or of a former one while it is accepted; accents may be characters of their own, as macOS writes them (NFD) */
  readonly name = (text: string): string | undefined => {
    const word = this.#names.has(text) ? text : compose(text);
    const { name, former } = this.#former.get(word) ?? {};
    if (this.#names.has(word) || !former || Date.now() >= endOfUse(former)) return this.#names.get(word);
    this.#onFormer(former);
    return name;
  };

  /** @returns what the word of a name was before, or all words were */
  readonly former = (name?: string): readonly FormerWord[] => {
    const entries = [...this.#former.values()].filter((entry) => name === undefined || entry.name === name);
    return entries.map(({ former }) => former);
  };

  /** @returns the words as a sentence lists them, with those first that are like a text */
  readonly nearest = (text: string): string => {
    if (text.length > LONGEST_SUGGESTED) return this.known;
    const letters = readLetters(text);
    const shares = Array.from(this.#letters, ([word, own]) => {
      const share = countSlips(own, letters) / Math.max(own.length, letters.length, 1);
      return { word, share: Math.min(share, ALIKE) };
    });
    const sorted = shares.sort((one, other) => one.share - other.share);
    return sorted.map(({ word }) => word).join(', ');
  };

  /** @returns the word to use instead of another language's word or a synonym, whose case and accents are ignored */
  readonly equivalent = (text: string): string | undefined => {
    if (!isSuggestible(text)) return undefined;
    const foreign = this.#foreign.get(text.normalize()) ?? this.#alike.get(likeness(text));
    const name = foreign ?? findAbbreviated(text, this.#suggested);
    return name === undefined ? undefined : this.word(name);
  };

  /** @returns what `equivalent` does, or the word that a misspelt one with one slip was meant to be */
  readonly suggest = (text: string): string | undefined => {
    const letters = isSuggestible(text) ? readLetters(text) : [];
    const isSlip = (own: readonly string[]) => own.length + letters.length > 2 && countSlips(own, letters) === 1;
    return this.equivalent(text) ?? [...this.#letters].find(([, own]) => isSlip(own))?.[0];
  };
}

/** @returns the names of a dictionary by their words */
function invert(words: Dictionary): ReadonlyMap<string, string> {
  return new Map(Object.entries(words).map(([name, word]) => [word, name]));
}

function isSuggestible(text: string): boolean {
  return text.length <= LONGEST_SUGGESTED && !OPERATOR.test(text);
}

/** A word of a table, and where it stands there. */
export interface PlacedWord {
  readonly key: string;
  readonly word: string;
}

/** @returns each entry whose word an earlier one has already, which is therefore never reached, with that earlier one */
export function findClashes<E extends PlacedWord>(
  entries: readonly E[],
  comparable: (word: string) => string = (word) => word,
): readonly { readonly entry: E; readonly owner: E }[] {
  const owners = new Map<string, E>();
  return entries.flatMap((entry) => {
    const owner = findOrCreate(owners, comparable(entry.word), () => entry);
    return owner === entry ? [] : [{ entry, owner }];
  });
}

/** One sentence for every count, or its forms by plural category (CLDR). */
export type Wording = string | { readonly other: string; readonly [category: string]: string | undefined };

/** Creates the function that chooses a sentence's plural form in one language. A sentence without forms is returned as it is. */
export function createPlurals(tag: string): (wording: Wording, count: unknown) => string {
  const plural = new Intl.PluralRules(tag);
  return (wording, count) =>
    typeof wording === 'string' ? wording : (wording[plural.select(Number(count))] ?? wording.other);
}

/**
 * Fills a sentence in. `replace` is given a function, so that `$&` in a client's text has no effect.
 *
 * @param write writes a value, by default as it is
 * @param lacking what stands for a placeholder that has no value, by default the placeholder
 */
export function fillIn(
  text: string,
  values: Readonly<Record<string, unknown>>,
  write: (value: string | number, name: string) => string = String,
  lacking: (placeholder: string) => string = (placeholder) => placeholder,
): string {
  return text.replace(/\{([\w-]+)\}/g, (placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return typeof value === 'string' || typeof value === 'number' ? write(value, name) : lacking(placeholder);
  });
}
