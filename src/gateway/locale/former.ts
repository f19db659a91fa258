/** Words that others have replaced: each is accepted until a day, answered under the new word, and suggested for ever after. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Table } from './table.ts';
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
  /** The day (UTC) since when, and the last one until when it is accepted. */
  readonly since?: string | undefined;
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

/** How deep their words are. */
const DEPTHS = { paths: 1, parameters: 1, suffixes: 1, members: 1, values: 1, fields: 2, choices: 3 };

const changed = <T>(
  node: unknown,
  depth: number,
  place: string,
  change: (entry: Entry, place: string) => T,
): unknown =>
  depth === 0
    ? change(node as Entry, place)
    : Object.fromEntries(
        Object.entries(node as object).map(([name, below]) => [
          name,
          changed(below, depth - 1, `${place}.${name}`, change),
        ]),
      );

const wordsOf = <T>(table: Table, change: (entry: Entry, place: string) => T): Words<T> => {
  const parts = Object.entries(DEPTHS).filter(([part]) => part in table);
  return Object.fromEntries(
    parts.map(([part, depth]) => [part, changed(Reflect.get(table, part), depth, part, change)]),
  ) as unknown as Words<T>;
};

export const wordOf = (entry: Entry): string => (typeof entry === 'string' ? entry : entry.word);

/** A table of nothing but words, which are those of today. */
export type CurrentTable = Table & Words<string>;

export const currentTable = (table: Table): CurrentTable =>
  ({ ...table, ...wordsOf(table, wordOf) }) as unknown as CurrentTable;

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
/** Who does not say since when has replaced the word before the service started. */
const STARTED = new Date().toISOString().slice(0, 10);

/** @returns the first moment of the day since when a word is former, and the first one at which it is not accepted any more */
export const spanOf = ({ since = STARTED, until }: FormerWord) => ({
  since: Date.parse(since),
  end: Date.parse(until) + DAY,
});

/** The former words that a request has, by what makes each unique. Where no table lists any there is none. */
export const formerUses = new AsyncLocalStorage<Map<string, FormerWord>>();

export const noteUse = (uses: Map<string, FormerWord> | undefined, former: FormerWord): void =>
  void uses?.set(`${former.language} ${former.place} ${former.word}`, former);

/** @returns those words of a list that are still accepted */
export const accepted = (all: readonly FormerWord[]): readonly FormerWord[] =>
  all.filter((each) => Date.now() < spanOf(each).end);

/** @returns whether a former word that was sent is still accepted, which is noted for the response */
export const isAccepted = (former: FormerWord): boolean => {
  if (accepted([former]).length === 0) return false;
  noteUse(formerUses.getStore(), former);
  return true;
};
