/** Why rows of a file are rejected. */
import type { Reason, RowConflict, RowError } from './import.ts';

/** Reasons that are told apart: beyond them, only the code of an error counts. */
const MOST = 100;

const nameOf = (error: RowError | RowConflict): string => {
  if ('detail' in error) return [error.code, error.detail.phrase, error.column].join(' ');
  return [error.code, 'field' in error ? error.field : ''].join(' ');
};

/** Counts errors by their reasons. */
export const reasonCounter = <E extends RowError | RowConflict>() => {
  const reasons = new Map<string, Reason<E> & { count: number }>();
  return {
    /** @returns the reason of an error, which is counted. @param times how many errors it stands for */
    add: (row: number, error: E, times = 1): Reason<E> => {
      const exact = nameOf(error);
      const name = reasons.size < MOST || reasons.has(exact) ? exact : error.code;
      const reason = reasons.get(name) ?? { count: 0, row, error };
      reasons.set(name, reason);
      reason.count += times;
      return reason;
    },
    all: (): readonly Reason<E>[] => [...reasons.values()],
  };
};
