import type { TakeQuota } from '../clients.ts';
import { forget, granted, takeQuota } from '../sql/system/quota.ts';
import type { Pool } from './connection/pool.ts';

export const postgresQuota = ({ write }: Pool): TakeQuota => {
  let last = 0;
  return async (wanted) => {
    if (wanted.window > last) {
      last = wanted.window;
      await write(forget(last));
    }
    const [[used] = [wanted.quota]] = await write<[number]>(takeQuota(wanted));
    return granted(used, wanted);
  };
};
