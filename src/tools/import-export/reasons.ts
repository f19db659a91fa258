import { connect } from '../../store/sqlite/connection.ts';

/** The reasons why rows were rejected, by row number. */
export type Reasons = ReturnType<typeof openReasons>;

const CREATE = `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
  CREATE TABLE "reasons" ("row" INTEGER PRIMARY KEY, "said" TEXT);
  BEGIN`;
const ADD = `INSERT INTO "reasons" VALUES (?, ?) ON CONFLICT DO UPDATE SET "said" = "said" || ' ' || excluded."said"`;

/** In a temporary database, because a million rows may be rejected. */
export const openReasons = () => {
  const { exec, run, row, close } = connect('');
  exec(CREATE);
  return {
    add: (number: number, said: string): void => void run(ADD, [number, said]),
    of: (number: number): string | undefined =>
      row<[string]>('SELECT "said" FROM "reasons" WHERE "row" = ?', [number])?.[0],
    close,
  };
};
