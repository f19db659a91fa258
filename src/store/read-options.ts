/** How a database is read; what is left out has a default. */
export interface ReadOptions {
  /** Milliseconds that one long list may take, 900,000. */
  readonly listTimeout?: number | undefined;
  /** The part of all long lists, and of all reads that wait, that one client may have; 1, all of them. */
  readonly clientShare?: number | undefined;
  /** Bytes of the rows that are kept of one collection in one format, 0. */
  readonly keptBytes?: number | undefined;
  /** Called with whether all rows of a page were kept ones. */
  readonly onKept?: ((isKept: boolean) => void) | undefined;
}
