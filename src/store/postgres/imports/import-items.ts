import type { Catalogue, Collection } from '../../../model/catalogue.ts';
import type { Cell } from '../../../model/field.ts';
import type { FileRow, ImportOutcome } from '../../../model/import.ts';
import type { TransactionRows } from '../../apply.ts';
import type { Keys } from '../../port.ts';
import { type Connection, type Reader, settleAll } from '../connection/connection.ts';
import { batchesOf } from '../writes/batch.ts';
import type { StagedImport } from './lacking.ts';

/** @returns the keys that rows of a file contain */
export const keysIn = (rows: readonly FileRow[]): readonly string[] =>
  rows.flatMap(({ cells: [key] }) => (typeof key === 'string' ? [key] : []));

/** The items of an import, as they are stored. */
export const importItems = (catalogue: Catalogue) => {
  const batches = batchesOf(catalogue);

  /** @returns the items of some keys, and the list's parent, in memory */
  const read = async (reader: Reader, collection: Collection, parents: Keys, keys: readonly string[]) => {
    const parent = collection.parent && ([collection.parent, parents] as const);
    const items = keys.map((key) => [collection, [...parents, key]] as const);
    const reads = batches.readsOf([...items, ...(parent ? [parent] : [])]);
    const found = await settleAll(reads.map(([, read]) => reader.rows<Cell[]>(read)));
    return batches.open({ rows: reads.map(([each], at) => [each, found[at] ?? []] as const), records: [] });
  };
  /** Reads some items, changes them in memory and writes them. */
  const change = async (
    connection: Connection,
    { collection, options }: StagedImport,
    keys: readonly string[],
    work: (rows: TransactionRows) => void,
  ): Promise<void> => {
    const { rows, writes } = await read(connection, collection, options.parents, keys);
    work(rows);
    await settleAll(writes().map((each) => connection.rows(each)));
  };

  /** @returns the outcome of an import into a list whose parent does not exist; `undefined` where it does */
  const missingParent = async (
    connection: Connection,
    { collection: { parent }, options }: StagedImport,
  ): Promise<ImportOutcome | undefined> => {
    const [read] = parent ? batches.readsOf([[parent, options.parents]]) : [];
    if (!parent || !read || (await connection.rows(read[1])).length > 0) return undefined;
    return { kind: 'missing', collection: parent.name };
  };

  return { read, change, missingParent };
};

export type ImportItems = ReturnType<typeof importItems>;
