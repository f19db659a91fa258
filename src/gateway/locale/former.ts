/** Words that others have replaced: each is accepted until a day, answered under the new word, and suggested for ever after. */
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

export const wordOf = (entry: Entry): string => (typeof entry === 'string' ? entry : entry.word);

/** Words by name, perhaps by collection and field. */
type Node = Entry | { readonly [name: string]: Node };

/** What a table says that a word was before. */
type Before = Exclude<Entry, string>['former'][number];

const formerIn = (language: string, node: Node, place: string): readonly (readonly [Before, FormerWord])[] => {
  if (typeof node === 'string') return [];
  if (!Array.isArray(node.former))
    return Object.entries(node).flatMap(([name, each]) => formerIn(language, each, `${place}.${name}`));
  const now = wordOf(node as Entry);
  return (node as Exclude<Entry, string>).former.map((each) => [each, { ...each, language, place, now }]);
};

/** @returns the former words of a table, by what the table says of each */
const formerWords = (language: string, { paths, parameters, suffixes, members, values, fields, choices = {} }: Table) =>
  new Map(
    Object.entries({ paths, parameters, suffixes, members, values, fields, choices }).flatMap(([part, node]) =>
      formerIn(language, node, part),
    ),
  );

/** A table, and its former words. */
export interface Spoken extends Locale {
  readonly former: ReadonlyMap<Before, FormerWord>;
}

export const spoken = ({ tag, table }: Locale): Spoken => ({ tag, table, former: formerWords(tag, table) });

const DAY = 86_400_000;

/** @returns the first moment of the day since when a word is former, and the first one at which it is not accepted any more */
export const spanOf = ({ since, until }: FormerWord) => ({ since: Date.parse(since), end: Date.parse(until) + DAY });

const isStill = (former: FormerWord): boolean => Date.now() < spanOf(former).end;

/** @returns those words of a list that are still accepted */
export const accepted = (all: readonly FormerWord[]): readonly FormerWord[] => all.filter(isStill);

/** The former words that a request has, each once. */
export type FormerUses = Map<string, FormerWord>;

export const noteUse = (uses: FormerUses | undefined, former: FormerWord): void =>
  void uses?.set(`${former.language} ${former.place} ${former.word}`, former);

/** Where a reader notes the former words that it accepts. Readers are synchronous, so they read one request at a time. */
let noted: FormerUses | undefined;

/** From now on every reader notes former words there: for a process or a thread that does one thing at a time. */
export const noteIn = (uses: FormerUses): void => {
  noted = uses;
};

/** Calls a reader, which is synchronous, and notes the former words that it accepts, even if it throws. */
export const noting = <T>(uses: FormerUses | undefined, read: () => T): T => {
  const before = noted;
  noted = uses;
  try {
    return read();
  } finally {
    noted = before;
  }
};

/** @returns whether a former word that was sent is still accepted */
export const isAccepted = (former: FormerWord): boolean => {
  const isFound = isStill(former);
  if (isFound) noteUse(noted, former);
  return isFound;
};
