const FIRST = 4_096;
/** 32 MiB, for three million keys. */
const MOST = 2 ** 22;
/** Marks an empty slot. */
const NONE = 0;

/** MurmurHash3's finish, so that the lowest bits differ, too. */
const finished = (hash: number): number => {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
};
/** FNV-1a over UTF-16 units, twice with other constants: a million keys of 32 bits would have a hundred equal ones. */
const hashOf = (key: string): number => {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let at = 0; at < key.length; at++) {
    low = Math.imul(low ^ key.charCodeAt(at), 0x01000193);
    high = Math.imul(high ^ key.charCodeAt(at), 0x5bd1e995);
  }
  return finished(low) + (finished(high) >>> 11) * 2 ** 32 || 1;
};

/**
 * A set of keys that takes some ten bytes for each. It stores hashes of 53 bits: in very rare cases an absent key seems present.
 * Once it is full it stores nothing any more, and every key seems present.
 *
 * @param most slots, a power of 2
 */
export const keySet = (most = MOST) => {
  let slots = new Float64Array(FIRST);
  let count = 0;
  let isFull = false;

  /** @returns the slot that has the hash, or where it belongs */
  const slotOf = (hash: number): number => {
    const mask = slots.length - 1;
    let slot = hash & mask;
    while (slots[slot] !== NONE && slots[slot] !== hash) slot = (slot + 1) & mask;
    return slot;
  };
  const grow = (): void => {
    const before = slots;
    isFull = slots.length === most;
    if (isFull) {
      slots = new Float64Array(0);
      return;
    }
    slots = new Float64Array(2 * before.length);
    for (const hash of before) if (hash !== NONE) slots[slotOf(hash)] = hash;
  };
  return {
    /** @returns whether it is new */
    add: (key: string): boolean => {
      if (isFull) return false;
      const hash = hashOf(key);
      const slot = slotOf(hash);
      if (slots[slot] === hash) return false;
      slots[slot] = hash;
      if (++count * 4 > slots.length * 3) grow();
      return true;
    },
    has: (key: string): boolean => {
      const hash = hashOf(key);
      return isFull || slots[slotOf(hash)] === hash;
    },
  };
};
