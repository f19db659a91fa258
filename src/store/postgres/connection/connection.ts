import type { Cell } from '../../../gateway/model/field.ts';
import type { Names, PreparedStatements } from './names.ts';

/** Has the driver run a query that is made of a text and values, with these members in place of its own. */
type Submit = (text: string, values: unknown[] | undefined, members: object) => void;

/** A cell, or a column of them. */
type Bound = Cell | readonly Cell[];

/** A statement whose values may be whole columns, so that its SQL is the same for any number of rows. */
export interface BatchStatement {
  readonly sql: string;
  readonly values: readonly Bound[];
}

export interface Reader {
  /** SQL that recurs is prepared once. */
  readonly rows: <R>(statement: BatchStatement) => Promise<R[]>;
}

/**
 * One connection. Statements are sent at once and run in order, so that those sent without waiting in between share one
 * round trip; `settleAll` waits for them.
 */
export interface Connection extends Reader {
  /** Whether a statement outside of a transaction has the time limits too. */
  readonly isLimited: boolean;
  /**
   * Begins a transaction with time limits.
   *
   * @param mode by default `READ COMMITTED`
   * @param idle milliseconds to wait for the next statement; by default a little more than a statement may take
   */
  readonly begin: (mode?: string, idle?: number) => Promise<void>;
  /** SQL without values. @returns the command tag, such as `COMMIT` or `ROLLBACK` */
  readonly exec: (sql: string) => Promise<string>;
  /** SQL without values, which is not prepared. */
  readonly fetch: <R>(sql: string) => Promise<R[]>;
}

/** https://www.postgresql.org/docs/current/catalog-pg-type.html: int8, int2, int4, numeric. Our integers are all safe. */
const NUMBERS: ReadonlySet<number> = new Set([20, 21, 23, 1700]);
const asText = (text: string): string => text;

export const types = { getTypeParser: (type: number) => (NUMBERS.has(type) ? Number : asText) };

/** Messages of the server, as the driver reads them. */
interface RowDescription {
  readonly fields: readonly { readonly dataTypeID: number }[];
}
interface DataRow {
  readonly fields: readonly (string | null)[];
}

/**
 * Rows are arrays. The driver's own way copies the options of each query and makes an object of its columns, which takes a
 * sixth of a short query's CPU.
 */
const queryOf =
  (submit: Submit) =>
  (text: string, name?: string, values?: unknown[]): Promise<{ readonly rows: unknown[]; readonly command: string }> =>
    new Promise((resolve, reject) => {
      const rows: unknown[] = [];
      let parsers: readonly ((text: string) => unknown)[] = [];
      submit(text, values, {
        name,
        handleRowDescription: ({ fields }: RowDescription) => {
          parsers = fields.map(({ dataTypeID }) => types.getTypeParser(dataTypeID));
        },
        handleDataRow: ({ fields }: DataRow) => {
          rows.push(fields.map((cell, at) => (cell === null ? null : parsers[at]?.(cell))));
        },
        callback: (error: unknown, result?: { readonly command: string }) => {
          if (error) reject(error);
          else resolve({ rows, command: result?.command ?? '' });
        },
      });
    });

/** Milliseconds that a statement may take, and to wait for the next one; 0 for no limit. */
export interface Limits {
  readonly statement: number;
  readonly idle: number;
}

export const READ_COMMITTED = 'ISOLATION LEVEL READ COMMITTED';

const SET_STATEMENT = 'statement_timeout =';
const SET_IDLE = 'idle_in_transaction_session_timeout =';

/**
 * No statement reads a whole table where an index will do: connections keep plans, and one that was made while a table was
 * small would read all of it for as long as the connection lives. Before PostgreSQL 18 what is switched off counts as dear,
 * and what is dear is compiled, for more than it takes: so that is off, too.
 */
const PLANNING = ['enable_seqscan = off', 'jit = off'];

/** @returns SQL that gives each transaction of a session these limits, and the isolation that `inOwnTransaction` needs */
export const limitSession = ({ statement, idle }: Limits): string =>
  [
    `${SET_STATEMENT} ${statement}`,
    `${SET_IDLE} ${idle}`,
    "default_transaction_isolation = 'read committed'",
    ...PLANNING,
  ]
    .map((each) => `SET ${each}`)
    .join('; ');

/** How a connection sends its statements. */
interface Session {
  readonly names: Names;
  /** `undefined` where statements must not be prepared. */
  readonly prepared: PreparedStatements | undefined;
  readonly limits: Limits;
  /** Whether the session has the limits. Behind a pooler they would apply to other clients: there each transaction has its own. */
  readonly isLimited: boolean;
}

/** @param Query the driver's class of queries */
export const connectionOf = (
  client: { readonly query: (query: object) => unknown },
  Query: new (text: string, values?: unknown[]) => object,
  { names, prepared, limits, isLimited }: Session,
): Connection => {
  const submit: Submit = (text, values, members) => {
    client.query(Object.assign(new Query(text, values), members));
  };
  const query = queryOf(submit);
  return {
    isLimited,
    begin: async (mode = READ_COMMITTED, idle = limits.idle) => {
      const own = [
        ...(isLimited ? [] : [`${SET_STATEMENT} ${limits.statement}`, ...PLANNING]),
        ...(isLimited && idle === limits.idle ? [] : [`${SET_IDLE} ${idle}`]),
      ];
      await query([`BEGIN ${mode}`, ...own.map((each) => `SET LOCAL ${each}`)].join('; '));
    },
    rows: async <R>({ sql, values }: BatchStatement) => {
      const { text, name } = names.prepare(sql);
      return (await query(text, name && prepared?.add(name), [...values])).rows as R[];
    },
    exec: async (sql) => (await query(sql)).command,
    fetch: async <R>(sql: string) => (await query(sql)).rows as R[],
  };
};

/** Waits until all statements have ended, and only then throws the first error. */
export const settleAll = async <const T extends readonly Promise<unknown>[]>(
  sent: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> => {
  await Promise.allSettled(sent);
  return (await Promise.all(sent)) as { -readonly [K in keyof T]: Awaited<T[K]> };
};

/** @returns a reader that runs each statement in a transaction of its own, in one round trip */
export const inOwnTransaction = (connection: Connection, mode = `${READ_COMMITTED} READ ONLY`): Reader =>
  connection.isLimited
    ? connection
    : {
        rows: async <R>(statement: BatchStatement) => {
          const [, rows] = await settleAll([
            connection.begin(mode),
            connection.rows<R>(statement),
            connection.exec('COMMIT'),
          ]);
          return rows;
        },
      };
