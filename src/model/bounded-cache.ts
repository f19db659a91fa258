/** Values by key, up to a number of bytes; when it is full, values that were not used lately are evicted first. */
export interface BoundedCache<K, V> {
  readonly get: (key: K) => V | undefined;
  readonly set: (key: K, value: V) => void;
  readonly delete: (key: K) => void;
  readonly clear: () => void;
  /** Whether values have been evicted already. */
  readonly isFull: () => boolean;
  /** Bytes of all entries. */
  readonly size: () => number;
}

interface Slot<K, V> {
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
 * @param room bytes of all values together
 */
export const boundedCache = <K, V>(room: number, sizeOf: (value: V) => number): BoundedCache<K, V> => {
  const byKey = new Map<K, Slot<K, V>>();
  const slots: Slot<K, V>[] = [];
  let size = 0;
  let hand = 0;
  let hasEvicted = false;

  const remove = (slot: Slot<K, V>): void => {
    const last = slots.pop();
    if (last && last !== slot) {
      slots[slot.at] = last;
      last.at = slot.at;
    }
    byKey.delete(slot.key);
    size -= slot.size;
  };
  const removeByKey = (key: K): void => {
    const slot = byKey.get(key);
    if (slot) remove(slot);
  };
  const evict = (): void => {
    hasEvicted = true;
    for (;;) {
      hand = hand < slots.length ? hand : 0;
      const slot = slots[hand];
      // Skips the entry that takes the place of the removed one: it is newer.
      hand++;
      if (!slot?.isUsed) {
        if (slot) remove(slot);
        return;
      }
      slot.isUsed = false;
    }
  };
  return {
    get: (key) => {
      const slot = byKey.get(key);
      if (!slot) return undefined;
      slot.isUsed = true;
      return slot.value;
    },
    set: (key, value) => {
      removeByKey(key);
      const more = sizeOf(value) + OVERHEAD;
      if (more > room) return;
      while (size + more > room) evict();
      const slot = { key, value, size: more, at: slots.length, isUsed: false };
      slots.push(slot);
      byKey.set(key, slot);
      size += more;
    },
    delete: removeByKey,
    clear: () => {
      byKey.clear();
      slots.length = 0;
      size = 0;
    },
    isFull: () => hasEvicted,
    size: () => size,
  };
};
