import { connect } from '../sqlite/connection/connection.ts';

/** The reasons why rows were rejected, by row number. */
export interface Reasons {
  readonly add: (row: number, said: string) => void;
  readonly of: (row: number) => string | undefined;
  readonly close: () => void;
}

const CREATE = `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
  CREATE TABLE "reasons" ("row" INTEGER PRIMARY KEY, "said" TEXT);
  BEGIN`;
const ADD = `INSERT INTO "reasons" VALUES (?, ?) ON CONFLICT DO UPDATE SET "said" = "said" || ' ' || excluded."said"`;

/** In a temporary database, because a million rows may be rejected. */
export const openReasons = (): Reasons => {
  const { exec, run, row, close } = connect('');
  exec(CREATE);
  return {
    add: (number, said) => void run(ADD, [number, said]),
    of: (number) => row<[string]>('SELECT "said" FROM "reasons" WHERE "row" = ?', [number])?.[0],
    close,
  };
};
