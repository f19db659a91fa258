/** A function that makes something only once for each key. */
export const oncePer = <K, V>(make: (key: K) => V): ((key: K) => V) => {
  const made = new Map<K, { readonly value: V }>();
  return (key) => {
    const found = made.get(key) ?? { value: make(key) };
    made.set(key, found);
    return found.value;
  };
};
