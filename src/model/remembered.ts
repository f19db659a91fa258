/** Values that are remembered, and how long a text among them may be. */
const [MOST, LONGEST] = [4_096, 64];

/**
 * Remembers what was made of values that recur, such as brands; when they are many, all is forgotten.
 *
 * @param make always makes the same of a value
 */
export const remembered = <K, V>(make: (value: K) => V): ((value: K) => V) => {
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
