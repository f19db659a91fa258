import type { Collection } from '../../model/catalogue.ts';
import type { TransactionRows } from '../apply.ts';
import type { Keys, Row } from '../port.ts';
import type { ImportRequest } from './apply-row.ts';
import type { Spool } from './spool.ts';

/** Whether nothing can come of an import but a report, for which nobody needs to wait. */
export const isDry = ({ isCheck, isLenient }: ImportRequest, spool: Spool): boolean =>
  isCheck || (!isLenient && spool.hasErrors());

/** No key contains U+0000. */
const itemName = ({ name }: Collection, keys: Keys): string => [name, ...keys].join('\0');

/** Rows as they would be: what is done to them is only remembered. */
export const dryRows = (rows: TransactionRows, spool: Spool): TransactionRows => {
  const set = (collection: Collection, keys: Keys, row: Row | undefined): void =>
    spool.setChanged(itemName(collection, keys), row);
  return {
    read: (collection, keys) => {
      const changed = spool.changed(itemName(collection, keys));
      return changed ? changed[0] : rows.read(collection, keys);
    },
    insert: (collection, change, parents, cells) => set(collection, [...parents, String(cells[0])], [change, ...cells]),
    update: (collection, change, keys, cells) => set(collection, keys, [change, ...cells]),
    remove: (collection, _change, keys) => set(collection, keys, undefined),
    record: rows.record,
  };
};
