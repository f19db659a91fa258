import type { Catalogue } from '../../../gateway/model/catalogue.ts';
import type { Cell } from '../../../gateway/model/field.ts';
import type { Caller, Found, Row } from '../../../gateway/port/port.ts';
import { andThen, type MaybePromise } from '../../../util/maybe-promise.ts';
import type { ReadOptions } from '../../read-options.ts';
import { sqlite } from '../../sql/dialects.ts';
import { foundWithNested, type SqlOf } from '../../sql/items.ts';
import { type ItemPlan, type ListPlan, plannerOf, type SqlPlan, sqlOfAll } from '../../sql/lists/read-plan.ts';
import { withNext } from '../../sql/lists/window.ts';
import { sqliteSearch } from '../../sql/search.ts';
import type { Store } from '../../store.ts';
import { type Connection, inSnapshot } from '../connection/connection.ts';
import { INTERRUPTIBLE } from '../connection/interrupt.ts';
import { keptPages } from './kept-pages.ts';
import type { LongReads } from './long-reads.ts';
import { numberOf, resolve, summarize } from './snapshots.ts';

const SQL = { dialect: sqlite, searchIn: sqliteSearch, first: INTERRUPTIBLE } as const;
/** The most rows that a list without an index reads on the event loop. */
const SMALL = 2_000;

interface Readers {
  /** The store's own connection. */
  readonly main: Connection;
  readonly catalogue: Catalogue;
  readonly sql: SqlOf;
  /** A statement whose result differs after every commit. */
  readonly version: string;
  readonly long: LongReads;
}

/** One way for all reads: the plan says which reader it takes. */
export const readsOf = (
  { main, catalogue, sql, version, long }: Readers,
  { keptBytes = 0, onKept = () => {} }: ReadOptions,
): Pick<Store, 'plan' | 'read' | 'summarize' | 'countRows'> => {
  const plan = plannerOf({ ...SQL, isSmall: ({ size }) => numberOf(main, size) <= SMALL });
  const readKept = keptBytes > 0 ? keptPages(main, { catalogue, version, capacity: keptBytes, onKept }) : undefined;

  const readItem = ({ collection, keys, withNested }: ItemPlan): Found | undefined => {
    if (withNested) return foundWithNested(main.row<Cell[]>(withNested.sql, keys));
    const row = main.row<Row>(sql(collection).select, keys);
    return row && { total: 1, change: row[0], rows: [row] };
  };
  /** Reads up to so many rows on the store's own connection; `rows` is `undefined` where there are more. */
  const readAtOnce = ({ sql, window }: ListPlan, most: number) =>
    inSnapshot(main, () => {
      const found = resolve(main, sql, window);
      if (!found) return undefined;
      const { total, change, count, statements } = found;
      return { total, change, rows: count > most ? undefined : statements.flatMap((each) => main.rows<Row>(each)) };
    });
  const readList = (list: ListPlan, caller: Caller | undefined): MaybePromise<Found | undefined> => {
    if (long.onThread && list.cost === 'scan') return long.onThread.read(list, caller);
    const found = readAtOnce(list, list.sql.chunk);
    if (!found) return undefined;
    const { rows, ...summary } = found;
    return rows ? { ...summary, rows } : long.inChunks(list, caller);
  };
  return {
    plan,
    read: (asked, caller): MaybePromise<Found | undefined> => {
      const plan = asked as SqlPlan;
      if (plan.shape === 'item') return readItem(plan);
      const kept = plan.keptAs && readKept?.(plan, plan.keptAs);
      return kept ?? andThen(readList(plan, caller), (found) => found && withNext(plan, found));
    },
    summarize: (asked, caller) => {
      const plan = asked as ListPlan;
      if (long.onThread && plan.cost === 'scan') return long.onThread.summarize(plan, caller);
      return inSnapshot(main, () => summarize(main, plan.sql));
    },
    countRows: (collection) => {
      const sql = sqlOfAll(collection, SQL);
      const summary = collection.parent && long.onThread ? long.onThread.summarize({ sql }) : summarize(main, sql);
      return andThen(summary, (found) => found?.total ?? 0);
    },
  };
};
