/** What an item's revision must be for it to be read or changed (RFC 9110 §13.2.2); `'*'` is any revision. */
export interface Precondition {
  readonly match: '*' | readonly number[] | undefined;
  readonly noneMatch: '*' | readonly number[] | undefined;
}

const covers = (revisions: '*' | readonly number[], revision: number): boolean =>
  revisions === '*' || revisions.includes(revision);

/** @returns whether the item is in a state that `If-Match` asks for */
export const matches = (precondition: Precondition | undefined, revision: number): boolean =>
  precondition?.match === undefined || covers(precondition.match, revision);

/** @returns whether the item is in a state that `If-None-Match` rules out */
export const isRuledOut = (precondition: Precondition | undefined, revision: number): boolean =>
  precondition?.noneMatch !== undefined && covers(precondition.noneMatch, revision);

/**
 * What makes a request safe to send again (`Idempotency-Key`): of those with one key, only the first is carried out, and the
 * others get its result. Times are milliseconds since 1970.
 */
export interface Idempotency {
  /** A hash of the client and of the key that it has chosen. */
  readonly key: string;
  /** A hash of what is requested. */
  readonly payload: string;
  readonly received: number;
  /** When the key is forgotten. */
  readonly expires: number;
}
