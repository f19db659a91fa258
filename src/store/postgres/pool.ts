import pg from 'pg';
import { unavailable } from '../unavailable.ts';
import { alone, type Connection, type Kept, keeping, over, type Reader } from './connection.ts';
import { isDemoted, isOutOfService, isReported, isTransient, isUnprepared } from './errors.ts';
import { statementNames } from './names.ts';
import type { Prepare } from './options.ts';

/** A connection that is kept until it is released; `isSound: false` closes it. */
interface Held {
  readonly connection: Connection;
  readonly release: (isSound: boolean) => void;
}

/** Each does work on a connection of its own, and again on another one where that failed for a passing reason. */
export interface Pool {
  /**
   * @param mayRetry asked after a failure; by default yes, as for reads
   * @throws Unavailable where the database cannot do it, within the time limit
   */
  readonly use: <T>(work: (connection: Connection) => Promise<T>, mayRetry?: () => boolean) => Promise<T>;
  /** Reads by statements that need no common transaction. */
  readonly read: <T>(work: (reader: Reader) => Promise<T>) => Promise<T>;
  /** The work releases its connection, when it likes, unless it fails. */
  readonly hold: <T>(work: (held: Held) => Promise<T>) => Promise<T>;
  /** Waits for what is being done, then closes every connection. */
  readonly end: () => Promise<void>;
}

export interface PoolOptions {
  readonly size: number;
  /** Milliseconds for a connection, and for each statement. */
  readonly timeout: number;
  /** Whether statements may take any time, as changes of the schema do. */
  readonly isPatient?: boolean;
  readonly prepare?: Prepare | undefined;
  /** Told in a line what an operator should know. */
  readonly report?: ((line: string) => void) | undefined;
}

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

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE));

/** @returns the problem that tells of a database which cannot do its work; every other fault stays */
const toUnavailable = (error: unknown): unknown => (isOutOfService(error) ? unavailable(error) : error);

/** @returns whether a pooler stands in between: it makes up the number that a server tells of its process */
const isPooled = async (client: pg.ClientBase): Promise<boolean> => {
  const { rows } = await client.query<[number]>({ text: 'SELECT pg_backend_pid()', rowMode: 'array' });
  return !('processID' in client) || client.processID !== rows[0]?.[0];
};

/**
 * @param url `postgres://…`, with what `pg` understands of parameters
 */
export const openPool = (
  url: string,
  { size, timeout, isPatient = false, prepare = 'auto', report = () => {} }: PoolOptions,
): Pool => {
  const names = statementNames();
  const kept = new WeakMap<pg.ClientBase, Kept>();
  const limits = isPatient ? { statement: 0, idle: 0 } : { statement: timeout, idle: timeout + GRACE };
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
      onConnect: async (client) => {
        if (prepare === 'on' || (prepare === 'auto' && !(await isPooled(client)))) kept.set(client, keeping());
      },
    });
    // A connection that breaks while nobody uses it is replaced when one is needed; while it is used, its query fails.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  };
  let pool = open();
  let isEnded = false;

  const acquire = async (): Promise<Held> => {
    if (isEnded) throw unavailable(new Error('the database is closed'));
    if (pool.waitingCount >= WAITING) throw unavailable(new Error('too many requests wait for a connection'));
    const client = await pool.connect().catch((error: unknown) => {
      throw unavailable(error);
    });
    const own = kept.get(client);
    const release = (isSound: boolean): void =>
      client.release(!isSound || client.getTransactionStatus() !== 'I' || own?.isFull());
    return { connection: over(client, names, own, limits), release };
  };
  /** Leaves every connection to a server that cannot be written to any more. */
  const startOver = (): void => {
    if (isEnded) return;
    const old = pool;
    pool = open();
    void old.end();
  };
  const once = async <T>(work: (held: Held) => Promise<T>): Promise<T> => {
    const { connection, release } = await acquire();
    let isReleased = false;
    const releaseOnce = (isSound: boolean): void => {
      if (!isReleased) release(isSound);
      isReleased = true;
    };
    try {
      return await work({ connection, release: releaseOnce });
    } catch (error) {
      releaseOnce(isReported(error));
      if (isDemoted(error)) startOver();
      if (isUnprepared(error) && names.stop()) {
        report('the pooler in front of PostgreSQL loses prepared statements: none are used any more');
      }
      throw error;
    }
  };
  const hold = async <T>(work: (held: Held) => Promise<T>, mayRetry: () => boolean = () => true): Promise<T> => {
    const deadline = performance.now() + timeout;
    for (let tries = 1; ; tries++) {
      try {
        return await once(work);
      } catch (error) {
        const isLast = tries === TRIES || performance.now() >= deadline || isEnded;
        if (isLast || !isTransient(error) || !mayRetry()) throw toUnavailable(error);
        await pause();
      }
    }
  };
  const use: Pool['use'] = (work, mayRetry) =>
    hold(async ({ connection, release }) => {
      const result = await work(connection);
      release(true);
      return result;
    }, mayRetry);

  return {
    use,
    read: (work) => use((connection) => work(alone(connection))),
    hold: (work) => hold(work),
    end: async () => {
      if (isEnded) return;
      isEnded = true;
      await pool.end();
    },
  };
};
