import type { Cell } from '../../../gateway/model/field.ts';
import { arrayText } from './array-text.ts';
import { copyFrom, type Submit } from './copy.ts';
import type { Names } from './names.ts';

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
   * @param mode such as `READ ONLY`
   * @param idle milliseconds to wait for the next statement; by default a little more than a statement may take
   */
  readonly begin: (mode: string, idle?: number) => Promise<void>;
  /** SQL without values. @returns the command tag, such as `COMMIT` or `ROLLBACK` */
  readonly exec: (sql: string) => Promise<string>;
  /** `COPY … FROM STDIN` in its text format. @param texts are sent as fast as the server takes them */
  readonly copy: (sql: string, texts: Iterable<string>) => Promise<void>;
  /** SQL without values, which is not prepared. */
  readonly fetch: <R>(sql: string) => Promise<R[]>;
}

/** The part of the driver's connection that is used. */
export interface PgClient {
  readonly query: (query: {
    readonly text: string;
    readonly name?: string | undefined;
    readonly values?: unknown[];
  }) => Promise<{ readonly rows: unknown[]; readonly command: string }>;
}

const isColumn = (bound: Bound): bound is readonly Cell[] => Array.isArray(bound);

/** The most statements that stay prepared on a connection. Where more recur, the connection is replaced. */
const MOST_PREPARED = 256;

/** The statements that are prepared on a connection. */
export type PreparedStatements = ReturnType<typeof preparedStatements>;

export const preparedStatements = () => {
  const prepared = new Set<string>();
  let isFull = false;
  return {
    isFull: (): boolean => isFull,
    /** @returns the name; `undefined` where it is new and no more statements may be prepared */
    add: (name: string): string | undefined => {
      if (prepared.has(name)) return name;
      isFull = prepared.size === MOST_PREPARED;
      if (isFull) return undefined;
      prepared.add(name);
      return name;
    },
  };
};

/** Milliseconds that a statement may take, and to wait for the next one; 0 for no limit. */
export interface Limits {
  readonly statement: number;
  readonly idle: number;
}

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
  readonly submit: Submit;
}

export const connectionOf = (
  client: PgClient,
  { names, prepared, limits, isLimited, submit }: Session,
): Connection => ({
  isLimited,
  begin: async (mode, idle = limits.idle) => {
    const own = [
      ...(isLimited ? [] : [`${SET_STATEMENT} ${limits.statement}`, ...PLANNING]),
      ...(isLimited && idle === limits.idle ? [] : [`${SET_IDLE} ${idle}`]),
    ];
    await client.query({
      text: [`BEGIN ${mode}`, ...own.map((each) => `SET LOCAL ${each}`)].join('; '),
    });
  },
  rows: async <R>({ sql, values }: BatchStatement) => {
    const { text, name } = names.prepare(sql);
    const kind = name === undefined ? undefined : prepared?.add(name);
    const bound = values.map((each) => (isColumn(each) ? arrayText(each) : each));
    return (await client.query({ text, name: kind, values: bound })).rows as R[];
  },
  exec: async (sql) => (await client.query({ text: sql })).command,
  copy: (sql, texts) => copyFrom(submit, sql, texts),
  fetch: async <R>(sql: string) => (await client.query({ text: sql })).rows as R[],
});

/** Waits until all statements have ended, and only then throws the first error. */
export const settleAll = async <const T extends readonly Promise<unknown>[]>(
  sent: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> => {
  await Promise.allSettled(sent);
  return (await Promise.all(sent)) as { -readonly [K in keyof T]: Awaited<T[K]> };
};

/** @returns a reader that runs each statement in a transaction of its own, in one round trip */
export const inOwnTransaction = (connection: Connection): Reader =>
  connection.isLimited
    ? connection
    : {
        rows: async <R>(statement: BatchStatement) => {
          const [, rows] = await settleAll([
            connection.begin('ISOLATION LEVEL READ COMMITTED READ ONLY'),
            connection.rows<R>(statement),
            connection.exec('COMMIT'),
          ]);
          return rows;
        },
      };
