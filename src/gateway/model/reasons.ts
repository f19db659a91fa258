/** Why rows of a file are rejected. */
import { LISTED } from '../texts/problem.ts';
import type { Reason, Rejection, RowConflict, RowError } from './import.ts';

/** Reasons that are told apart: beyond them, only the code of an error counts. */
const MOST = 100;

function nameReason(error: RowError | RowConflict): string {
  if ('detail' in error) return [error.code, error.detail.phrase, error.column].join(' ');
  return [error.code, 'field' in error ? error.field : ''].join(' ');
}

/** Counts errors by their reasons. */
export class ReasonCounter {
  readonly #reasons: Map<string, { count: number; readonly rows: [Rejection, ...Rejection[]] }>;

  /** @param counted are errors that have been counted before */
  constructor(counted: readonly Reason[] = []) {
    this.#reasons = new Map(counted.map(({ count, rows }) => [nameReason(rows[0].error), { count, rows: [...rows] }]));
  }

  add(rejection: Rejection): void {
    const exact = nameReason(rejection.error);
    const name = this.#reasons.size < MOST || this.#reasons.has(exact) ? exact : rejection.error.code;
    const reason = this.#reasons.get(name);
    if (!reason) this.#reasons.set(name, { count: 1, rows: [rejection] });
    else {
      reason.count++;
      if (reason.rows.length < LISTED) reason.rows.push(rejection);
    }
  }

  /** @returns the reasons by their first rows. At most `LISTED` rows are named, of each reason as many as of any other */
  all(): readonly Reason[] {
    const reasons = [...this.#reasons.values()];
    const listed = new Set(listRejections(reasons));
    return reasons
      .map(({ count, rows: [first, ...others] }): Reason => {
        return { count, rows: [first, ...others.filter((each) => listed.has(each))] };
      })
      .sort((one, other) => one.rows[0].row - other.rows[0].row);
  }
}

/** @returns the first row of each reason, then the second, and so on, up to so many, in their order */
export function listRejections(reasons: readonly Reason[], most = LISTED): readonly Rejection[] {
  return reasons
    .flatMap(({ rows }) => rows.map((rejection, place) => ({ rejection, place })))
    .sort((one, other) => one.place - other.place)
    .slice(0, most)
    .map(({ rejection }) => rejection)
    .sort((one, other) => one.row - other.row);
}
