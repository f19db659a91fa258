import type { Validator } from '../../store/port.ts';

/** The items that have changed recently, so that a response about any other one needs no look at the database. */
export interface RecentChanges {
  /** Learns the changes between two change numbers; where `from` is `undefined`, earlier changes are unknown. */
  readonly learn: (from: number | undefined, to: number) => void;
  /** @returns whether an item has changed after a change number; `undefined` where that is not known */
  readonly hasChanged: (item: string, since: number) => boolean | undefined;
}

/** The most items; beyond them the list starts afresh. */
const REMEMBERED = 10_000;

/** @param changedSince names the items that have changed after a change number */
export const recentChanges = (changedSince: Validator['changedSince']): RecentChanges => {
  /** By name, the last change number of the database when each was found changed. */
  const items = new Map<string, number>();
  /** All changes after this number are known. */
  let start = Infinity;

  return {
    learn: (from, to) => {
      const changed = from === undefined ? undefined : changedSince(from);
      if (changed === undefined || items.size + changed.length > REMEMBERED) {
        items.clear();
        start = to;
        return;
      }
      for (const item of changed) items.set(item, to);
    },
    hasChanged: (item, since) => (since < start ? undefined : (items.get(item) ?? 0) > since),
  };
};
