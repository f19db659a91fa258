import type { TakeQuota } from '../clients.ts';
import { createQuota, forget, granted, takeQuota } from '../sql/system/quota.ts';
import { isDuplicate } from './connection/errors.ts';
import type { Pool } from './connection/pool.ts';

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
      await pool.write(forget(last));
    }
    const [[used] = [wanted.quota]] = await pool.write<[number]>(takeQuota(wanted));
    return granted(used, wanted);
  };
};
