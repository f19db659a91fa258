/** Words that others have replaced: each is accepted until a day, answered under the new word, and suggested for ever after. */
import type { Locale } from './table.ts';
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

/** A word that was another one before. */
type Renamed = Exclude<Entry, string>;

/** A table, and its former words by what it says of each. */
export interface Spoken extends Locale {
  readonly former: ReadonlyMap<Renamed['former'][number], FormerWord>;
}

export function spoken({ tag, table }: Locale): Spoken {
  const former: Map<Renamed['former'][number], FormerWord> = new Map();
  const collect = (node: Node, place: string): void => {
    if (typeof node === 'string') return;
    if (Array.isArray(node.former)) {
      const { word: now, former: all } = node as Renamed;
      for (const each of all) former.set(each, { ...each, language: tag, place, now });
    } else for (const [name, each] of Object.entries(node)) collect(each, `${place}.${name}`);
  };
  const { paths, parameters, suffixes, members, values, fields, choices = {} } = table;
  const parts = { paths, parameters, suffixes, members, values, fields, choices };
  for (const [part, node] of Object.entries(parts)) collect(node, part);
  return { tag, table, former };
}

const DAY = 86_400_000;

/** @returns the first moment at which a former word is not accepted any more */
export const endOf = ({ until }: FormerWord): number => Date.parse(until) + DAY;

/** @returns those words of a list that are still accepted */
export const accepted = (all: readonly FormerWord[]): readonly FormerWord[] =>
  all.filter((former) => Date.now() < endOf(former));

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
  const isStill = Date.now() < endOf(former);
  if (isStill) noteUse(noted, former);
  return isStill;
};
