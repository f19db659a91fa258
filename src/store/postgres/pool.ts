import { unavailable } from '../unavailable.ts';
import { alone, type Connection, type Reader } from './connection.ts';
import { type DriverOptions, type Held, openDriver } from './driver.ts';
import { isDemoted, isLost, isOutOfService, isReported, isTransient, isUnprepared } from './errors.ts';
import { statementNames } from './names.ts';

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

export interface PoolOptions extends DriverOptions {
  /** Told in a line what an operator should know. */
  readonly report?: ((line: string) => void) | undefined;
}

/** Tries of work that fails for a passing reason, and milliseconds of the longest pause between two of them. */
const TRIES = 5;
const PAUSE = 50;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE));

/** @returns the problem that tells of a database which cannot do its work; every other fault stays */
const toUnavailable = (error: unknown): unknown => (isOutOfService(error) ? unavailable(error) : error);

/**
 * @param url `postgres://…`; of several hosts the one that may be written to is used, and looked for again when it is lost
 */
export const openPool = (url: string, options: PoolOptions): Pool => {
  const { timeout, report = () => {} } = options;
  const names = statementNames();
  const driver = openDriver(url, names, options);
  let isEnded = false;

  const once = async <T>(work: (held: Held) => Promise<T>): Promise<T> => {
    const { connection, release } = await driver.acquire();
    let isReleased = false;
    const releaseOnce = (isSound: boolean): void => {
      if (!isReleased) release(isSound);
      isReleased = true;
    };
    try {
      return await work({ connection, release: releaseOnce });
    } catch (error) {
      releaseOnce(isReported(error));
      if (isDemoted(error)) driver.startOver();
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
        const isSought = isLost(error) && (await driver.seek());
        if (!isSought) await pause();
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
    end: () => {
      isEnded = true;
      return driver.end();
    },
  };
};
