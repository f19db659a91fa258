/** A cache of rendered rows. */
import { type BoundedCache, boundedCache } from '../../model/bounded-cache.ts';

/** Bytes that memory of its own takes beside a row. */
const OVERHEAD = 320;

/** Copies a row out of the shared block that a small buffer is part of, which it would keep in memory. */
const ownCopy = (rendered: Uint8Array): Uint8Array => {
  const copy = Buffer.allocUnsafeSlow(rendered.length);
  copy.set(rendered);
  return copy;
};

/** @param capacity bytes of all rows together */
export const renderedCache = <K>(capacity: number): BoundedCache<K, Uint8Array> => {
  const rows = boundedCache<K, Uint8Array>(capacity, ({ length }) => length + OVERHEAD);
  return { ...rows, set: (key, rendered) => rows.set(key, ownCopy(rendered)) };
};
