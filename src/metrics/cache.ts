import { counter, type Family } from './family.ts';

export interface CacheMeter {
  readonly onKept: (isKept: boolean) => void;
  readonly families: () => readonly Family[];
}

export const cacheMeter = (): CacheMeter => {
  let hits = 0;
  let misses = 0;
  return {
    onKept: (isKept) => {
      if (isKept) hits += 1;
      else misses += 1;
    },
    families: () => [
      counter(
        'catalogue_row_cache_pages_total',
        'Pages whose rows were looked for in memory, by whether all of them were there.',
        [
          [{ result: 'hit' }, hits],
          [{ result: 'miss' }, misses],
        ],
      ),
    ],
  };
};
