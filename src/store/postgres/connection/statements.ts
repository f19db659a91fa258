import { createHash } from 'node:crypto';

/** SQL as the server expects it, and the name that it is prepared under, if any. */
interface Prepared {
  readonly text: string;
  uses: number;
  name?: string;
}

/** The most statements that are remembered, and the uses after which one gets a name: most filters never recur. */
const REMEMBERED = 1_000;
const RECURRING = 3;
/** The most names, because a connection keeps what it has prepared for as long as it lives. */
const NAMES = 256;

/** @returns the SQL with `$1`, `$2` and so on in place of each `?` */
function numberValues(sql: string): string {
  let count = 0;
  return sql.replaceAll('?', () => `$${++count}`);
}

/**
 * A hash of the SQL: the clients of a pooler may share prepared statements, and then a name never stands for other SQL.
 * PostgreSQL truncates names after 63 bytes.
 */
function nameStatement(text: string): string {
  return `s_${createHash('sha256').update(text).digest('base64url')}`;
}

/** Converts each statement once, and names those that recur, so that the server parses and plans them once. */
export class Statements {
  readonly #mayName: boolean;
  readonly #known = new Map<string, Prepared>();
  #names = 0;

  constructor(mayName: boolean) {
    this.#mayName = mayName;
  }

  prepare(sql: string): Readonly<Prepared> {
    const statement = this.#known.get(sql) ?? { text: numberValues(sql), uses: 0 };
    this.#known.set(sql, statement);
    statement.uses += 1;
    if (this.#mayName && statement.uses === RECURRING && this.#names < NAMES) {
      statement.name = nameStatement(statement.text);
      this.#names += 1;
    }
    if (this.#known.size > NAMES + REMEMBERED) this.#forgetUnnamed();
    return statement;
  }

  #forgetUnnamed(): void {
    for (const [sql, { name }] of this.#known) if (name === undefined) this.#known.delete(sql);
  }
}
