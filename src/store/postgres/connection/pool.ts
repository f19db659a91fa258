import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { abandoned, unavailable } from '../../../gateway/port/unavailable.ts';
import { migrations } from '../../sql/system-tables.ts';
import {
  type BatchStatement,
  type Connection,
  connectionOf,
  inOwnTransaction,
  limitSession,
  READ_COMMITTED,
  type Reader,
  types,
} from './connection.ts';
import { explained, isDemoted, isReported, isTransient, OverloadError, toUnavailable } from './errors.ts';
import { WAITING } from './limits.ts';
import type { Prepare } from './options.ts';
import { Statements } from './statements.ts';

/** A connection in use until it is released; `isSound: false` closes it. */
export interface AcquiredConnection {
  readonly connection: Connection;
  /** Closes it at once, so that all that waits for a response fails. */
  readonly destroy: () => void;
  /** The first call counts. */
  readonly release: (isSound: boolean) => void;
}

interface WorkOptions {
  /** Whether work that failed may be tried again; by default it may, as reads may. */
  readonly mayRetry?: () => boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface PoolOptions {
  readonly size: number;
  /** Milliseconds for a connection, and for each statement. */
  readonly timeout: number;
  /** Milliseconds for each statement in place of `timeout`; with 0 there is no limit, neither for what comes between them. */
  readonly patience?: number;
  /** `off` behind a pooler in transaction mode; by default `on`. */
  readonly prepare?: Prepare | undefined;
}

/** What sessions are called. Those of earlier versions have the name without the version of the schema (see `../schema/inspect.ts`). */
const NAME = `car-dealer-catalogue ${migrations.length}`;
/** Milliseconds that the client waits after the server's own time limit for a statement. */
const GRACE = 500;
/** The greatest number of milliseconds for a timer. */
const ANY_TIME = 2 ** 31 - 1;

/** The most tries after transient errors, and the longest pause between two of them in milliseconds. */
const TRIES = 5;
const PAUSE = 50;

/** Milliseconds in which most statements end by themselves. */
const WAIT_MS = 50;
/** Milliseconds after which the server notices that the client of a statement has closed its connection. */
const NOTICE_MS = 100;

/** Closes the connection of work that nobody waits for, so that the server ends its statement, unless it is over at once. */
export async function endEarly(work: Promise<unknown>, { destroy }: AcquiredConnection): Promise<void> {
  const over = work.then(
    () => true,
    () => true,
  );
  if (!(await Promise.race([over, sleep(WAIT_MS, false, { ref: false })]))) destroy();
}

/**
 * Each method works on a connection of its own, and tries again on another one after a transient error. If a signal is aborted,
 * the connection is closed, and the server ends the work.
 */
export class Pool {
  #url: string;
  readonly #options: PoolOptions;
  readonly #statements: Statements;
  readonly #limits: { readonly statement: number; readonly idle: number };
  /** Whether a session is ours alone. In transaction mode of a pooler others use it. */
  readonly #isOwn: boolean;
  #clients: pg.Pool;
  #isEnded = false;

  /** @param url `postgres://…`, as `pg` reads it */
  constructor(url: string, options: PoolOptions) {
    const { timeout, patience = timeout, prepare = 'on' } = options;
    this.#url = url;
    this.#options = options;
    this.#isOwn = prepare === 'on';
    this.#statements = new Statements(this.#isOwn);
    this.#limits = { statement: patience, idle: patience === 0 ? 0 : timeout + GRACE };
    this.#clients = this.#open();
  }

