import { compose, WordIndex } from '../../../vocabularies/src/words.ts';
import { type Dictionary, listViews, type Words } from './dictionary.ts';

/** Translates one word of a kind; what is no word of either language stays as it is. */
export type Translate = (word: string) => string;

/**
 * A word of one language becomes that of the other, and a word that only the other has becomes that of this one: whatever is
 * sent, right or wrong, is translated back by the reverse.
 */
export function exchange(from: Words, to: Words): Translate {
  const shared = Object.keys(from).filter((name) => Object.hasOwn(to, name));
  const [own, other] = [from, to].map((words) => new WordIndex(pick(words, shared))) as [WordIndex, WordIndex];
  return (word) => {
    const name = own.name(word);
    if (name !== undefined) return other.word(name);
    let last = word;
    for (let known = other.name(last); known !== undefined; known = other.name(last)) last = own.word(known);
    return last;
  };
}

const pick = (words: Words, names: readonly string[]): Words =>
  Object.fromEntries(names.map((name) => [name, words[name] ?? '']));

const readWords = <T extends { readonly word: string }>(entries: Readonly<Record<string, T>>): Words =>
  Object.fromEntries(Object.entries(entries).map(([name, { word }]) => [name, word]));

const nestedWords = ({ collections }: Dictionary, parent: string | undefined): Words =>
  readWords(Object.fromEntries(Object.entries(collections).filter(([, each]) => each.parent === parent)));

const fieldWords = ({ collections }: Dictionary, collection: string): Words =>
  readWords(collections[collection]?.fields ?? {});

function rangeWords({ collections }: Dictionary, collection: string): Words {
  const fields = Object.entries(collections[collection]?.fields ?? {});
  return Object.fromEntries(
    fields.flatMap(([name, { range = {} }]) => Object.entries(range).map(([end, word]) => [`${name}_${end}`, word])),
  );
}

const queryWords = (dictionary: Dictionary, collection: string): Words => ({
  ...fieldWords(dictionary, collection),
  ...rangeWords(dictionary, collection),
  ...readWords(dictionary.parameters),
});

const memberWords = (dictionary: Dictionary, collection: string): Words => ({
  ...nestedWords(dictionary, collection),
  ...dictionary.members,
  ...fieldWords(dictionary, collection),
});

/** What items may include: the collections nested in them, and what their fields refer to. */
const includedWords = (dictionary: Dictionary, collection: string): Words => ({
  ...nestedWords(dictionary, collection),
  ...fieldWords(dictionary, collection),
});

/** Every word that a request or an item may have. */
export const everyWord = (dictionary: Dictionary): readonly string[] =>
  [
    readWords(dictionary.collections),
    listViews(dictionary),
    ...Object.keys(dictionary.collections).map((each) => queryWords(dictionary, each)),
    dictionary.members,
    dictionary.values,
  ].flatMap((words) => Object.values(words));

function findName(words: Words, word: string): string | undefined {
  const composed = compose(word);
  return Object.keys(words).find((name) => words[name] === composed);
}

/** All kinds of words of two languages, each made when it is first asked for. */
export class Pair {
  readonly from: Dictionary;
  readonly to: Dictionary;
  readonly #kinds = new Map<string, Translate>();

  constructor(from: Dictionary, to: Dictionary) {
    this.from = from;
    this.to = to;
  }

  #kind(name: string, words: (dictionary: Dictionary) => Words): Translate {
    const known = this.#kinds.get(name) ?? exchange(words(this.from), words(this.to));
    this.#kinds.set(name, known);
    return known;
  }

  /** @returns the name of a word of either language */
  #name(words: (dictionary: Dictionary) => Words, word: string): string | undefined {
    return findName(words(this.from), word) ?? findName(words(this.to), word);
  }

  paths(parent: string | undefined): Translate {
    return this.#kind(`paths ${parent}`, (each) => nestedWords(each, parent));
  }

  query(collection: string): Translate {
    return this.#kind(`query ${collection}`, (each) => queryWords(each, collection));
  }

  fields(collection: string): Translate {
    return this.#kind(`fields ${collection}`, (each) => fieldWords(each, collection));
  }

  members(collection: string): Translate {
    return this.#kind(`members ${collection}`, (each) => memberWords(each, collection));
  }

  included(collection: string): Translate {
    return this.#kind(`included ${collection}`, (each) => includedWords(each, collection));
  }

  get values(): Translate {
    return this.#kind('values', (each) => each.values);
  }

  get report(): Translate {
    return this.#kind('report', (each) => each.report);
  }

  get views(): Translate {
    return this.#kind('views', listViews);
  }

  /** @returns what translates the values of a field that has a closed list of them; `undefined` for another field */
  choices(collection: string, word: string): Translate | undefined {
    const field = this.#name((each) => fieldWords(each, collection), word) ?? '';
    if (!readChoices(this.from, collection, field)) return undefined;
    return this.#kind(`choices ${collection} ${field}`, (each) => readChoices(each, collection, field) ?? {});
  }

  /** @returns whether a word of either language is what there is beside lists */
  isView(word: string): boolean {
    return this.#name(listViews, word) !== undefined;
  }

  /** @returns the name of a collection by its word in either language */
  findCollection(parent: string | undefined, word: string): string | undefined {
    return this.#name((each) => nestedWords(each, parent), word);
  }

  /** @returns the name of the collection whose items a member contains if they are included */
  findIncluded(collection: string, word: string): string | undefined {
    const name = this.#name((each) => includedWords(each, collection), word) ?? '';
    const isChild = this.from.collections[name]?.parent === collection;
    return isChild ? name : this.from.collections[collection]?.fields[name]?.refersTo;
  }

  /** @returns the kind of a parameter's values; `undefined` if it is a filter, or nothing */
  parameterKind(word: string): string | undefined {
    return this.from.parameters[this.#name((each) => readWords(each.parameters), word) ?? '']?.kind;
  }

  fieldKind(collection: string, word: string): string | undefined {
    const name = this.#name((each) => fieldWords(each, collection), word) ?? '';
    return this.from.collections[collection]?.fields[name]?.kind;
  }

  /** @returns what a word may be in some collections, of whichever kind; the word itself last */
  any(word: string, within: readonly string[] = Object.keys(this.from.collections)): readonly string[] {
    const kinds = within.flatMap((each) => [
      this.query(each),
      this.fields(each),
      this.members(each),
      this.paths(each),
      ...Object.values(fieldWords(this.from, each)).flatMap((field) => this.choices(each, field) ?? []),
    ]);
    const all = [this.paths(undefined), this.values, this.report, this.views, ...kinds].map((kind) => kind(word));
    return [...new Set([...all.filter((each) => each !== word), word])];
  }
}

const readChoices = ({ collections }: Dictionary, collection: string, field: string): Words | undefined =>
  collections[collection]?.fields[field]?.choices;

const pairs = new WeakMap<Dictionary, WeakMap<Dictionary, Pair>>();

/** @returns the words of two languages, made once for each two dictionaries */
export function pairWords(from: Dictionary, to: Dictionary): Pair {
  const known = pairs.get(from) ?? new WeakMap<Dictionary, Pair>();
  pairs.set(from, known);
  const pair = known.get(to) ?? new Pair(from, to);
  known.set(to, pair);
  return pair;
}
