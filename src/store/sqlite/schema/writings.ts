/** Counts how values are written where an older version has not, in steps, so that other processes can write in between. */
import type { Collection } from '../../../model/catalogue.ts';
import { isWritten, recountWritings, selectMiscounted } from '../../sql/system/totals.ts';
import type { Connection } from '../connection/connection.ts';

/** Rows of one transaction, and values that it looks up. */
const ROWS = 10_000;
const VALUES = 500;

/**
 * @param inTransaction runs a step in a transaction
 * @param pause called between two steps, so that others can write
 */
export const countWritings = (
  connection: Connection,
  collection: Collection,
  inTransaction: (work: () => void) => void,
  pause: () => void,
): void => {
  for (const field of collection.parent ? [] : collection.fields.filter(isWritten)) {
    const find = (after: string) =>
      connection.rows<[value: string, count: number]>({
        sql: selectMiscounted(VALUES),
        values: [collection.name, field.name, after],
      });
    let last = '';
    let isFirst = true;
    while (find(last).length > 0) {
      if (!isFirst) pause();
      isFirst = false;
      inTransaction(() => {
        let rows = 0;
        for (const [value, count] of find(last)) {
          if (rows >= ROWS) break;
          for (const { sql, values } of recountWritings(collection, field, value)) connection.run(sql, values);
          rows += count;
          last = value;
        }
      });
    }
  }
};
