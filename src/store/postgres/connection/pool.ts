import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Cell } from '../../../gateway/model/field.ts';
import { abandoned, unavailable } from '../../../gateway/port/unavailable.ts';
import { migrations } from '../../sql/system-tables.ts';
import { explain, isDemoted, isReported, isTransient, toUnavailable } from './errors.ts';

/** A statement whose values may be whole columns, so that its SQL is the same for any number of rows. */
export interface BatchStatement {
  readonly sql: string;
  readonly values: readonly (Cell | readonly Cell[])[];
}

/** https://www.postgresql.org/docs/current/catalog-pg-type.html: int8, int2, int4, numeric. Our integers are all safe. */
const NUMBERS: ReadonlySet<number> = new Set([20, 21, 23, 1700]);
const types = { getTypeParser: (type: number) => (NUMBERS.has(type) ? Number : String) };

/** The most statements that are remembered, and the uses after which one gets a name: most filters never recur. */
const REMEMBERED = 1_000;
const RECURRING = 3;
/** The most names, because a connection keeps what it has prepared for as long as it lives. */
const NAMES = 256;

interface Prepared {
  readonly text: string;
  uses: number;
  name?: string;
}

/** Numbers the values of each statement once, and names those that recur, so that the server parses and plans them once. */
export class Statements {
  readonly #mayName: boolean;
  readonly #known = new Map<string, Prepared>();
  #names = 0;

  constructor(mayName: boolean) {
    this.#mayName = mayName;
  }

  prepare(sql: string): Readonly<Prepared> {
    let values = 0;
    const statement = this.#known.get(sql) ?? { text: sql.replaceAll('?', () => `$${++values}`), uses: 0 };
    this.#known.set(sql, statement);
    statement.uses += 1;
    if (this.#mayName && statement.uses === RECURRING && this.#names < NAMES) {
      // A hash, so that a name never stands for other SQL where clients of a pooler share prepared statements.
      statement.name = `s_${createHash('sha256').update(statement.text).digest('base64url')}`;
      this.#names += 1;
    }
    if (this.#known.size > NAMES + REMEMBERED) {
      for (const [text, { name }] of this.#known) if (name === undefined) this.#known.delete(text);
    }
    return statement;
  }
}

/** Connections keep plans: one of a small table would read all of a large one. The cost of disabled nodes triggers JIT in PostgreSQL < 18. */
const PLANNING = ['enable_seqscan = off', 'jit = off'];

interface Session {
  readonly statements: Statements;
  readonly settings: readonly string[];
  /** Milliseconds to wait for the next statement of a transaction; 0 for no limit. */
  readonly idle: number;
  /** Whether the session has the settings. In transaction mode of a pooler they would apply to other clients: there each transaction has its own. */
  readonly isLimited: boolean;
}

function setIdleLimit(milliseconds: number): string {
  return `idle_in_transaction_session_timeout = ${milliseconds}`;
}

/** Milliseconds in which most statements end by themselves. */
const WAIT_MS = 50;

/** Statements are sent at once and run in order: those sent without waiting in between share one round trip. */
export class Connection {
  readonly #client: pg.PoolClient;
  readonly #session: Session;
  #isReleased = false;

  constructor(client: pg.PoolClient, session: Session) {
    this.#client = client;
    this.#session = session;
  }

  /** Begins a transaction. @param idle milliseconds to wait for its next statement, by default a little more than one may take */
  async begin(mode = 'READ COMMITTED', idle = this.#session.idle): Promise<void> {
    const { settings, isLimited } = this.#session;
    const local = isLimited ? [] : settings;
    const limit = isLimited && idle === this.#session.idle ? [] : [setIdleLimit(idle)];
    await this.#send([`BEGIN ISOLATION LEVEL ${mode}`, ...local, ...limit].join('; SET LOCAL '));
  }

