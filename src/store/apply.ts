/** What an intent does to the rows there are: the one set of rules, whatever database keeps them. */
import { type Catalogue, type Collection, collectionOf } from '../model/catalogue.ts';
import { checkWidth } from '../model/cells.ts';
import type { Cell } from '../model/field.ts';
import { isRuledOut, matches, type Precondition } from '../model/precondition.ts';
import type { Intent, Keys, Outcome, Row } from './port.ts';
import { totalKeys } from './totals.ts';

/** The rows that a transaction sees, its own changes among them. */
export interface Rows {
  readonly read: (collection: Collection, keys: Keys) => Row | undefined;
  readonly insert: (collection: Collection, change: number, parents: Keys, cells: readonly Cell[]) => void;
  readonly update: (collection: Collection, change: number, keys: Keys, cells: readonly Cell[]) => void;
  /** Takes away what is nested in it too, and leaves a tombstone. */
  readonly remove: (collection: Collection, change: number, keys: Keys) => void;
}

/** A count by which a transaction's changes move a total; binds the values of `addTotal`. */
type TotalChange = readonly [collection: string, field: string, value: string, by: number];

/** The books of one transaction, written down once at its end. */
export interface Books {
  /** Gives the next change number; only what really changes takes one. */
  readonly nextChange: () => number;
  /** Takes down that an item is there or is so no more. */
  readonly count: (collection: Collection, cells: readonly Cell[], by: 1 | -1) => void;
  /** The last number given, or `undefined` where none was. */
  readonly change: () => number | undefined;
  readonly totals: () => readonly TotalChange[];
}

/** @param first the last change number that was given before */
export const openBooks = (first: number): Books => {
  let change = first;
  const counts = new Map<string, TotalChange>();
  return {
    nextChange: () => ++change,
    count: (collection, cells, by) => {
      for (const [field, value] of totalKeys(collection, cells)) {
        const name = `${collection.name}\0${field}\0${value}`;
        counts.set(name, [collection.name, field, value, (counts.get(name)?.[3] ?? 0) + by]);
      }
    },
    change: () => (change === first ? undefined : change),
    totals: () => [...counts.values()].filter(([, , , by]) => by !== 0),
  };
};

const missing = ({ name }: Collection): Outcome => ({ kind: 'missing', collection: name });

const allows = (precondition: Precondition | undefined, [revision]: Row): boolean =>
  matches(precondition, revision) && !isRuledOut(precondition, revision);

/**
 * Does what an intent asks for, where it can be done.
 *
 * @throws TypeError where it names no collection, or does not have one cell for each of its fields
 */
export const applyIntent = (catalogue: Catalogue, rows: Rows, intent: Intent, books: Books): Outcome => {
  const collection = collectionOf(catalogue, intent.collection);
  /** The missing item that is nearest to the top. */
  const missingAt = (keys: Keys): Outcome => {
    const { parent } = collection;
    return missing(parent && !rows.read(parent, keys.slice(0, -1)) ? parent : collection);
  };

  switch (intent.kind) {
    case 'create': {
      const { parents, cells } = intent;
      checkWidth(collection, cells);
      if (collection.parent && !rows.read(collection.parent, parents)) return missing(collection.parent);
      if (rows.read(collection, [...parents, String(cells[0])])) return { kind: 'taken' };
      const change = books.nextChange();
      rows.insert(collection, change, parents, cells);
      books.count(collection, cells, 1);
      return { kind: 'written', row: [change, ...cells] };
    }
    case 'update': {
      const { keys, changes } = intent;
      checkWidth(collection, changes);
      const before = rows.read(collection, keys);
      if (!before) return missingAt(keys);
      if (!allows(intent.precondition, before)) return { kind: 'changed' };
      const [, ...old] = before;
      const cells = old.map((cell, at): Cell => (changes[at] === undefined ? cell : changes[at]));
      if (cells.every((cell, at) => cell === old[at])) return { kind: 'written', row: before };
      const change = books.nextChange();
      rows.update(collection, change, keys, cells);
      books.count(collection, old, -1);
      books.count(collection, cells, 1);
      return { kind: 'written', row: [change, ...cells] };
    }
    case 'remove': {
      const { keys } = intent;
      const before = rows.read(collection, keys);
      if (!before) return missingAt(keys);
      if (!allows(intent.precondition, before)) return { kind: 'changed' };
      rows.remove(collection, books.nextChange(), keys);
      books.count(collection, before.slice(1), -1);
      return { kind: 'removed' };
    }
  }
};
