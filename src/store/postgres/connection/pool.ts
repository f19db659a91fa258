import { abandoned } from '../../../gateway/port/unavailable.ts';
import { untilAborted } from './cancel.ts';
import { type Connection, inOwnTransaction, type Reader } from './connection.ts';
import { type AcquiredConnection, type DriverOptions, openDriver } from './driver.ts';
import { isDemoted, isLost, isReported, isTransient, isUnprepared, toUnavailable } from './errors.ts';
import { statementNames } from './names.ts';

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

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE));

/**
 * @param url `postgres://…`; of several hosts, one that can be written to is used, and searched for again when it is lost
 */
export const openPool = (url: string, options: PoolOptions) => {
  const { timeout, report = () => {} } = options;
  const names = statementNames();
  const driver = openDriver(url, names, options);
  let isEnded = false;

  const once = async <T>(
    work: (held: AcquiredConnection) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> => {
    const { connection, release, cancel } = await driver.acquire();
    if (signal?.aborted) {
      release(true);
      throw abandoned();
    }
    let isReleased = false;
    const releaseOnce = (isSound: boolean): void => {
      if (!isReleased) release(isSound);
      isReleased = true;
    };
    try {
      return await untilAborted(work({ connection, release: releaseOnce, cancel }), cancel, signal);
    } catch (error) {
      releaseOnce(isReported(error));
      if (isDemoted(error)) driver.startOver();
      if (isUnprepared(error) && names.stop()) {
        report('the pooler in front of PostgreSQL loses prepared statements: none are used any more');
      }
      throw error;
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
        const isSought = isLost(error) && (await driver.seek());
        if (!isSought) await pause();
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
    /** The work must release the connection, at any time; where it fails, the pool does. */
    hold: <T>(work: (held: AcquiredConnection) => Promise<T>, signal?: AbortSignal): Promise<T> =>
      hold(work, { signal }),
    changeUrl: driver.changeUrl,
    /** Waits for the work in progress, then closes every connection. */
    end: (): Promise<void> => {
      isEnded = true;
      return driver.end();
    },
  };
};
