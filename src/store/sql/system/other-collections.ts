import type { Catalogue } from '../../../gateway/model/catalogue.ts';
import { DatabaseError } from '../../database-error.ts';
import { indexesOf } from '../schema.ts';

/** The ends of the names of indexes that every collection at the top, or every nested one, has. */
const ENDS = /_(?:_created|_parent)$/;

/** What becomes of a database that has collections which the catalogue lacks: it is refused, or they stay as they are. */
export type OtherCollections = 'refuse' | 'keep';

/**
 * @param indexes names of all indexes of a database
 * @returns the names of tables that were made for collections which the catalogue lacks
 */
export const othersIn = (indexes: Iterable<string>, catalogue: Catalogue): readonly string[] => {
  const known = catalogue.flatMap((each) => [each, ...(each.was === undefined ? [] : [{ ...each, name: each.was }])]);
  // A nested one may have been listed across parents before, if only by a command.
  const own = new Set(known.flatMap((each) => indexesOf({ ...each, all: each })).map(({ name }) => name));
  return [...indexes].filter((name) => ENDS.test(name) && !own.has(name)).map((name) => name.replace(ENDS, ''));
};

/** @throws DatabaseError for tables, with their numbers of rows: a catalogue that lacks them may be the wrong one, or have renamed one */
export const refuseOthers = (tables: readonly (readonly [name: string, rows: number])[]): void => {
  if (tables.length === 0) return;
  const named = tables.map(([name, rows]) => `${name} (rows: ${rows.toLocaleString('en')})`).join(', ');
  throw new DatabaseError(
    `has collections that this catalogue lacks: ${named}; name the database that is meant, or say in the catalogue what a renamed collection was (words are in the locale tables); OTHER_COLLECTIONS=keep goes on without them`,
  );
};
