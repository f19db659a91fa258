import type { Family } from './family.ts';

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
      {
        name: 'catalogue_row_cache_pages_total',
        help: 'Pages whose rows were looked for in memory, by whether all of them were there.',
        type: 'counter',
        aggregation: 'sum',
        samples: [
          { suffix: '', labels: { result: 'hit' }, value: hits },
          { suffix: '', labels: { result: 'miss' }, value: misses },
        ],
      },
    ],
  };
};
