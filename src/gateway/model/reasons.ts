/** Why rows of a file are rejected. */

import { LISTED } from '../texts/problem.ts';
import type { Reason, Rejection, RowConflict, RowError } from './import.ts';

/** Reasons that are told apart: beyond them, only the code of an error counts. */
const MOST = 100;

const nameOf = (error: RowError | RowConflict): string => {
  if ('detail' in error) return [error.code, error.detail.phrase, error.column].join(' ');
  return [error.code, 'field' in error ? error.field : ''].join(' ');
};

/** Counts errors by their reasons. */
export const reasonCounter = () => {
  const reasons = new Map<string, { readonly reason: Reason & { count: number }; readonly rows: Rejection[] }>();
  return {
    /** @returns the reason of an error, which is counted. @param times how many errors it stands for */
    add: (row: number, error: RowError | RowConflict, times = 1): Reason => {
      const exact = nameOf(error);
      const name = reasons.size < MOST || reasons.has(exact) ? exact : error.code;
      const { reason, rows } = reasons.get(name) ?? { reason: { count: 0, row, error }, rows: [] };
      reasons.set(name, { reason, rows });
      reason.count += times;
      if (rows.length < LISTED) rows.push({ row, error });
      return reason;
    },
    all: (): readonly Reason[] => [...reasons.values()].map(({ reason }) => reason),
    /** @returns the first row of each reason, then the second, and so on, up to so many, in their order */
    listed: (most = LISTED): readonly Rejection[] =>
      [...reasons.values()]
        .flatMap(({ rows }) => rows.map((each, place) => ({ each, place })))
        .sort((one, other) => one.place - other.place)
        .slice(0, most)
        .map(({ each }) => each)
        .sort((one, other) => one.row - other.row),
  };
};
