import type { QuotaRequest, TakeQuota } from '../../clients.ts';
import { quote, type Statement, statement } from '../statement.ts';

/** What clients have asked for, each in the last window in which it did. It may be lost: it is made when it is first needed. */
const table = quote('_limits');

/** @param kind `UNLOGGED` where nothing of it needs to reach a disk */
export const createQuota = (kind: '' | 'UNLOGGED'): string =>
  `CREATE ${kind} TABLE IF NOT EXISTS ${table} ("client" TEXT NOT NULL PRIMARY KEY, "window" BIGINT NOT NULL, "used" BIGINT NOT NULL)`;

const isLater = `excluded."window" > ${table}."window"`;

const TAKE = `INSERT INTO ${table} ("client", "window", "used") VALUES (?, ?, ?) ON CONFLICT ("client") DO UPDATE SET "used" = CASE WHEN ${isLater} THEN excluded."used" ELSE ${table}."used" + excluded."used" END, "window" = CASE WHEN ${isLater} THEN excluded."window" ELSE ${table}."window" END RETURNING "used"`;

/** Clocks differ, so that a window may begin again for a process that is late: it is counted with the later one. */
export const takeQuota = ({ client, window, count }: QuotaRequest): Statement =>
  statement(TAKE, [client, window, count]);

/** @param used as `takeQuota` returns it */
export const granted = (used: number, { count, quota }: QuotaRequest): Awaited<ReturnType<TakeQuota>> => ({
  granted: Math.max(0, Math.min(count, quota - used + count)),
  left: Math.max(0, quota - used),
});

/** Forgets clients that have asked for nothing in this window. */
export const forget = (window: number): Statement => statement(`DELETE FROM ${table} WHERE "window" < ?`, [window]);
