/**
 * Spreads the work for many that come at once over turns of the event loop, so that whatever arrives meanwhile does not wait for
 * all of it.
 *
 * @param most how many are handled in one turn
 * @param handle must not throw
 * @returns a function that has an item handled, in order: in this turn or a later one, after all connections were read from
 */
export const throttled = <T>(most: number, handle: (item: T) => void): ((item: T) => void) => {
  const waiting: T[] = [];
  const handleSome = (): void => {
    const some = waiting.splice(0, most);
    if (waiting.length > 0) setImmediate(handleSome);
    for (const item of some) handle(item);
  };
  return (item) => {
    if (waiting.push(item) === 1) setImmediate(handleSome);
  };
};
