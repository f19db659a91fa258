/**
 * Rows that wait for the last step of their import, in a temporary database. SQLite writes it to a file once it exceeds some
 * MiB, a file that the operating system removes however the process ends.
 */
import { deserialize, serialize } from 'node:v8';
import type { FileRow, RowError } from '../../model/import.ts';
import type { Row } from '../port.ts';
import { statement } from '../sql/statement.ts';
import { connect } from '../sqlite/connection/connection.ts';

/** A chunk of rows as bytes, which can be handed over to a thread. */
export interface Packed {
  readonly bytes: Uint8Array;
  /** The keys of its rows, where `hasKey` will be asked. */
  readonly keys: readonly string[];
  readonly hasErrors: boolean;
}

/** What waits, and what a check of it makes of the items, which are not changed. */
export interface Spool {
  readonly add: (packed: Packed) => void;
  readonly chunks: () => Iterable<readonly FileRow[]>;
  /** Whether a row has this key. */
  readonly hasKey: (key: string) => boolean;
  /** Whether a row has errors. */
  readonly hasErrors: () => boolean;
  readonly setChanged: (item: string, row: Row | undefined) => void;
  /** What an item was set to: its row, nothing where it is gone; `undefined` where it was not. */
  readonly changed: (item: string) => readonly [row?: Row] | undefined;
  readonly close: () => void;
}

type PackedRow = readonly [number: number, cells: FileRow['cells'], errors?: readonly RowError[]];

const keyOf = ({ cells: [key] }: FileRow): readonly string[] => (typeof key === 'string' ? [key] : []);

export const pack = (rows: readonly FileRow[], withKeys: boolean): Packed => {
  const packed = rows.map(
    ({ number, cells, errors }): PackedRow => (errors.length > 0 ? [number, cells, errors] : [number, cells]),
  );
  return {
    bytes: serialize(packed),
    keys: withKeys ? rows.flatMap(keyOf) : [],
    hasErrors: rows.some(({ errors }) => errors.length > 0),
  };
};

const unpack = (bytes: Uint8Array): readonly FileRow[] =>
  (deserialize(bytes) as PackedRow[]).map(([number, cells, errors = []]) => ({ number, cells, errors }));

/** SQLite's name for a temporary database of a connection's own. */
const TEMPORARY = '';

const CREATE = `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
  CREATE TABLE "chunks" ("rows" BLOB);
  CREATE TABLE "keys" ("key" TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE "changed" ("item" TEXT PRIMARY KEY, "row" BLOB) WITHOUT ROWID;
  BEGIN`;
const CHUNKS = statement('SELECT "rows" FROM "chunks" ORDER BY rowid');

export const openSpool = (): Spool => {
  const { exec, run, row, iterate, close } = connect(TEMPORARY);
  exec(CREATE);
  let hasErrors = false;
  return {
    add: ({ bytes, keys, hasErrors: here }) => {
      hasErrors ||= here;
      run('INSERT INTO "chunks" VALUES (?)', [bytes]);
      for (const key of keys) run('INSERT OR IGNORE INTO "keys" VALUES (?)', [key]);
    },
    chunks: function* () {
      for (const [bytes] of iterate<[Uint8Array]>(CHUNKS)) yield unpack(bytes);
    },
    hasKey: (key) => row('SELECT 1 FROM "keys" WHERE "key" = ?', [key]) !== undefined,
    hasErrors: () => hasErrors,
    setChanged: (item, row) =>
      void run('INSERT OR REPLACE INTO "changed" VALUES (?, ?)', [item, serialize(row ? [row] : [])]),
    changed: (item) => {
      const [bytes] = row<[Uint8Array]>('SELECT "row" FROM "changed" WHERE "item" = ?', [item]) ?? [];
      return bytes && (deserialize(bytes) as [Row?]);
    },
    close,
  };
};
