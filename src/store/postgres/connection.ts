import type { Cell } from '../../model/field.ts';
import type { Names } from './names.ts';

/** A cell, or a column of them. */
type Bound = Cell | readonly Cell[];

/** A statement whose values may be whole columns, so that its SQL is the same for any number of rows. */
export interface BatchStatement {
  readonly sql: string;
  readonly values: readonly Bound[];
}

export interface Reader {
  /** Prepared once and kept by its text, where that recurs. */
  readonly rows: <R>(statement: BatchStatement) => Promise<R[]>;
}

/**
 * One connection. Statements are sent at once and done in order, so that those which are asked for without waiting in
 * between share one round trip; `together` waits for them.
 */
export interface Connection extends Reader {
  /**
   * Begins a transaction. Limits of time end with it: those of a session would be others' too behind a pooler, or nobody's.
   *
   * @param mode such as `READ ONLY`
   * @param idle milliseconds in which the next statement must come; by default a little more than one may take
   */
  readonly begin: (mode: string, idle?: number) => Promise<void>;
  /** Text without values. @returns the tag of what was done, such as `COMMIT` or `ROLLBACK` */
  readonly exec: (sql: string) => Promise<string>;
  /** Text without values that is not prepared. */
  readonly fetch: <R>(sql: string) => Promise<R[]>;
}

/** What is needed of a driver's connection. */
interface Client {
  readonly query: (query: {
    readonly text: string;
    readonly name?: string | undefined;
    readonly values?: unknown[];
    readonly rowMode: 'array';
  }) => Promise<{ readonly rows: unknown[]; readonly command: string }>;
}

/** Texts that a connection keeps prepared at the most; one that is used for more is replaced by a new one. */
const PREPARED = 256;

/** What a connection keeps prepared. */
export interface Kept {
  readonly isFull: () => boolean;
  readonly nameOf: (name: string) => string | undefined;
}

export const keeping = (): Kept => {
  const kept = new Set<string>();
  let isFull = false;
  return {
    isFull: () => isFull,
    nameOf: (name) => {
      if (kept.has(name)) return name;
      isFull = kept.size === PREPARED;
      if (isFull) return undefined;
      kept.add(name);
      return name;
    },
  };
};

interface Limits {
  /** Milliseconds for each statement, and for the next one to come; 0 where there is no limit. */
  readonly statement: number;
  readonly idle: number;
}

/** @param kept `undefined` where nothing may be prepared */
export const over = (client: Client, names: Names, kept: Kept | undefined, limits: Limits): Connection => ({
  begin: async (mode, idle = limits.idle) => {
    const text = `BEGIN ${mode}; SET LOCAL statement_timeout = ${limits.statement}; SET LOCAL idle_in_transaction_session_timeout = ${idle}`;
    await client.query({ text, rowMode: 'array' });
  },
  rows: async <R>({ sql, values }: BatchStatement) => {
    const { text, name } = names.prepare(sql);
    const kind = name === undefined ? undefined : kept?.nameOf(name);
    return (await client.query({ text, name: kind, values: [...values], rowMode: 'array' })).rows as R[];
  },
  exec: async (sql) => (await client.query({ text: sql, rowMode: 'array' })).command,
  fetch: async <R>(sql: string) => (await client.query({ text: sql, rowMode: 'array' })).rows as R[],
});

/** Waits for statements that were sent together, all of them, before the first that failed is told. */
export const together = async <const T extends readonly Promise<unknown>[]>(
  sent: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> => {
  await Promise.allSettled(sent);
  return (await Promise.all(sent)) as { -readonly [K in keyof T]: Awaited<T[K]> };
};

/** @returns a reader of which each statement is a transaction of its own, in one round trip */
export const alone = (connection: Connection): Reader => ({
  rows: async <R>(statement: BatchStatement) => {
    const [, rows] = await together([
      connection.begin('ISOLATION LEVEL READ COMMITTED READ ONLY'),
      connection.rows<R>(statement),
      connection.exec('COMMIT'),
    ]);
    return rows;
  },
});
