import type { Catalogue, Collection } from '../../../model/catalogue.ts';
import type { Validator } from '../../port.ts';
import { type SqlOf, selectChangedKeys, selectDeletedKeys } from '../../sql/items.ts';
import { statement } from '../../sql/statement.ts';
import { readChange } from '../../sql/system-tables.ts';
import type { Connection } from '../connection/connection.ts';

/** The most changed items that are named one by one; an import changes more. */
const CHANGES_LIMIT = 1_000;

const itemName = ({ name }: Pick<Collection, 'name'>, key: string): string => `${name}/${key}`;

/**
 * Tells which revision an item has, and what has changed. Where the database cannot be read it returns nothing: reading the
 * item then reports why.
 *
 * @param main the store's own connection
 * @param readVersion a statement whose result differs after every commit
 * @param use throws where the database must not be used
 */
export const validatorOf = (
  main: Connection,
  catalogue: Catalogue,
  sql: SqlOf,
  readVersion: string,
  use: <T>(work: () => T) => T,
): Validator => {
  /** The collections with an index of revisions. */
  const collections = catalogue
    .filter(({ parent }) => parent === undefined)
    .map((collection) => ({ collection, changed: selectChangedKeys(collection, CHANGES_LIMIT + 1) }));
  const deleted = selectDeletedKeys(CHANGES_LIMIT + 1);

  const known = <T>(read: () => T): T | undefined => {
    try {
      return use(read);
    } catch {
      return undefined;
    }
  };
  const numberOf = (...read: Parameters<Connection['row']>): number | undefined =>
    known(() => main.row<[number]>(...read)?.[0]);

  return {
    dataVersion: () => numberOf(readVersion, []),
    lastChange: () => numberOf(readChange, []),
    revision: (collection, keys) => numberOf(sql(collection).revision, keys),
    nameOf: (collection, [key = '', ...nested]) => (nested.length === 0 ? itemName(collection, key) : undefined),
    changedSince: (change) =>
      known(() => {
        const written = collections.flatMap(({ collection, changed }) =>
          main.rows<[string]>(statement(changed, [change])).map(([key]) => itemName(collection, key)),
        );
        const gone = main.rows<[string, string]>(statement(deleted, [change]));
        const all = [...written, ...gone.map(([name, key]) => itemName({ name }, key))];
        return all.length > CHANGES_LIMIT ? undefined : all;
      }),
  };
};
