/** Whether statements are prepared under names: `auto` unless a pooler stands in between. */
export type Prepare = 'auto' | 'on' | 'off';

/** How a database server is reached; what is left out has a default. */
export interface PostgresOptions {
  /** Connections at one time, 10; long lists have as many again. */
  readonly pool?: number | undefined;
  /** Milliseconds to wait for a connection, and for each statement, 5,000. */
  readonly timeout?: number | undefined;
  /** A replica's address: lists are read there, and items that may be a little behind. */
  readonly readUrl?: string | undefined;
  readonly prepare?: Prepare | undefined;
  /** Told in a line what an operator should know. */
  readonly report?: ((line: string) => void) | undefined;
}
