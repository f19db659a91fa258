import type { Cell } from '../../../gateway/model/field.ts';
import type { Statements } from './statements.ts';

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

/** Milliseconds that a statement may take, and to wait for the next one; 0 for no limit. */
interface Limits {
  readonly statement: number;
  readonly idle: number;
}

export const READ_COMMITTED = 'ISOLATION LEVEL READ COMMITTED';

const SET_STATEMENT = 'statement_timeout =';
const SET_IDLE = 'idle_in_transaction_session_timeout =';

/**
 * No statement reads a whole table if an index will do: connections keep plans, and one that was made while a table was small
 * would read all of it for as long as the connection lives. PostgreSQL < 18 adds a huge cost for disabled nodes, which triggers
 * JIT: it is disabled, too.
 */
const PLANNING = ['enable_seqscan = off', 'jit = off'];

/** @returns SQL that gives each transaction of a session these limits, and the isolation that `inOwnTransaction` needs */
export function limitSession({ statement, idle }: Limits): string {
  const settings = [`${SET_STATEMENT} ${statement}`, `${SET_IDLE} ${idle}`, ...PLANNING];
  return [...settings, "default_transaction_isolation = 'read committed'"].map((each) => `SET ${each}`).join('; ');
}

/** How a connection sends its statements. */
interface Session {
  readonly statements: Statements;
  readonly limits: Limits;
  /** Whether the session has the limits. In transaction mode of a pooler they would apply to other clients: there each transaction has its own. */
  readonly isLimited: boolean;
}

/** What of a client of `pg`, which one file imports, a connection needs. */
interface QueryClient {
  readonly query: (query: {
    readonly text: string;
    readonly values: unknown[];
    readonly name: string;
    readonly rowMode: 'array';
  }) => Promise<{ readonly rows: unknown[][]; readonly command: string }>;
}

export function connectionOf(client: QueryClient, { statements, limits, isLimited }: Session): Connection {
  const send = (text: string, values: unknown[] = [], name = '') =>
    client.query({ text, values, name, rowMode: 'array' });
  return {
    isLimited,
    begin: async (mode = READ_COMMITTED, idle = limits.idle) => {
      const own = [
        ...(isLimited ? [] : [`${SET_STATEMENT} ${limits.statement}`, ...PLANNING]),
        ...(isLimited && idle === limits.idle ? [] : [`${SET_IDLE} ${idle}`]),
      ];
      await send([`BEGIN ${mode}`, ...own.map((each) => `SET LOCAL ${each}`)].join('; '));
    },
    rows: async <R>({ sql, values }: BatchStatement) => {
      const { text, name } = statements.prepare(sql);
      return (await send(text, [...values], name)).rows as R[];
    },
    exec: async (sql) => (await send(sql)).command,
    fetch: async <R>(sql: string) => (await send(sql)).rows as R[],
  };
}

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
