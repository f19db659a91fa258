import { counter, type Family, type Labels } from './family.ts';

const keyOf = (labels: Labels): string => Object.values(labels).join(' ');

/**
 * @param all the sets of labels, so that each is there before its first event
 * @returns counts events by their labels; others are not counted
 */
export const labelledCounter = (name: string, help: string, all: readonly Labels[]) => {
  const counts = new Map(all.map((labels) => [keyOf(labels), 0]));
  return {
    count: (labels: Labels): void => {
      const key = keyOf(labels);
      const before = counts.get(key);
      if (before !== undefined) counts.set(key, before + 1);
    },
    family: (): Family =>
      counter(
        name,
        help,
        all.map((labels) => [labels, counts.get(keyOf(labels)) ?? 0]),
      ),
  };
};
