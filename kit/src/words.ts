import { type Dictionary, viewsOf, type Words } from './dictionary.ts';

/** Translates one word of a kind; what is no word of either language stays as it is. */
export type Translate = (word: string) => string;

/**
 * A word of one language becomes that of the other, and a word that only the other has becomes that of this one: whatever is
 * sent, right or wrong, is translated back by the reverse.
 */
export const exchange = (from: Words, to: Words): Translate => {
  const pairs = Object.entries(from).flatMap(([name, word]) => {
    const other = to[name];
    return other === undefined ? [] : [[word, other] as const];
  });
  const there = new Map(pairs);
  const back = new Map(pairs.map(([word, other]) => [other, word]));
  return (word) => {
    const own = there.get(word);
    if (own !== undefined) return own;
    let last = word;
    for (let before = back.get(last); before !== undefined; before = back.get(last)) last = before;
    return last;
  };
};

const wordsOf = <T extends { readonly word: string }>(entries: Readonly<Record<string, T>>): Words =>
  Object.fromEntries(Object.entries(entries).map(([name, { word }]) => [name, word]));

const nestedIn = ({ collections }: Dictionary, parent: string | undefined): Words =>
  wordsOf(Object.fromEntries(Object.entries(collections).filter(([, each]) => each.parent === parent)));

const fieldsOf = ({ collections }: Dictionary, collection: string): Words =>
  wordsOf(collections[collection]?.fields ?? {});

const rangesOf = ({ collections }: Dictionary, collection: string): Words =>
  Object.fromEntries(
    Object.entries(collections[collection]?.fields ?? {}).flatMap(([name, { range = {} }]) =>
      Object.entries(range).map(([end, word]) => [`${name}_${end}`, word]),
    ),
  );

const queryOf = (dictionary: Dictionary, collection: string): Words => ({
  ...fieldsOf(dictionary, collection),
  ...rangesOf(dictionary, collection),
  ...wordsOf(dictionary.parameters),
});

const membersOf = (dictionary: Dictionary, collection: string): Words => ({
  ...nestedIn(dictionary, collection),
  ...dictionary.members,
  ...fieldsOf(dictionary, collection),
});

/** Every word that a request or an item may have. */
export const everyWord = (dictionary: Dictionary): readonly string[] =>
  [
    wordsOf(dictionary.collections),
    viewsOf(dictionary),
    ...Object.keys(dictionary.collections).map((each) => queryOf(dictionary, each)),
    dictionary.members,
    dictionary.values,
  ].flatMap((words) => Object.values(words));

/** What items may include: the collections nested in them, and what their fields refer to. */
const includedIn = (dictionary: Dictionary, collection: string): Words => ({
  ...nestedIn(dictionary, collection),
  ...fieldsOf(dictionary, collection),
});

const nameIn = (words: Words, word: string): string | undefined =>
  Object.keys(words).find((name) => words[name] === word);

/** All kinds of words of two languages. */
const between = (from: Dictionary, to: Dictionary) => {
  const made = new Map<string, Translate>();
  const kind =
    (name: string, words: (dictionary: Dictionary) => Words): Translate =>
    (word) => {
      const found = made.get(name) ?? exchange(words(from), words(to));
      made.set(name, found);
      return found(word);
    };
  const eitherName = (words: (dictionary: Dictionary) => Words, word: string): string | undefined =>
    nameIn(words(from), word) ?? nameIn(words(to), word);
  const paths = (parent: string | undefined) => kind(`paths ${parent}`, (each) => nestedIn(each, parent));
  const query = (collection: string) => kind(`query ${collection}`, (each) => queryOf(each, collection));
  const fields = (collection: string) => kind(`fields ${collection}`, (each) => fieldsOf(each, collection));
  const members = (collection: string) => kind(`members ${collection}`, (each) => membersOf(each, collection));
  const included = (collection: string) => kind(`included ${collection}`, (each) => includedIn(each, collection));
  const values = kind('values', (each) => each.values);
  const report = kind('report', (each) => each.report);
  const views = kind('views', viewsOf);
  const collections = Object.keys(from.collections);
  /** Translates the values of a field whose values have words; `undefined` where it has none. */
  const choices = (collection: string, word: string): Translate | undefined => {
    const field = eitherName((each) => fieldsOf(each, collection), word) ?? '';
    const wordsIn = ({ collections }: Dictionary) => collections[collection]?.fields[field]?.choices;
    return wordsIn(from) && kind(`choices ${collection} ${field}`, (each) => wordsIn(each) ?? {});
  };
  const allChoices = (collection: string): readonly Translate[] =>
    Object.values(fieldsOf(from, collection)).flatMap((word) => choices(collection, word) ?? []);
  return {
    from,
    to,
    paths,
    query,
    fields,
    members,
    included,
    values,
    report,
    views,
    /** Whether a word of either language is what there is beside lists. */
    viewIn: (word: string): boolean => eitherName(viewsOf, word) !== undefined,
    /** The name of a collection by its word in either language. */
    collectionIn: (parent: string | undefined, word: string) => eitherName((each) => nestedIn(each, parent), word),
    /** The name of the collection whose items a member contains where they are included. */
    collectionOf: (collection: string, word: string): string | undefined => {
      const name = eitherName((each) => includedIn(each, collection), word) ?? '';
      const isNested = from.collections[name]?.parent === collection;
      return isNested ? name : from.collections[collection]?.fields[name]?.refersTo;
    },
    /** The kind of a parameter's values; `undefined` where it is a filter, or nothing. */
    parameterKind: (word: string): string | undefined =>
      from.parameters[eitherName((each) => wordsOf(each.parameters), word) ?? '']?.kind,
    fieldKind: (collection: string, word: string): string | undefined =>
      from.collections[collection]?.fields[eitherName((each) => fieldsOf(each, collection), word) ?? '']?.kind,
    choices,
    /** What a word may be in some collections, of whichever kind; the word itself last. */
    any: (word: string, within: readonly string[] = collections): readonly string[] => {
      const ofEach = within.flatMap((each) => [
        query(each),
        fields(each),
        members(each),
        paths(each),
        ...allChoices(each),
      ]);
      const translated = [paths(undefined), values, report, views, ...ofEach].map((translate) => translate(word));
      return [...new Set([...translated.filter((each) => each !== word), word])];
    },
  };
};

export type Pair = ReturnType<typeof between>;

const pairs = new WeakMap<Dictionary, WeakMap<Dictionary, Pair>>();

/** @returns the words of two languages, made once for each two dictionaries */
export const pairOf = (from: Dictionary, to: Dictionary): Pair => {
  const known = pairs.get(from) ?? new WeakMap<Dictionary, Pair>();
  pairs.set(from, known);
  const pair = known.get(to) ?? between(from, to);
  known.set(to, pair);
  return pair;
};
