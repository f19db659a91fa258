/** Slots at first, a power of 2. */
const FIRST = 4_096;
/** Marks an empty slot. */
const NONE = 0;

/** Finishes a hash as MurmurHash3 does, so that its lowest bits differ, too. */
const finished = (hash: number): number => {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
};
/** @returns a hash of 53 bits: FNV-1a over UTF-16 units, twice with other constants */
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
 * A set of keys that takes some ten bytes for each, because it stores hashes: of a million keys, one that is absent seems
 * present once in nine thousand million times.
 */
export class KeySet {
  #slots = new Float64Array(FIRST);
  #count = 0;

  add(key: string): boolean {
    const hash = hashOf(key);
    const slot = this.#slotOf(hash);
    if (this.#slots[slot] === hash) return false;
    this.#slots[slot] = hash;
    if (++this.#count * 4 > this.#slots.length * 3) this.#grow();
    return true;
  }

  has(key: string): boolean {
    const hash = hashOf(key);
    return this.#slots[this.#slotOf(hash)] === hash;
  }

  #slotOf(hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash & mask;
    while (slots[slot] !== NONE && slots[slot] !== hash) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Float64Array(2 * before.length);
    for (const hash of before) if (hash !== NONE) this.#slots[this.#slotOf(hash)] = hash;
  }
}
