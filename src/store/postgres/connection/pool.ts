import { setTimeout as sleep } from 'node:timers/promises';
import { abandoned, unavailable } from '../../../gateway/port/unavailable.ts';
import { type BatchStatement, type Connection, inOwnTransaction, READ_COMMITTED, type Reader } from './connection.ts';
import { type Client, type Connections, type DriverOptions, driverOf } from './driver.ts';
import {
  explained,
  isDemoted,
  isLost,
  isReported,
  isTransient,
  isUnprepared,
  OverloadError,
  toUnavailable,
} from './errors.ts';
import { WAITING } from './limits.ts';
import { statementNames } from './names.ts';
import { serversOf } from './servers.ts';

/** A connection in use until it is released; `isSound: false` closes it. */
export interface AcquiredConnection {
  readonly connection: Connection;
  /** Has the server end the statement that it is working on, if any. */
  readonly cancel: () => Promise<void>;
  /** The first call counts. */
  readonly release: (isSound: boolean) => void;
}

/**
 * Each method works on a connection of its own, and tries again on another one after a transient error. Where a signal is
 * aborted, the server ends the work.
 */
export type Pool = ReturnType<typeof openPool>;

interface WorkOptions {
  /** Whether work that failed may be tried again; by default it may, as reads may. */
  readonly mayRetry?: () => boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface PoolOptions extends DriverOptions {
  /** Logs a line for the operator. */
  readonly report?: ((line: string) => void) | undefined;
}

/** The most tries after transient errors, and the longest pause between two of them in milliseconds. */
const TRIES = 5;
const PAUSE = 50;

/**
 * Milliseconds in which most statements end by themselves, and between two requests: one that arrives between two
 * statements ends neither.
 */
const WAIT_MS = 50;

/** Has the server end work that nobody waits for. */
export const endEarly = async (work: Promise<unknown>, cancel: () => Promise<void>): Promise<void> => {
  const over = work.then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([over, sleep(WAIT_MS, false, { ref: false })]))) await cancel();
};

/**
 * @param url `postgres://…`; of several hosts, one that can be written to is used, and searched for again when it is lost
 */
export const openPool = (url: string, options: PoolOptions) => {
  const { timeout, report = () => {} } = options;
  const names = statementNames();
  const { open, reach, sessions } = driverOf(names, options);
  let isEnded = false;

  /** Replaces every connection. */
  const startOver = (): void => {
    if (isEnded) return;
    const old = connections;
    connections = open(servers.current(), servers.isOne);
    void old.end();
  };
  let servers = serversOf(url, reach, startOver);
  let connections: Connections = open(servers.current(), servers.isOne);

  const acquired = (client: Client): AcquiredConnection => {
    const session = sessions.get(client);
    if (!session) throw new TypeError('a connection that is not open');
    const { connection, prepared, cancel } = session;
    /** Whether all cancels are known to be over. */
    let cancels: Promise<boolean> | undefined;
    let isReleased = false;
    const give = (isSound: boolean): void =>
      client.release(!isSound || client.getTransactionStatus() !== 'I' || prepared?.isFull());
    return {
      connection,
      cancel: async () => {
        const before = cancels;
        cancels = cancel().then(async (isOver) => isOver && ((await before) ?? true));
        await cancels;
      },
      release: (isSound) => {
        if (isReleased) return;
        isReleased = true;
        // Until no cancel can reach whoever has the connection next.
        if (cancels && isSound) void cancels.then(give);
        else give(isSound);
      },
    };
  };
  /** @throws Unavailable where trying again makes no sense */
  const acquire = async (): Promise<AcquiredConnection> => {
    if (isEnded) throw unavailable(new Error('the database is closed'));
    if (!servers.isOne) await servers.find();
    // Nothing may be awaited between this and `connect`, which counts: many requests arrive in one turn.
    if (connections.waitingCount >= WAITING) {
      throw unavailable(new OverloadError('too many requests wait for a connection'));
    }
    const client = await connections.connect().catch((error: unknown) => {
      const told = explained(error);
      throw servers.isOne ? unavailable(told) : told;
    });
    return acquired(client);
  };
  const once = async <T>(
    work: (held: AcquiredConnection) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> => {
    const held = await acquire();
    if (signal?.aborted) {
      held.release(true);
      throw abandoned();
    }
    let working: Promise<T> | undefined;
    const end = (): void => void (working && endEarly(working, held.cancel));
    signal?.addEventListener('abort', end);
    try {
      working = work(held);
      return await working;
    } catch (error) {
      held.release(isReported(error));
      if (isDemoted(error)) startOver();
      if (isUnprepared(error) && names.stop()) {
        report('the pooler in front of PostgreSQL loses prepared statements: none are used any more');
      }
      throw error;
    } finally {
      signal?.removeEventListener('abort', end);
    }
  };
  const hold = async <T>(
    work: (held: AcquiredConnection) => Promise<T>,
    { mayRetry = () => true, signal }: WorkOptions = {},
  ): Promise<T> => {
    const deadline = performance.now() + timeout;
    for (let tries = 1; ; tries++) {
      try {
        return await once(work, signal);
      } catch (error) {
        if (signal?.aborted) throw abandoned();
        const isLast = tries === TRIES || performance.now() >= deadline || isEnded;
        if (isLast || !isTransient(error) || !mayRetry()) throw toUnavailable(error);
        const isSought = isLost(error) && !servers.isOne;
        if (isSought && !isEnded) await servers.seek();
        if (!isSought) await sleep(Math.random() * PAUSE);
      }
    }
  };
  /** @throws Unavailable where the database cannot do it, within the time limit */
  const use = <T>(work: (connection: Connection) => Promise<T>, options?: WorkOptions): Promise<T> =>
    hold(async ({ connection, release }) => {
      const result = await work(connection);
      release(true);
      return result;
    }, options);

  return {
    use,
    /** For statements that need no common transaction. */
    read: <T>(work: (reader: Reader) => Promise<T>, signal?: AbortSignal): Promise<T> =>
      use((connection) => work(inOwnTransaction(connection)), { signal }),
    /** One statement in a transaction of its own. @returns the rows that it reads */
    write: <R>(statement: BatchStatement, options?: WorkOptions): Promise<R[]> =>
      use((connection) => inOwnTransaction(connection, READ_COMMITTED).rows<R>(statement), options),
    /** The work must release the connection, at any time; where it fails, the pool does. */
    hold: <T>(work: (held: AcquiredConnection) => Promise<T>, signal?: AbortSignal): Promise<T> =>
      hold(work, { signal }),
    /** The same, with other credentials. */
    changeUrl: (changed: string): void => {
      servers = serversOf(changed, reach, startOver);
      startOver();
    },
    /** Waits for the work in progress, then closes every connection. */
    end: async (): Promise<void> => {
      if (isEnded) return;
      isEnded = true;
      await connections.end();
    },
  };
};
