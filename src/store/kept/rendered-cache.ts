/** Rows that are kept as they were rendered. */
import { type BoundedCache, boundedCache } from '../../model/bounded-cache.ts';

/** Bytes that memory of its own takes beside a row. */
const OVERHEAD = 320;

/** A copy in memory of its own: a small buffer is a part of a block, and would keep all of it. */
const ownCopy = (rendered: Uint8Array): Uint8Array => {
  const copy = Buffer.allocUnsafeSlow(rendered.length);
  copy.set(rendered);
  return copy;
};

/** @param room bytes of all rows together */
export const renderedCache = <K>(room: number): BoundedCache<K, Uint8Array> => {
  const rows = boundedCache<K, Uint8Array>(room, ({ length }) => length + OVERHEAD);
  return { ...rows, set: (key, rendered) => rows.set(key, ownCopy(rendered)) };
};
