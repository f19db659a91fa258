import pg from 'pg';
import type { Cell } from '../../model/field.ts';
import { unavailable } from '../commit-queue.ts';
import { isDemoted, isOutOfService, isReported, isTransient } from './errors.ts';

/** What may be bound: cells, and columns of them. */
type Bound = Cell | readonly Cell[];

/** SQL with `?` for each value; where that is a column, the text is the same for any number of rows. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly Bound[];
}

/**
 * One connection. Statements are sent at once and done in order, so that those which are asked for without waiting in
 * between share one round trip; `together` waits for them.
 */
export interface Connection {
  /** Prepared once and kept by its text. */
  readonly rows: <R>(statement: Statement) => Promise<R[]>;
  /** Text without values. @returns the tag of what was done, such as `COMMIT` or `ROLLBACK` */
  readonly exec: (sql: string) => Promise<string>;
  /** Text without values that is not prepared. */
  readonly fetch: <R>(sql: string) => Promise<R[]>;
}

export interface Pool {
  /**
   * Does work on a connection of its own, and again on another one where that failed for a passing reason.
   *
   * @param mayRetry asked after a failure; by default yes, as for reads
   * @throws Problem `unavailable` where the database cannot do it, within the time limit
   */
  readonly use: <T>(work: (connection: Connection) => Promise<T>, mayRetry?: () => boolean) => Promise<T>;
  /** A connection that is kept until it is released; `isSound: false` closes it. */
  readonly acquire: () => Promise<{ readonly connection: Connection; readonly release: (isSound: boolean) => void }>;
  /** Waits for what is being done, then closes every connection. */
  readonly end: () => Promise<void>;
}

export interface PoolOptions {
  readonly size: number;
  /** Milliseconds for a connection, and for each statement; `Infinity` only for statements, where `isPatient`. */
  readonly timeout: number;
  /** Whether statements may take any time, as changes of the schema do. */
  readonly isPatient?: boolean;
}

/** Texts that are prepared on each connection; filters make many, and a server keeps them as long as the connection. */
const PREPARED = 256;
/** Requests that wait for a connection at one time. */
const WAITING = 1_000;
/** Tries of work that fails for a passing reason, and milliseconds of the longest pause between two of them. */
const TRIES = 5;
const PAUSE = 50;
/** Milliseconds by which the client waits longer for a statement than the server lets it run. */
const GRACE = 500;
/** The greatest number of milliseconds that a timer takes. */
const ANY_TIME = 2 ** 31 - 1;

/** https://www.postgresql.org/docs/current/catalog-pg-type.html: int8, int2, int4, numeric. Our integers are all safe. */
const NUMBERS: ReadonlySet<number> = new Set([20, 21, 23, 1700]);
const asText = (text: string): string => text;
const types = { getTypeParser: (type: number) => (NUMBERS.has(type) ? Number : asText) };

const numbered = (sql: string): string => {
  let count = 0;
  return sql.replaceAll('?', () => `$${++count}`);
};

/** Converts each text once; the first of them are given names, under which servers keep them prepared. */
const preparer = (): ((sql: string) => { readonly text: string; readonly name?: string }) => {
  const known = new Map<string, { readonly text: string; readonly name: string }>();
  return (sql) => {
    const found = known.get(sql);
    if (found) return found;
    const text = numbered(sql);
    if (known.size >= PREPARED) return { text };
    const made = { text, name: `s${known.size}` };
    known.set(sql, made);
    return made;
  };
};

const over = (client: pg.PoolClient, prepared: ReturnType<typeof preparer>): Connection => ({
  rows: async <R>({ sql, values }: Statement) => {
    const { rows } = await client.query({ ...prepared(sql), values: [...values], rowMode: 'array' });
    return rows as R[];
  },
  exec: async (sql) => (await client.query(sql)).command,
  fetch: async <R>(sql: string) => (await client.query({ text: sql, rowMode: 'array' })).rows as R[],
});

/** Waits for statements that were sent together, all of them, before the first that failed is told. */
export const together = async <const T extends readonly Promise<unknown>[]>(
  sent: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> => {
  await Promise.allSettled(sent);
  return (await Promise.all(sent)) as { -readonly [K in keyof T]: Awaited<T[K]> };
};

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE));

/** @returns the problem that tells of a database which cannot do its work; every other fault stays */
const told = (error: unknown): unknown => (isOutOfService(error) ? unavailable(error) : error);

/**
 * @param url `postgres://…`, with what `pg` understands of parameters
 */
export const openPool = (url: string, { size, timeout, isPatient = false }: PoolOptions): Pool => {
  const prepared = preparer();
  const open = (): pg.Pool => {
    const pool = new pg.Pool({
      connectionString: url,
      fallback_application_name: 'car-dealer-catalogue',
      max: size,
      connectionTimeoutMillis: timeout,
      keepAlive: true,
      // Several statements in one round trip; and one that gets no answer ends its connection, as no other could follow.
      pipeline: true,
      types,
      query_timeout: isPatient ? ANY_TIME : timeout + GRACE,
      statement_timeout: isPatient ? 0 : timeout,
      // An instance that stops in the middle of a write must not keep the others from writing.
      idle_in_transaction_session_timeout: timeout + GRACE,
    });
    // A connection that breaks while nobody uses it is replaced when one is needed; while it is used, its query fails.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  };
  let pool = open();
  let isEnded = false;

  const acquire: Pool['acquire'] = async () => {
    if (isEnded) throw unavailable(new Error('the database is closed'));
    if (pool.waitingCount >= WAITING) throw unavailable(new Error('too many requests wait for a connection'));
    const client = await pool.connect().catch((error: unknown) => {
      throw unavailable(error);
    });
    const release = (isSound: boolean): void => client.release(!isSound || client.getTransactionStatus() !== 'I');
    return { connection: over(client, prepared), release };
  };
  /** Leaves every connection to a server that cannot be written to any more. */
  const startOver = (): void => {
    if (isEnded) return;
    const old = pool;
    pool = open();
    void old.end();
  };
  const once = async <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
    const { connection, release } = await acquire();
    try {
      const result = await work(connection);
      release(true);
      return result;
    } catch (error) {
      release(isReported(error));
      if (isDemoted(error)) startOver();
      throw error;
    }
  };

  return {
    acquire,
    use: async (work, mayRetry = () => true) => {
      const deadline = performance.now() + timeout;
      for (let tries = 1; ; tries++) {
        try {
          return await once(work);
        } catch (error) {
          const isLast = tries === TRIES || performance.now() >= deadline || isEnded;
          if (isLast || !isTransient(error) || !mayRetry()) throw told(error);
          await pause();
        }
      }
    },
    end: async () => {
      if (isEnded) return;
      isEnded = true;
      await pool.end();
    },
  };
};
