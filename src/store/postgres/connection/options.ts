import type { OtherCollections } from '../../sql/schema.ts';
import type { CommonOptions } from '../../store.ts';

/** Whether statements are prepared; `off` is for a pooler in transaction mode, which gives the connection to others after each transaction. */
export type Prepare = 'on' | 'off';

/** The default number of connections. */
export const DEFAULT_POOL = 10;
/** The default of milliseconds to wait for a connection, and for each statement. */
export const DEFAULT_TIMEOUT = 5_000;

/** How to reach a database server. */
export interface PostgresOptions extends CommonOptions {
  /** What becomes of collections that the catalogue lacks, by default `refuse`. */
  readonly others?: OtherCollections | undefined;
  /** The most connections, by default 10; long lists have as many again. */
  readonly pool?: number | undefined;
  /** Milliseconds to wait for a connection, and for each statement; by default 5,000. */
  readonly timeout?: number | undefined;
  readonly prepare?: Prepare | undefined;
}