  /** @throws Unavailable if the database cannot do it, within the time limit */
  use<T>(work: (connection: Connection) => Promise<T>, options?: WorkOptions): Promise<T> {
    return this.#hold(async ({ connection, release }) => {
      const result = await work(connection);
      release(true);
      return result;
    }, options);
  }

  /** For statements that need no common transaction. */
  read<T>(work: (reader: Reader) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.use((connection) => work(inOwnTransaction(connection)), { signal });
  }

  /** One statement in a transaction of its own. @returns the rows that it reads */
  write<R>(statement: BatchStatement, options?: WorkOptions): Promise<R[]> {
    return this.use((connection) => inOwnTransaction(connection, READ_COMMITTED).rows<R>(statement), options);
  }

  /** The work must release the connection, at any time; if it fails, the pool does. */
  hold<T>(work: (held: AcquiredConnection) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#hold(work, { signal });
  }

  /** The same database, with other credentials. */
  changeUrl(url: string): void {
    this.#url = url;
    this.#startOver();
  }

  /** Waits for the work in progress, then closes every connection. */
  async end(): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    await this.#clients.end();
  }

  #open(): pg.Pool {
    const { size, timeout, patience = timeout } = this.#options;
    const clients = new pg.Pool({
      connectionString: this.#url,
      fallback_application_name: NAME,
      max: size,
      connectionTimeoutMillis: timeout,
      keepAlive: true,
      // Several statements share a round trip. One without a response ends its connection, as no other could follow.
      pipeline: true,
      types,
      query_timeout: patience === 0 ? ANY_TIME : patience + GRACE,
      onConnect: (client) => this.#greet(client),
    });
    // An idle connection that breaks is replaced when one is needed; a busy one fails its query.
    clients.on('error', () => {});
    clients.on('connect', (client) => client.on('error', () => {}));
    return clients;
  }

  async #greet(client: pg.ClientBase): Promise<void> {
    if (!this.#isOwn) return;
    // PostgreSQL < 14, and servers on Windows, refuse this: there the time limit ends a statement whose client has gone.
    const noticing = client.query(`SET client_connection_check_interval = ${NOTICE_MS}`).catch(() => {});
    await Promise.all([client.query(limitSession(this.#limits)), noticing]);
  }

  /** Replaces every connection. */
  #startOver(): void {
    if (this.#isEnded) return;
    const old = this.#clients;
    this.#clients = this.#open();
    void old.end();
  }

  /** @throws Unavailable if trying again makes no sense */
  async #acquire(): Promise<AcquiredConnection> {
    if (this.#isEnded) throw unavailable(new Error('the database is closed'));
    // Nothing may be awaited between this and `connect`, which counts: many requests arrive in one turn.
    if (this.#clients.waitingCount >= WAITING) {
      throw unavailable(new OverloadError('too many requests wait for a connection'));
    }
    const client = await this.#clients.connect().catch((error: unknown) => {
      throw unavailable(explained(error));
    });
    let isReleased = false;
    return {
      connection: connectionOf(client, {
        statements: this.#statements,
        limits: this.#limits,
        isLimited: this.#isOwn,
      }),
      // `client.end` would wait for the responses to all that was sent.
      destroy: () => void (isReleased || client.connection.stream.destroy()),
      release: (isSound) => {
        if (isReleased) return;
        isReleased = true;
        client.release(!isSound || client.getTransactionStatus() !== 'I');
      },
    };
  }

  async #once<T>(work: (held: AcquiredConnection) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const held = await this.#acquire();
    if (signal?.aborted) {
      held.release(true);
      throw abandoned();
    }
    let working: Promise<T> | undefined;
    const end = (): void => void (working && endEarly(working, held));
    signal?.addEventListener('abort', end);
    try {
      working = work(held);
      return await working;
    } catch (error) {
      held.release(isReported(error));
      // Its address may lead to another server by now.
      if (isDemoted(error)) this.#startOver();
      throw error;
    } finally {
      signal?.removeEventListener('abort', end);
    }
  }

  async #hold<T>(
    work: (held: AcquiredConnection) => Promise<T>,
    { mayRetry = () => true, signal }: WorkOptions = {},
  ): Promise<T> {
    const deadline = performance.now() + this.#options.timeout;
    for (let tries = 1; ; tries++) {
      try {
        return await this.#once(work, signal);
      } catch (error) {
        if (signal?.aborted) throw abandoned();
        const isLast = tries === TRIES || performance.now() >= deadline || this.#isEnded;
        if (isLast || !isTransient(error) || !mayRetry()) throw toUnavailable(error);
        await sleep(Math.random() * PAUSE);
      }
    }
  }
}
