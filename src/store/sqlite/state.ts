import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { readChange } from '../sql/items.ts';
import type { Connection } from './connection.ts';

/** https://sqlite.org/walformat.html §2.1: the header that every commit of every process changes, in 32-bit words. */
const HEADER = 12;

export interface State {
  /** @returns a number that is another one after every commit, whoever made it; `undefined` where that is not known */
  readonly read: () => number | undefined;
  readonly close: () => void;
}

/** By the number of the last change: two locks and a statement for each look. */
const stateByNumber = (connection: Connection): State => ({
  read: () => {
    try {
      return connection.row<[number]>(readChange, [])?.[0];
    } catch {
      return undefined;
    }
  },
  close: () => {},
});

/** By the first bytes of the write-ahead log's index, for a third of that price. */
const stateByHeader = (index: string): State => {
  const descriptor = openSync(index, 'r');
  const seen = new Int32Array(HEADER);
  const now = new Int32Array(HEADER);
  let state = 0;
  let isOpen = true;
  return {
    read: () => {
      if (!isOpen) return undefined;
      readSync(descriptor, now, 0, now.byteLength, 0);
      // A header that is read while it is being written differs from both the last one and the next.
      for (let at = 0; at < HEADER; at++) {
        if (now[at] === seen[at]) continue;
        seen.set(now);
        state++;
        break;
      }
      return state;
    },
    close: () => {
      if (isOpen) closeSync(descriptor);
      isOpen = false;
    },
  };
};

/**
 * @param connection an open one, which keeps the log's index there
 * @param location the database's file, or `:memory:`
 */
export const stateOf = (connection: Connection, location: string): State => {
  const index = `${location}-shm`;
  // In memory, and on file systems that cannot map files, there is none.
  return existsSync(index) ? stateByHeader(index) : stateByNumber(connection);
};
