/** The items that `replace-all` deletes: those that the file lacks. */
import type { Collection } from '../../../model/catalogue.ts';
import type { ImportOptions } from '../../../model/import.ts';
import type { Tally, Target } from '../../imports/apply-row.ts';
import { throwIfAborted } from '../../imports/stage.ts';
import type { StageTables } from '../../imports/stage-tables.ts';
import type { Keys } from '../../port.ts';
import { type CreatedKey, selectKeys } from '../../sql/imports.ts';
import type { Connection } from '../connection/connection.ts';

/** An import whose rows are staged. */
export interface StagedImport {
  readonly collection: Collection;
  readonly options: ImportOptions;
  readonly tables: StageTables;
}

/** Keys that are read at one time. */
const KEYS = 1_000;

async function* keysOf(
  connection: Connection,
  collection: Collection,
  parents: Keys,
): AsyncGenerator<readonly string[]> {
  let after = 0;
  for (;;) {
    const found = await connection.rows<CreatedKey>(selectKeys(collection, parents, after, KEYS));
    yield found.map(([, key]) => key);
    if (found.length < KEYS) return;
    after = found.at(-1)?.[0] ?? after;
  }
}

/** @returns how many items there are, and how many of them the file lacks */
export const countLacking = async (
  connection: Connection,
  { collection, options, tables }: StagedImport,
): Promise<readonly [items: number, lacking: number]> => {
  let [items, lacking] = [0, 0];
  for await (const keys of keysOf(connection, collection, options.parents)) {
    items += keys.length;
    lacking += keys.filter((key) => !tables.hasKey(key)).length;
  }
  return [items, lacking];
};

/** @param change reads some items, changes them in memory and writes them */
export const deleteLacking = async (
  connection: Connection,
  { collection, options, tables, plan }: StagedImport & { readonly plan: { readonly tally: Tally } },
  change: (keys: readonly string[], remove: (target: Target) => void) => Promise<void>,
): Promise<void> => {
  for await (const keys of keysOf(connection, collection, options.parents)) {
    throwIfAborted(options.signal);
    const gone = keys.filter((key) => !tables.hasKey(key));
    if (gone.length === 0) continue;
    await change(gone, (target) => {
      for (const key of gone) plan.tally.remove(target, [...options.parents, key]);
    });
  }
};
