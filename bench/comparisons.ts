/** Every comparison: who takes turns at what, and what is wanted of it. */

import type { Comparison } from './support/compare.ts';
import type { Limits } from './support/report.ts';
import type { Contender } from './support/turns.ts';
import { ENGLISH, SPANISH } from './support/workloads.ts';

const items = (limits: Limits) => ({ uniform: limits, zipf: limits, repeated: limits });
const each = (limits: Limits) => ({ ...items(limits), lists: limits, posts: limits });

const service: Contender = { name: 'this service, /api/cars', words: ENGLISH, program: 'service', writes: 0 };
const again = 'the same again: what a ratio is worth';
const control: Contender = { ...service, name: again, wanted: each('≥ 0.97, ≤ 1.03') };
const peer: Contender = { ...service, name: 'Fastify + node:sqlite', program: 'peer' };

type Details = Required<Contender>;
/** One of them in another environment. */
const variant = (of: Contender, name: string, env: Details['env'], wanted: Details['wanted']): Contender => {
  return { ...of, name, env, wanted };
};

/** Who reads beside so many writes a second. @param ofItems what is wanted of the peer's, to which all its lists are compared */
const others = (writes: number, ofItems: Limits, ofLists: Limits): readonly Contender[] => [
  { ...service, writes, name: 'this service, /api/coches', words: SPANISH, wanted: each('≤ 1.03') },
  { ...peer, writes, wanted: { ...items(ofItems), lists: ofLists } },
  { ...variant(peer, '… with a counter for the total', { TECHNIQUE: 'counter' }, { lists: '≥ 1.4' }), writes },
];

/**
 * One comparison for each rate of writes: the fewer servers take turns, the less each finds the processor's caches filled by others.
 *
 * @param ofItems wanted of the peer's
 */
const readers = (ofItems: Limits): readonly Comparison[] =>
  [
    [service, control, ...others(0, ofItems, '≥ 1.8')],
    [service, { ...service, writes: 10, wanted: items('≤ 1.15') }, ...others(10, ofItems, '≥ 1.4')],
    [service, { ...service, writes: 200 }, ...others(200, ofItems, '≥ 1.4')],
  ].map((contenders) => ({ workloads: ['uniform', 'zipf', 'repeated', 'lists'], contenders }));

export const reads: readonly Comparison[] = readers('≥ 1.2');

/** That the service is at most 1.05 times as dear as without a cache. */
const uncached = variant(service, '… with CACHE_LIMIT=0', { CACHE_LIMIT: '0' }, { uniform: '≥ 0.95' });

export const million: readonly Comparison[] = [
  ...readers('≥ 1').map((comparison) => ({ ...comparison, rounds: 4 })),
  { workloads: ['uniform'], contenders: [service, uncached], rounds: 4 },
];

export const writes: Comparison = {
  workloads: ['posts'],
  contenders: [
    { ...service, readsWithin: 10 },
    control,
    { ...peer, wanted: { posts: '≥ 4' } },
    variant(peer, '… with group commit', { TECHNIQUE: 'group' }, { posts: '≥ 0.9' }),
  ],
};

const observed = { METRICS_PORT: '0', LOG_LEVEL: 'debug' };

export const settings: Comparison = {
  workloads: ['uniform'],
  contenders: [
    service,
    control,
    variant(service, '… with RATE_LIMIT', { RATE_LIMIT: '1000000000' }, { uniform: '≤ 1.03' }),
    variant(service, '… with METRICS_PORT, LOG_LEVEL=debug', observed, { uniform: '≤ 1.05' }),
  ],
  rounds: 20,
};

export const workers: Comparison = {
  workloads: ['uniform', 'lists', 'posts'],
  contenders: [
    variant(service, 'WORKERS=2', { WORKERS: '2' }, {}),
    { ...service, wanted: { uniform: '≥ 1.4', lists: '≥ 1.6', posts: '≥ 1' } },
  ],
  isOnAllCores: true,
};

export const postgres: Comparison = {
  workloads: ['uniform', 'lists', 'posts'],
  contenders: [
    { ...service, name: 'this service on PostgreSQL' },
    control,
    { ...service, name: '… on a database that was new, and grew', isGrown: true, wanted: each('≥ 0.9, ≤ 1.1') },
    { ...peer, name: 'Fastify + pg', wanted: { uniform: '≥ 1.9', lists: '≥ 1.3', posts: '≥ 1.5' } },
  ],
};
