import { afterAll } from 'vitest';

/** Adds a row to a table of the service until the file's tests are over; no other file runs in its process meanwhile. */
export const added = <T>(table: readonly T[], row: T): T => {
  const rows = table as T[];
  rows.push(row);
  afterAll(() => void rows.splice(rows.indexOf(row), 1));
  return row;
};
