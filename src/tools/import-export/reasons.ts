import { connect } from '../../store/sqlite/connection.ts';

const CREATE = `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
  CREATE TABLE "reasons" ("row" INTEGER PRIMARY KEY, "said" TEXT);
  BEGIN`;
const ADD = `INSERT INTO "reasons" VALUES (?, ?) ON CONFLICT DO UPDATE SET "said" = "said" || ' ' || excluded."said"`;

/** The reasons why rows were rejected, in a temporary database, because a million rows may be. */
export class Reasons {
  readonly #database = connect('');

  constructor() {
    this.#database.exec(CREATE);
  }

  add(row: number, reason: string): void {
    this.#database.run(ADD, [row, reason]);
  }

  /** @returns what is wrong with a row; `undefined` if it was not rejected */
  find(row: number): string | undefined {
    return this.#database.row<[string]>('SELECT "said" FROM "reasons" WHERE "row" = ?', [row])?.[0];
  }

  close(): void {
    this.#database.close();
  }
}
