import type { Catalogue, Collection } from '../../../gateway/model/catalogue.ts';
import type { Cell } from '../../../gateway/model/field.ts';
import type { Keys } from '../../../gateway/port/port.ts';
import { type Reader, settleAll } from '../connection/connection.ts';
import { batchesOf } from '../writes/batch.ts';

/** @returns reads the items of some keys, and the list's parent, into memory, from where what is changed in them is written */
export const itemReader = (catalogue: Catalogue) => {
  const batches = batchesOf(catalogue);
  return async (
    reader: Reader,
    { collection, parents }: { collection: Collection; parents: Keys },
    keys: readonly string[],
  ) => {
    const parent = collection.parent && ([collection.parent, parents] as const);
    const items = keys.map((key) => [collection, [...parents, key]] as const);
    const reads = batches.readsOf([...items, ...(parent ? [parent] : [])]);
    const found = await settleAll(reads.map(([, read]) => reader.rows<Cell[]>(read)));
    return batches.open({ rows: reads.map(([each], at) => [each, found[at] ?? []] as const), records: [] });
  };
};
