/** The revisions for which an item may be read or changed (RFC 9110 §13.2.2); `'*'` is any revision. */
export interface Precondition {
  readonly match: '*' | readonly number[] | undefined;
  readonly noneMatch: '*' | readonly number[] | undefined;
}

const covers = (revisions: '*' | readonly number[], revision: number): boolean =>
  revisions === '*' || revisions.includes(revision);

export type Condition = keyof Precondition;

/** @returns the condition that an item with this revision does not meet: `If-Match` is evaluated first (RFC 9110 §13.2.2) */
export function findUnmet({ match, noneMatch }: Precondition, revision: number): Condition | undefined {
  if (match !== undefined && !covers(match, revision)) return 'match';
  return noneMatch !== undefined && covers(noneMatch, revision) ? 'noneMatch' : undefined;
}

/** Identifies a POST that may be sent again: only the first request with a key is carried out. Times are milliseconds since 1970. */
export interface Idempotency {
  readonly key: string;
  readonly payload: string;
  readonly receivedAt: number;
  readonly expires: number;
}
