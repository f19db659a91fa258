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

/** @param room bytes of all rows together */
export const renderedCache = <K>(room: number): BoundedCache<K, Uint8Array> => {
  const rows = boundedCache<K, Uint8Array>(room, ({ length }) => length + OVERHEAD);
  return { ...rows, set: (key, rendered) => rows.set(key, ownCopy(rendered)) };
};
