/** The most results that are cached, and the longest text among their values. */
const [MOST, LONGEST] = [4_096, 64];
/** A longer text may be a slice of another (V8), such as of a whole block of a file, which it would keep in memory. */
const SLICE = 12;

/** @returns the same text, which keeps no other one in memory */
export const copyText = (text: string): string => (text.length > SLICE ? JSON.parse(JSON.stringify(text)) : text);

/** Caches results for values that recur, such as brands; a full cache is cleared. */
export const memoize = <K, V>(make: (value: K) => V): ((value: K) => V) => {
  const values = new Map<K, V>();
  return (value) => {
    if (typeof value === 'object' || (typeof value === 'string' && value.length > LONGEST)) return make(value);
    const before = values.get(value);
    if (before !== undefined) return before;
    const own = typeof value === 'string' ? (copyText(value) as typeof value) : value;
    const made = make(own);
    if (values.size >= MOST) values.clear();
    values.set(own, made);
    return made;
  };
};
