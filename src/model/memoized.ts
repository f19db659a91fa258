/** The most results that are cached, and the longest text among their values. */
const [MOST, LONGEST] = [4_096, 64];

/**
 * Caches results for values that recur, such as brands; a full cache is cleared.
 *
 * @param make a pure function
 */
export const memoized = <K, V>(make: (value: K) => V): ((value: K) => V) => {
  const known = new Map<K, V>();
  return (value) => {
    if (typeof value === 'object' || (typeof value === 'string' && value.length > LONGEST)) return make(value);
    const before = known.get(value);
    if (before !== undefined) return before;
    const made = make(value);
    if (known.size >= MOST) known.clear();
    known.set(value, made);
    return made;
  };
};
