import { type Catalogue, type Collection, collectionOf } from '../../../model/catalogue.ts';
import type { TransactionRows } from '../../apply.ts';
import { type ImportRequest, type Rejection, type Tally, tallyOf } from '../../imports/apply-row.ts';
import { dryRows, isDry } from '../../imports/dry-rows.ts';
import { keepImport, knownImport } from '../../imports/idempotency.ts';
import type { Spool } from '../../imports/spool.ts';
import type { ImportOutcome } from '../../port.ts';
import { sqlite } from '../../sql/dialects.ts';
import { type CreatedKey, selectKeys } from '../../sql/imports.ts';
import { sqlOf } from '../../sql/items.ts';
import { type Connection, rollBack } from '../connection/connection.ts';
import { indexLater } from '../schema/search-index.ts';
import { nextChangeSet, rowsOf, writeRest } from '../writes/writes.ts';

/** Who is told of an import. */
export interface Told {
  readonly onRejected: (rejection: Rejection) => void;
  /** Told after each chunk how many rows are done. Ends the import by throwing. */
  readonly onChunk: (rows: number) => void;
  readonly note: () => string;
}

interface Import {
  readonly request: ImportRequest;
  readonly spool: Spool;
}

/** Keys that are read at one time. */
const KEYS = 1_000;

function* keysOf(connection: Connection, collection: Collection, { parents }: ImportRequest): Generator<string> {
  let after = 0;
  for (;;) {
    const found = connection.rows<CreatedKey>(selectKeys(collection, parents, after, KEYS));
    for (const [, key] of found) yield key;
    if (found.length < KEYS) return;
    after = found.at(-1)?.[0] ?? after;
  }
}

/** Deletes what the file does not have. @returns the outcome where that would be too much */
const deleteLacking = (
  connection: Connection,
  collection: Collection,
  { request, spool }: Import,
  rows: TransactionRows,
  tally: Tally,
): ImportOutcome | undefined => {
  let [items, lacking] = [isDry(request, spool) ? 0 : -tally.report().created, 0];
  for (const key of keysOf(connection, collection, request)) {
    items += 1;
    if (!spool.hasKey(key)) lacking += 1;
  }
  const refused = tally.mayDelete(items, lacking);
  if (refused || lacking === 0) return refused;
  for (const key of keysOf(connection, collection, request)) {
    if (!spool.hasKey(key)) tally.remove(rows, [...request.parents, key]);
  }
  return undefined;
};

/**
 * Applies the rows of a spool.
 *
 * @param connection in a transaction, which holds the lock unless the import is dry; it is ended here
 */
export const applyImport = (
  connection: Connection,
  catalogue: Catalogue,
  work: Import,
  { onRejected, onChunk, note }: Told,
): ImportOutcome => {
  const { request, spool } = work;
  const collection = collectionOf(catalogue, request.collection);
  const dry = isDry(request, spool);
  const stored = rowsOf(connection, sqlOf(catalogue, sqlite));
  const rows = dry ? dryRows(stored, spool) : stored;
  const changeSet = nextChangeSet(connection);

  const apply = (): ImportOutcome => {
    const known = knownImport(request.idempotency, rows.record);
    if (known) return known;
    const { parent } = collection;
    if (parent && !rows.read(parent, request.parents)) return { kind: 'missing', collection: parent.name };
    const indexWords = dry ? undefined : indexLater(connection, [collection], changeSet.last + 1);
    const tally = tallyOf(catalogue, request, changeSet, onRejected);
    let done = 0;
    for (const chunk of spool.chunks()) {
      for (const row of chunk) tally.apply(rows, row);
      done += chunk.length;
      onChunk(done);
    }
    const refused =
      tally.refused() ??
      (request.onDuplicate === 'replace-all' ? deleteLacking(connection, collection, work, rows, tally) : undefined);
    if (refused) return refused;
    indexWords?.();
    const { idempotency } = request;
    if (idempotency) keepImport(changeSet, idempotency, { report: tally.report(), note: note() });
    return tally.outcome();
  };

  try {
    const outcome = apply();
    const writes = outcome.kind === 'imported' && outcome.note === undefined;
    if (writes) writeRest(connection, changeSet);
    connection.run(writes ? 'COMMIT' : 'ROLLBACK', []);
    return outcome;
  } catch (error) {
    rollBack(connection);
    throw error;
  }
};
