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
