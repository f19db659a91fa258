/** @returns a hash of 53 bits: FNV-1a over UTF-16 units, twice with other constants */
function hashKey(key: string): number {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let at = 0; at < key.length; at++) {
    low = Math.imul(low ^ key.charCodeAt(at), 0x01000193);
    high = Math.imul(high ^ key.charCodeAt(at), 0x5bd1e995);
  }
  return (low >>> 0) + (high >>> 11) * 2 ** 32;
}

/** Stores hashes only: of a million keys, one that is absent seems present once in nine thousand million times. */
export class KeySet {
  readonly #hashes = new Set<number>();

  add(key: string): boolean {
    const { size } = this.#hashes;
    return this.#hashes.add(hashKey(key)).size > size;
  }

  has(key: string): boolean {
    return this.#hashes.has(hashKey(key));
  }
}
