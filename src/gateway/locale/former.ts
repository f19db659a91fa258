/** Words that others have replaced: each is accepted until a day, answered under the new word, and suggested for ever after. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Locale, Table } from './table.ts';
import type { Entry } from './word-schema.ts';

/** A word of a language that another one has replaced, as plain data. */
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

type Named<T> = Readonly<Record<string, T>>;

/** The parts of a table whose words clients send, with something for each word. */
export interface Words<T> {
  readonly paths: Named<T>;
  readonly parameters: Named<T>;
  readonly suffixes: Named<T>;
  readonly members: Named<T>;
  readonly values: Named<T>;
  /** By collection. */
  readonly fields: Named<Named<T>>;
  /** By collection and field; absent where no field has a few values. */
  readonly choices?: Named<Named<Named<T>>>;
}

/** @param make what each thing becomes that has a name at a place of the table */
const within = <A, B>(things: Named<A>, place: string, make: (thing: A, place: string) => B): Named<B> =>
  Object.fromEntries(Object.entries(things).map(([name, thing]) => [name, make(thing, `${place}.${name}`)]));

const wordsOf = <T>(table: Table, make: (entry: Entry, place: string) => T): Words<T> => {
  const words = (entries: Named<Entry>, place: string): Named<T> => within(entries, place, make);
  const grouped = (groups: Named<Named<Entry>>, place: string) => within(groups, place, words);
  return {
    paths: words(table.paths, 'paths'),
    parameters: words(table.parameters, 'parameters'),
    suffixes: words(table.suffixes, 'suffixes'),
    members: words(table.members, 'members'),
    values: words(table.values, 'values'),
    fields: grouped(table.fields, 'fields'),
    ...(table.choices && { choices: within(table.choices, 'choices', grouped) }),
  };
};

export const wordOf = (entry: Entry): string => (typeof entry === 'string' ? entry : entry.word);

/** A table, its words of today, and what these were before. */
export interface Spoken extends Locale {
  readonly words: Words<string>;
  readonly former: ReturnType<typeof formerWords>;
}

export const spoken = ({ tag, table }: Locale): Spoken => ({
  tag,
  table,
  words: wordsOf(table, wordOf),
  former: formerWords(tag, table),
});

/** @returns what the words of a table were before, and all of that in one list */
export const formerWords = (language: string, table: Table) => {
  const all: FormerWord[] = [];
  const words = wordsOf(table, (entry, place): readonly FormerWord[] => {
    if (typeof entry === 'string') return [];
    const former = entry.former.map((each) => ({ ...each, language, place, now: entry.word }));
    all.push(...former);
    return former;
  });
  return { words, all: all as readonly FormerWord[] };
};

const DAY = 86_400_000;

/** @returns the first moment of the day since when a word is former, and the first one at which it is not accepted any more */
export const spanOf = ({ since, until }: FormerWord) => ({ since: Date.parse(since), end: Date.parse(until) + DAY });

/** The former words that a request has, by what makes each unique. Where no table lists any there is none. */
export const formerUses = new AsyncLocalStorage<Map<string, FormerWord>>();

export const noteUse = (uses: Map<string, FormerWord> | undefined, former: FormerWord): void =>
  void uses?.set(`${former.language} ${former.place} ${former.word}`, former);

const isStill = (former: FormerWord): boolean => Date.now() < spanOf(former).end;

/** @returns those words of a list that are still accepted */
export const accepted = (all: readonly FormerWord[]): readonly FormerWord[] => all.filter(isStill);

/** @returns whether a former word that was sent is still accepted, which is noted for the response */
export const isAccepted = (former: FormerWord): boolean => {
  const isFound = isStill(former);
  if (isFound) noteUse(formerUses.getStore(), former);
  return isFound;
};
