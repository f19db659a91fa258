/** Every comparison: who takes turns at what, and what is wanted of it. */

import type { Comparison, Contender, Side, Wanted } from './support/comparison.ts';
import type { Limits } from './support/report.ts';
import { ENGLISH, SPANISH } from './support/workloads.ts';

const service: Contender = { name: 'this service, /api/cars', words: ENGLISH, program: 'service' };
const control: Contender = { ...service, name: 'the same again: what a ratio is worth' };
const spanish: Contender = { ...service, name: 'this service, /api/coches', words: SPANISH };
const uncached: Contender = { ...service, name: '… with CACHE_LIMIT=0', env: { CACHE_LIMIT: '0' } };
const limited: Contender = { ...service, name: '… with RATE_LIMIT', env: { RATE_LIMIT: '1000000000' } };
const observed: Contender = {
  ...service,
  name: '… with METRICS_PORT, LOG_LEVEL=debug',
  env: { METRICS_PORT: '0', LOG_LEVEL: 'debug' },
};
const two: Contender = { ...service, name: 'WORKERS=2', env: { WORKERS: '2' } };
const peer: Contender = { name: 'Fastify + node:sqlite', words: ENGLISH, program: 'peer' };
const counter: Contender = { ...peer, name: '… with a counter for the total', env: { TECHNIQUE: 'counter' } };
const group: Contender = { ...peer, name: '… with group commit', env: { TECHNIQUE: 'group' } };
/** Connections of each server to PostgreSQL. */
const POOL = '10';
const pooled = { DATABASE_POOL: POOL };

const items = (limits: Limits): Wanted => ({ uniform: limits, zipf: limits, repeated: limits });
const each = (limits: Limits): Wanted => ({ ...items(limits), lists: limits, posts: limits });

/** What a control must show. */
const SAME = each({ atLeast: 0.97, atMost: 1.03 });
/** Of the Spanish tree, to the English one. */
const ALIKE = each({ atMost: 1.03 });
/** Of the service's items with 10 writes a second, to those without. */
const HARDLY_DEARER = items({ atMost: 1.15 });

/**
 * One comparison for each rate of writes: the fewer servers take turns, the less each finds the processor's caches filled by others.
 *
 * @param atLeast wanted of the peer's items
 */
const readers = (atLeast: number): readonly (readonly Side[])[] => {
  const beside = (writes: number): readonly Side[] => [
    [service, 0],
    [service, writes, writes === 10 ? HARDLY_DEARER : {}],
    [spanish, writes, ALIKE],
    [peer, writes, { ...items({ atLeast }), lists: { atLeast: 1.4 } }],
    [counter, writes, { lists: { atLeast: 1.4 } }],
  ];
  const alone: readonly Side[] = [
    [service, 0],
    [control, 0, SAME],
    [spanish, 0, ALIKE],
    [peer, 0, { ...items({ atLeast }), lists: { atLeast: 1.8 } }],
    [counter, 0, { lists: { atLeast: 1.4 } }],
  ];
  return [alone, beside(10), beside(200)];
};

const READS = ['uniform', 'zipf', 'repeated', 'lists'] as const;

export const reads: readonly Comparison[] = readers(1.2).map((sides) => ({ workloads: READS, sides }));

export const million: readonly Comparison[] = [
  ...readers(1).map((sides): Comparison => ({ workloads: READS, sides, shape: { rounds: 4 } })),
  {
    workloads: ['uniform'],
    // At most 1.05 times as dear as without a cache.
    sides: [
      [service, 0],
      [uncached, 0, { uniform: { atLeast: 0.95 } }],
    ],
    shape: { rounds: 4 },
  },
];

export const writes: Comparison = {
  workloads: ['posts'],
  sides: [
    [service, 0],
    [control, 0, SAME],
    [peer, 0, { posts: { atLeast: 4 } }],
    [group, 0, { posts: { atLeast: 0.9 } }],
  ],
  readsWithin: 10,
};

export const settings: Comparison = {
  workloads: ['uniform'],
  sides: [
    [service, 0],
    [control, 0, SAME],
    [limited, 0, { uniform: { atMost: 1.03 } }],
    [observed, 0, { uniform: { atMost: 1.05 } }],
  ],
  shape: { rounds: 20 },
};

export const workers: Comparison = {
  workloads: ['uniform', 'lists', 'posts'],
  sides: [
    [two, 0],
    [service, 0, { uniform: { atLeast: 1.4 }, lists: { atLeast: 1.6 }, posts: { atLeast: 1 } }],
  ],
  // As many for each of two processes as one has elsewhere.
  shape: { ratio: 'rate', connections: 64, rounds: 24, turns: 1, burst: 250, isOnAllCores: true },
};

export const postgres: Comparison = {
  workloads: ['uniform', 'lists', 'posts'],
  sides: [
    [{ ...service, name: 'this service on PostgreSQL', env: pooled }, 0],
    [{ ...control, env: pooled }, 0, SAME],
    [
      { ...peer, name: 'Fastify + pg', env: { POOL } },
      0,
      { uniform: { atLeast: 1.9 }, lists: { atLeast: 1.3 }, posts: { atLeast: 1.5 } },
    ],
  ],
};
