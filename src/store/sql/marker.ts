/** A table that is there while a transfer fills a database, and taken away once all of it is there. */
export const MARKER = '_transfer';

/** Why such a database is not served. */
export const UNFINISHED =
  'is half filled by a transfer; run the same `npm run transfer` again, which goes on from there';
