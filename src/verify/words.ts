/** Compares the index of words with the rows by a sum that does not depend on order. */
import type { Collection } from '../model/catalogue.ts';
import type { Cell } from '../model/field.ts';
import { searchedIn } from '../model/search/ranks.ts';
import type { RawDatabase } from '../raw-database/raw-database.ts';
import { fieldColumns, isFolded, sortColumn } from '../store/sql/columns.ts';
import { inChange } from './change.ts';
import type { Finding } from './finding.ts';
import type { CheckedRow, RowCheck } from './folded.ts';

/** FNV-1a, of 32 bits. */
const hash = (text: string): number => {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return sum;
};

/** The last step of MurmurHash3: every bit of the input changes half of the output. */
const mix = (value: number): number => {
  const once = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
};

/** Adds a word of a row, and the kind of text that contains it. */
type AddWord = (word: string, created: number, place: string) => void;

/** Equal sums mean equal words, with an error of one in 2^52. */
const summing = (): { readonly add: AddWord; readonly sum: () => number } => {
  let sum = 0;
  return {
    add: (word, created, place) => {
      // Numbers of creation have more than 32 bits.
      const row = mix(created) ^ mix(created / 2 ** 32) ^ hash(place);
      const own = hash(word);
      sum = (sum + mix(own ^ row) * 0x100000 + (mix(own + Math.imul(row, 31)) & 0xfffff)) % 2 ** 52;
    },
    sum: () => sum,
  };
};

/** The index of words in one kind of database. */
export interface WordIndex {
  /** Outside of the snapshot. @returns whether there is an index */
  readonly open: () => Promise<boolean>;
  /** @returns whether it has all rows */
  readonly readAll: (add: AddWord) => Promise<boolean>;
  /** @param texts the searched texts of a row, folded; what every item has, and the rest */
  readonly addRow: (add: AddWord, created: number, texts: readonly (readonly [column: string, text: string])[]) => void;
  /** Empties the index, in a transaction. */
  readonly empty: () => Promise<void>;
}

/** Empties the index and rebuilds it in steps, between which other processes write; until then searches find less. */
const wordsFinding = (collection: Collection, indexOf: (database: RawDatabase) => WordIndex): Finding => ({
  text: 'verify-words',
  values: { table: collection.name },
  repair: async (database) => {
    const index = indexOf(database);
    if (await index.open()) await inChange(database, index.empty);
    await database.prepare();
    await inChange(database, async () => {});
  },
});

/** @returns the searched texts of a row with the names of their columns */
const searchedTexts = (collection: Collection): ((row: CheckedRow) => readonly (readonly [string, string])[]) => {
  const { fields } = collection;
  const { main = [], rest = [] } = searchedIn(collection) ?? {};
  const names = fieldColumns(collection).map(({ name }) => name);
  const texts = [...main, ...rest].filter(isFolded).map((field) => {
    const column = sortColumn(field);
    return [column, names.indexOf(column) - fields.length] as const;
  });
  return ({ folded }: { readonly folded: readonly Cell[] }) =>
    texts.map(([column, at]) => [column, String(folded[at] ?? '')] as const);
};

/** @param hasIndex whether there is one to compare with */
export const wordsCheck = async (
  collection: Collection,
  database: RawDatabase,
  indexOf: (database: RawDatabase) => WordIndex,
  hasIndex: boolean,
): Promise<RowCheck> => {
  const index = indexOf(database);
  const [found, contained] = [summing(), summing()];
  const isComplete = hasIndex && (await index.readAll(found.add));
  const textsOf = searchedTexts(collection);
  return {
    row: (row) => {
      if (isComplete) index.addRow(contained.add, row.created, textsOf(row));
    },
    findings: () => (isComplete && found.sum() === contained.sum() ? [] : [wordsFinding(collection, indexOf)]),
  };
};
