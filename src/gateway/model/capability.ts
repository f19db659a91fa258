/**
 * What a store may be unable to do. Whatever it does not declare is in no parameter, document or dictionary, and a request for it
 * is refused as `not-supported`.
 */
export const capabilities = [
  'search',
  'groups',
  'ranges',
  /** Filters of texts that ignore case and accents. */
  'folded',
  'sorts',
  /** Nested items within items (`include`). */
  'nested',
  /** The same of those that fields refer to. */
  'referred',
  /** Nested items of all parents in one list. */
  'listed',
  /** Pages that begin after a position (`after`); without it, the next page has a number. */
  'positions',
  /** Numbers of changes: positions of clients, tags of lists, what changed since. */
  'changes',
  /** Whoever waits for a change is woken by it: streams of events, too. */
  'events',
  'writes',
  /** Many items in one step: files and arrays. */
  'bulk',
  /** A condition and the write that depends on it in one atomic step. */
  'conditions',
  /** The result of a request with an idempotency key is kept. */
  'idempotency',
] as const;

export type Capability = (typeof capabilities)[number];
