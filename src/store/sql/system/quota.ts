import type { QuotaRequest, TakeQuota } from '../../clients.ts';
import type { Dialect } from '../dialects.ts';
import { quote, type Statement, statement } from '../statement.ts';

/** The requests of each client in its latest window. Its rows may be lost. */
export const QUOTA = '_limits';
const table = quote(QUOTA);

/** @param kind `UNLOGGED` where it need not be durable */
export const createQuota = ({ types: { TEXT, INTEGER } }: Dialect, kind: '' | 'UNLOGGED' = ''): string =>
  `CREATE ${kind} TABLE IF NOT EXISTS ${table} ("client" ${TEXT} NOT NULL PRIMARY KEY, "window" ${INTEGER} NOT NULL, "used" ${INTEGER} NOT NULL)`;

const isLater = `excluded."window" > ${table}."window"`;

const TAKE = `INSERT INTO ${table} ("client", "window", "used") VALUES (?, ?, ?) ON CONFLICT ("client") DO UPDATE SET "used" = CASE WHEN ${isLater} THEN excluded."used" ELSE ${table}."used" + excluded."used" END, "window" = CASE WHEN ${isLater} THEN excluded."window" ELSE ${table}."window" END RETURNING "used"`;

/** Clocks differ: a request of a process that is still in an earlier window counts in the later one. */
export const takeQuota = ({ client, window, count }: QuotaRequest): Statement =>
  statement(TAKE, [client, window, count]);

/** @param used as `takeQuota` returns it */
export const granted = (used: number, { count, quota }: QuotaRequest): Awaited<ReturnType<TakeQuota>> => ({
  granted: Math.max(0, Math.min(count, quota - used + count)),
  left: Math.max(0, quota - used),
});

/** Deletes clients without requests in this window. */
export const forget = (window: number): Statement => statement(`DELETE FROM ${table} WHERE "window" < ?`, [window]);
