import type { ListFormat, Row } from './port.ts';

/**
 * Rows as a list writes them. Finding fifty of them and joining them is much of a page's cost, and most of that is waiting for
 * memory: so they lie in one block, and those that were read together lie together.
 */
export interface RowCache<K> {
  /** To be called before each page: positions are those of this page. */
  readonly beginPage: () => void;
  /** @returns the row's position, where it is cached */
  readonly find: (key: K) => number | undefined;
  /** @returns the row's position */
  readonly add: (key: K, row: Row) => number;
  /** @returns a page of the rows at these positions */
  readonly page: (positions: readonly number[]) => Uint8Array<ArrayBuffer>;
  readonly delete: (key: K) => void;
  readonly clear: () => void;
  /** Whether rows have been evicted since it was empty. */
  readonly isFull: () => boolean;
}

/** Rows that were added, or used again, at about the same time. The row at a position is between its end and the next. */
interface Generation<K> {
  readonly positions: Map<number, number>;
  readonly keys: K[];
  readonly ends: number[];
  /** Each row follows a separator. */
  bytes: Buffer<ArrayBuffer>;
}

/** Bytes of a row besides its own, and bytes that a generation begins with. */
const OVERHEAD = 96;
const FIRST_BLOCK = 65_536;
/** The most bytes that a character takes in UTF-8, for each unit of UTF-16. */
const WIDEST = 3;

const emptyGeneration = <K>(): Generation<K> => ({
  positions: new Map(),
  keys: [],
  ends: [0],
  bytes: Buffer.allocUnsafeSlow(FIRST_BLOCK),
});

const endOf = ({ keys, ends }: Generation<unknown>): number => ends[keys.length] ?? 0;

/**
 * When the rows of the young generation take half of the capacity, they become the old one; rows of that which were not used
 * meanwhile are evicted.
 *
 * @param capacity bytes of all rows together; those of a page may exceed it
 * @param hashOf a whole number of 32 bits for each key: of others, and of texts, `Map` is several times as slow
 */
export const rowCache = <K extends number | string>(
  { start, row: write, separator, end }: ListFormat,
  capacity: number,
  hashOf: (key: K) => number,
): RowCache<K> => {
  const between = Buffer.byteLength(separator);
  const around = Buffer.byteLength(start) + Buffer.byteLength(end);
  let young = emptyGeneration<K>();
  let old: Generation<K> | undefined;

  const positionIn = ({ positions, keys }: Generation<K>, hash: number, key: K): number | undefined => {
    const position = positions.get(hash);
    return position !== undefined && keys[position] === key ? position : undefined;
  };
  /** @returns where to write up to so many bytes */
  const reserve = (more: number): number => {
    const used = endOf(young);
    if (used + more > young.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(2 * (used + more));
      larger.set(young.bytes.subarray(0, used));
      young.bytes = larger;
    }
    return used;
  };
  /** @param to the end of what was written */
  const append = (hash: number, key: K, to: number): number => {
    const position = young.keys.push(key) - 1;
    young.ends.push(to);
    young.positions.set(hash, position);
    return position;
  };
  const renew = (hash: number, key: K, { ends, bytes }: Generation<K>, position: number): number => {
    const row = bytes.subarray(ends[position], ends[position + 1]);
    const at = reserve(row.length);
    young.bytes.set(row, at);
    return append(hash, key, at + row.length);
  };

  return {
    beginPage: () => {
      if (endOf(young) + OVERHEAD * young.keys.length <= capacity / 2) return;
      old = young;
      young = emptyGeneration();
    },
    find: (key) => {
      const hash = hashOf(key);
      const position = positionIn(young, hash, key);
      if (position !== undefined || !old) return position;
      const earlier = positionIn(old, hash, key);
      return earlier === undefined ? undefined : renew(hash, key, old, earlier);
    },
    add: (key, row) => {
      const text = separator + write(row, 0);
      const at = reserve(WIDEST * text.length);
      return append(hashOf(key), key, at + young.bytes.write(text, at));
    },
    page: (positions) => {
      const { ends, bytes } = young;
      /** The beginning and the end of each run of neighbours. */
      const runs: number[] = [];
      let length = around - (positions.length > 0 ? between : 0);
      let last = -2;
      for (const position of positions) {
        const [from = 0, to = 0] = [ends[position], ends[position + 1]];
        if (position === last + 1) runs[runs.length - 1] = to;
        else runs.push(from, to);
        length += to - from;
        last = position;
      }
      // A slice of a shared block would keep the whole block in memory while the response is cached.
      const all = Buffer.allocUnsafeSlow(length);
      let at = all.write(start);
      for (let run = 0; run < runs.length; run += 2) {
        const from = (runs[run] ?? 0) + (run === 0 ? between : 0);
        at += bytes.copy(all, at, from, runs[run + 1]);
      }
      all.write(end, at);
      return all;
    },
    delete: (key) => {
      const hash = hashOf(key);
      for (const { positions } of old ? [young, old] : [young]) positions.delete(hash);
    },
    clear: () => {
      young = emptyGeneration();
      old = undefined;
    },
    isFull: () => old !== undefined,
  };
};