  async rows<R>({ sql, values }: BatchStatement): Promise<R[]> {
    const { text, name } = this.#session.statements.prepare(sql);
    return (await this.#send(text, [...values], name)).rows as R[];
  }

  /** Runs a statement in a transaction of its own, in one round trip. */
  async rowsAlone<R>(statement: BatchStatement): Promise<R[]> {
    if (this.#session.isLimited) return this.rows(statement);
    return (await settleAll([this.begin(), this.rows<R>(statement), this.exec('COMMIT')]))[1];
  }

  /** Runs SQL without values, which is not prepared. */
  async fetch<R>(sql: string): Promise<R[]> {
    return (await this.#send(sql)).rows as R[];
  }

  /** @returns the command tag, such as `COMMIT` or `ROLLBACK` */
  async exec(sql: string): Promise<string> {
    return (await this.#send(sql)).command;
  }

  /** Closes the connection of work that nobody waits for, so that the server ends its statement, unless it is released soon. */
  abandon(): void {
    // `client.end` would wait for the responses to all that was sent.
    setTimeout(() => this.#isReleased || this.#client.connection.stream.destroy(), WAIT_MS).unref();
  }

  /** @param isSound whether others may use it; else it is closed */
  release(isSound: boolean): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#client.release(!isSound || this.#client.getTransactionStatus() !== 'I');
  }

  #send(text: string, values: unknown[] = [], name = ''): Promise<pg.QueryArrayResult> {
    return this.#client.query({ text, values, name, rowMode: 'array' });
  }
}

/** Waits until all statements have ended, and only then throws the first error. */
export async function settleAll<const T extends readonly unknown[]>(
  results: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(results);
  return (await Promise.all(results)) as { -readonly [K in keyof T]: Awaited<T[K]> };
}

/** Reads what a statement selects within a transaction, in chunks: each is requested while the one before it is used. */
export async function* readChunks<R>(
  connection: Connection,
  { sql, values }: BatchStatement,
  size: number,
): AsyncGenerator<readonly R[], undefined> {
  const fetch = (): Promise<R[]> => connection.fetch<R>(`FETCH ${size} FROM "chunks"`);
  const declaration = { sql: `DECLARE "chunks" NO SCROLL CURSOR FOR ${sql}`, values };
  let [, rows] = await settleAll([connection.rows(declaration), fetch()]);
  while (rows.length === size) {
    const next = fetch();
    // An error is thrown where the chunk is awaited.
    next.catch(() => {});
    yield rows;
    rows = await next;
  }
  if (rows.length > 0) yield rows;
  await connection.exec('CLOSE "chunks"');
}

interface WorkOptions {
  /** Whether work that failed may be tried again; by default it may, as reads may. */
  readonly mayRetry?: () => boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface PoolOptions {
  readonly size: number;
  /** Milliseconds to wait for a connection, and for each statement. */
  readonly timeout: number;
  /** Milliseconds for each statement in place of `timeout`; with 0 there is no limit, neither for what comes between them. */
  readonly patience?: number;
  readonly prepare?: 'on' | 'off' | undefined;
}

/** Sessions of earlier versions have the name without the version of the schema (see `../schema/schema.ts`). */
const NAME = `car-dealer-catalogue ${migrations.length}`;
/** The most requests that wait for a connection. */
export const WAITING = 1_000;
/** Milliseconds that the client waits after the server's own time limit for a statement. */
const GRACE = 500;
/** The most tries after transient errors, and the longest pause between two of them in milliseconds. */
const TRIES = 5;
const PAUSE = 50;
/** Milliseconds after which the server notices that the client of a statement has closed its connection. */
const NOTICE_MS = 100;

/** Each method works on a connection of its own, and tries again on another one after a transient error. */
export class Pool {
  readonly #options: PoolOptions;
  readonly #session: Session;
  readonly #url: string;
  #clients: pg.Pool;
  #isEnded = false;

  constructor(url: string, options: PoolOptions) {
    const { timeout, patience = timeout, prepare = 'on' } = options;
    const isLimited = prepare === 'on';
    const idle = patience === 0 ? 0 : timeout + GRACE;
    const settings = [`statement_timeout = ${patience}`, ...PLANNING];
    this.#options = options;
    this.#session = { statements: new Statements(isLimited), settings, idle, isLimited };
    this.#url = url;
    this.#clients = this.#open();
  }

  /** The work must release the connection, at any time; if it fails, the pool does. */
  async hold<T>(
    work: (connection: Connection) => Promise<T>,
    { mayRetry = () => true, signal }: WorkOptions = {},
  ): Promise<T> {
    const deadline = performance.now() + this.#options.timeout;
    for (let tries = 1; ; tries++) {
      const connection = await this.#acquire(signal);
      try {
        return await work(connection);
      } catch (error) {
        connection.release(isReported(error));
        // The server's address may lead to another server by now.
        if (isDemoted(error)) this.#startOver();
        if (signal?.aborted) throw abandoned();
        const isLast = tries === TRIES || performance.now() >= deadline || this.#isEnded;
        if (isLast || !isTransient(error) || !mayRetry()) throw toUnavailable(error);
      }
      await sleep(Math.random() * PAUSE);
    }
  }

  use<T>(work: (connection: Connection) => Promise<T>, options?: WorkOptions): Promise<T> {
    return this.hold(async (connection) => {
      const result = await work(connection);
      connection.release(true);
      return result;
    }, options);
  }

  rows<R>(statement: BatchStatement, options?: WorkOptions): Promise<R[]> {
    return this.use((connection) => connection.rowsAlone<R>(statement), options);
  }

  async end(): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    await this.#clients.end();
  }

  #open(): pg.Pool {
    const { size, timeout, patience = timeout } = this.#options;
    const { settings, idle, isLimited } = this.#session;
    const isolation = "default_transaction_isolation = 'read committed'";
    const limitSession = [...settings, setIdleLimit(idle), isolation].map((setting) => `SET ${setting}`).join('; ');
    const clients = new pg.Pool({
      connectionString: this.#url,
      fallback_application_name: NAME,
      max: size,
      connectionTimeoutMillis: timeout,
      keepAlive: true,
      // Several statements share a round trip. One without a response ends its connection, as no other could follow.
      pipeline: true,
      types,
      query_timeout: patience === 0 ? 0 : patience + GRACE,
      onConnect: async (client) => {
        if (!isLimited) return;
        // PostgreSQL < 14, and servers on Windows, refuse this: there the time limit ends a statement whose client has gone.
        const noticing = client.query(`SET client_connection_check_interval = ${NOTICE_MS}`).catch(() => {});
        await Promise.all([client.query(limitSession), noticing]);
      },
    });
    // An idle connection that breaks is replaced when one is needed; a busy one fails its query.
    clients.on('error', () => {});
    clients.on('connect', (client) => client.on('error', () => {}));
    return clients;
  }

  #startOver(): void {
    if (this.#isEnded) return;
    const clients = this.#clients;
    this.#clients = this.#open();
    void clients.end();
  }

  async #acquire(signal: AbortSignal | undefined): Promise<Connection> {
    if (this.#isEnded) throw unavailable(new Error('the database is closed'));
    // Nothing may be awaited between this and `connect`, which counts: many requests arrive in one turn.
    if (this.#clients.waitingCount >= WAITING) throw unavailable(new Error('too many requests wait for a connection'));
    const client = await this.#clients.connect().catch((error: unknown) => {
      throw signal?.aborted ? abandoned() : unavailable(explain(error));
    });
    const connection = new Connection(client, this.#session);
    if (signal?.aborted) {
      connection.release(true);
      throw abandoned();
    }
    signal?.addEventListener('abort', () => connection.abandon(), { once: true });
    return connection;
  }
}
