import { type Family, gauge } from './family.ts';

export interface CacheMeter {
  readonly cached: (isHit: boolean) => void;
  /** @param bytes of all that the cache has */
  readonly families: (bytes: number) => readonly Family[];
}

export const cacheMeter = (): CacheMeter => {
  let hits = 0;
  let misses = 0;
  return {
    cached: (isHit) => {
      if (isHit) hits += 1;
      else misses += 1;
    },
    families: (bytes) => [
      {
        name: 'catalogue_response_cache_requests_total',
        help: 'Unconditional GETs, by whether the response was in memory.',
        type: 'counter',
        aggregation: 'sum',
        samples: [
          { suffix: '', labels: { result: 'hit' }, value: hits },
          { suffix: '', labels: { result: 'miss' }, value: misses },
        ],
      },
      gauge('catalogue_response_cache_bytes', 'Bytes of responses in memory.', bytes),
    ],
  };
};
