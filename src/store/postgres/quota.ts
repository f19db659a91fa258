import type { TakeQuota } from '../clients.ts';
import { createQuota, forget, granted, takeQuota } from '../sql/system/quota.ts';
import { type BatchStatement, type Connection, settleAll } from './connection/connection.ts';
import { isDuplicate } from './connection/errors.ts';
import type { Pool } from './connection/pool.ts';

const inOwnTransaction = async (connection: Connection, statement: BatchStatement): Promise<readonly [number][]> => {
  const [, rows] = await settleAll([
    connection.begin('ISOLATION LEVEL READ COMMITTED'),
    connection.rows<[number]>(statement),
    connection.exec('COMMIT'),
  ]);
  return rows;
};

/** Instances that make the table at the same time may be told that another one has. */
const create = (pool: Pool): Promise<unknown> =>
  pool
    .use((connection) => connection.exec(createQuota('UNLOGGED')))
    .catch((error: unknown) => {
      if (!isDuplicate(error)) throw error;
    });

export const postgresQuota = (pool: Pool): TakeQuota => {
  let created: Promise<unknown> | undefined;
  let last = 0;
  return async (wanted) => {
    created ??= create(pool).catch((error: unknown) => {
      created = undefined;
      throw error;
    });
    await created;
    if (wanted.window > last) {
      last = wanted.window;
      await pool.use((connection) => inOwnTransaction(connection, forget(last)));
    }
    const [[used] = [wanted.quota]] = await pool.use((connection) => inOwnTransaction(connection, takeQuota(wanted)));
    return granted(used, wanted);
  };
};
