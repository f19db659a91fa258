/** The revisions for which an item may be read or changed (RFC 9110 §13.2.2); `'*'` is any revision. */
export interface Precondition {
  readonly match: '*' | readonly number[] | undefined;
  readonly noneMatch: '*' | readonly number[] | undefined;
}

const covers = (revisions: '*' | readonly number[], revision: number): boolean =>
  revisions === '*' || revisions.includes(revision);

/** @returns whether `If-Match` accepts this revision */
export const matches = (precondition: Precondition | undefined, revision: number): boolean =>
  precondition?.match === undefined || covers(precondition.match, revision);

/** @returns whether `If-None-Match` excludes this revision */
export const isExcluded = (precondition: Precondition | undefined, revision: number): boolean =>
  precondition?.noneMatch !== undefined && covers(precondition.noneMatch, revision);

/**
 * Makes a request safe to send again (`Idempotency-Key`): of all requests with one key, only the first is carried out, and the
 * others get its result. Times are milliseconds since 1970.
 */
export interface Idempotency {
  /** A hash of the client and its key. */
  readonly key: string;
  /** A hash of what is requested. */
  readonly payload: string;
  readonly received: number;
  /** When the record expires. */
  readonly expires: number;
}
