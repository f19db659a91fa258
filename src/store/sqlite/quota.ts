import type { QuotaRequest } from '../clients.ts';
import { sqlite } from '../sql/dialects.ts';
import { createQuota, forget, granted, takeQuota } from '../sql/system/quota.ts';
import { type Connection, connect, withErrorMapping } from './connection/connection.ts';

/** Milliseconds to wait for another process, which has the lock for some hundredths of one. */
const BUSY_TIMEOUT = 50;

/**
 * In a file of its own, which is made when it is first needed: counting must neither wait for writes of the catalogue, nor
 * make its kept rows look old.
 */
export const sqliteQuota = (location: string) => {
  let connection: Connection | undefined;
  let last = 0;
  const open = (): Connection => {
    const opened = connect(location);
    try {
      // What is lost is counted anew.
      opened.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}; PRAGMA synchronous = OFF`);
      opened.exec(createQuota(sqlite));
    } catch (error) {
      opened.close();
      throw error;
    }
    connection = opened;
    return opened;
  };
  return {
    take: (wanted: QuotaRequest) =>
      withErrorMapping(() => {
        const { row, rows } = connection ?? open();
        if (wanted.window > last) {
          last = wanted.window;
          rows(forget(last));
        }
        const { sql, values } = takeQuota(wanted);
        return granted(row<[number]>(sql, values)?.[0] ?? wanted.quota, wanted);
      }),
    close: (): void => {
      connection?.close();
      connection = undefined;
    },
  };
};
