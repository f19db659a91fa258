/** Values by key, up to a number of bytes; when it is full, values that were not used lately are evicted first. */
export interface BoundedCache<K, V> {
  readonly get: (key: K) => V | undefined;
  readonly set: (key: K, value: V) => void;
  readonly delete: (key: K) => void;
  readonly clear: () => void;
  /** Bytes of all entries. */
  readonly size: () => number;
}

interface CacheEntry<K, V> {
  readonly key: K;
  readonly value: V;
  readonly size: number;
  at: number;
  /** Whether it was used since the hand last passed it. */
  isUsed: boolean;
}

/** Bytes of an entry besides its value. */
const OVERHEAD = 128;

/**
 * CLOCK, or second chance (Corbató 1968): close to least recently used, and a read moves nothing. The order of a `Map` would
 * not do, because iteration walks over all deleted entries.
 *
 * @param capacity bytes of all values together
 */
export const boundedCache = <K, V>(capacity: number, sizeOf: (value: V) => number): BoundedCache<K, V> => {
  const byKey = new Map<K, CacheEntry<K, V>>();
  const entries: CacheEntry<K, V>[] = [];
  let size = 0;
  let hand = 0;

  const remove = (entry: CacheEntry<K, V>): void => {
    const last = entries.pop();
    if (last && last !== entry) {
      entries[entry.at] = last;
      last.at = entry.at;
    }
    byKey.delete(entry.key);
    size -= entry.size;
  };
  const removeByKey = (key: K): void => {
    const entry = byKey.get(key);
    if (entry) remove(entry);
  };
  const evict = (): void => {
    for (;;) {
      hand = hand < entries.length ? hand : 0;
      const entry = entries[hand];
      // Skips the entry that takes the place of the removed one: it is newer.
      hand++;
      if (!entry?.isUsed) {
        if (entry) remove(entry);
        return;
      }
      entry.isUsed = false;
    }
  };
  return {
    get: (key) => {
      const entry = byKey.get(key);
      if (!entry) return undefined;
      entry.isUsed = true;
      return entry.value;
    },
    set: (key, value) => {
      removeByKey(key);
      const more = sizeOf(value) + OVERHEAD;
      if (more > capacity) return;
      while (size + more > capacity) evict();
      const entry = { key, value, size: more, at: entries.length, isUsed: false };
      entries.push(entry);
      byKey.set(key, entry);
      size += more;
    },
    delete: removeByKey,
    clear: () => {
      byKey.clear();
      entries.length = 0;
      size = 0;
    },
    size: () => size,
  };
};
