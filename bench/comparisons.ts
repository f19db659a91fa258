/** Every comparison: who takes turns at what, and what is wanted of it. */

import { en, es } from '../test/support/app/trees.ts';
import type { Comparison } from './support/compare.ts';
import type { Limits } from './support/report.ts';
import type { Contender } from './support/turns.ts';

const NAME = 'this service, both languages';
const service: Contender = { name: NAME, words: [en, es], program: 'service', writes: 0 };
const peer: Contender = { name: 'Fastify + node:sqlite', words: [en], program: 'peer', writes: 0 };

/** What a ratio is worth: two processes of one program. */
const again = (of: Contender): Contender => {
  const limits = '≥ 0.97, ≤ 1.03';
  return { ...of, name: 'the same again', wanted: { uniform: limits, lists: limits, posts: limits } };
};
type Details = Required<Contender>;
/** One of them in another environment. */
const variant = (of: Contender, name: string, env: Details['env'], wanted: Details['wanted']): Contender => {
  return { ...of, name, env, wanted };
};

/**
 * Readers beside so many writes a second. The fewer servers take turns, the less each finds the processor's caches filled by
 * others, so each rate has a comparison of its own.
 *
 * @param uniform wanted of the service's CPU for an item, `lists` for a list, as parts of the peer's
 */
const readers = (writes: number, uniform: Limits, lists: Limits): Comparison => ({
  workloads: ['uniform', 'lists'],
  contenders: [
    { ...peer, writes },
    ...(writes === 0 ? [again(peer)] : []),
    { ...service, writes, wanted: { uniform, lists } },
    { ...variant(peer, '… with a counter for the total', { TECHNIQUE: 'counter' }, { lists: '' }), writes },
  ],
});

/** What another language costs. */
const createLanguages = (of: Contender): Comparison => ({
  workloads: ['uniform', 'lists'],
  contenders: [
    { ...of, name: 'this service, /api/cars', words: [en] },
    { ...again(of), words: [en] },
    {
      ...of,
      name: 'this service, /api/coches',
      words: [es],
      wanted: { uniform: '≤ 1.03', lists: '≤ 1.03' },
    },
  ],
});

const uncached: Comparison = {
  workloads: ['uniform'],
  contenders: [peer, variant(service, 'this service, CACHE_LIMIT=0', { CACHE_LIMIT: '0' }, { uniform: '≤ 1.2' })],
};

export const reads: readonly Comparison[] = [
  readers(0, '≤ 1.1', '≤ 0.9'),
  readers(10, '≤ 1.15', '≤ 0.9'),
  readers(200, '', ''),
  uncached,
  createLanguages(service),
];

export const million: readonly Comparison[] = [readers(0, '≤ 1.1', '≤ 0.9'), readers(10, '≤ 1.15', '≤ 0.9')].map(
  (comparison) => ({ ...comparison, rounds: 4 }),
);

/** Peers that do the same work for each car: the same indexes, totals by value, and an index of words. */
const ALIKE = { TECHNIQUE: 'alike' };
export const writes: Comparison = {
  workloads: ['posts'],
  contenders: [
    variant(peer, 'Fastify + node:sqlite, a transaction each, the same indexes, totals and search', ALIKE, {}),
    variant(peer, '… with group commit', { TECHNIQUE: 'alike,group' }, { posts: '' }),
    variant(peer, 'Fastify + node:sqlite, a transaction each, without totals and search', {}, { posts: '' }),
    { ...service, readsWithin: 10, wanted: { posts: '≥ 2' } },
  ],
};

const observed = { METRICS_PORT: '0', LOG_LEVEL: 'debug' };

export const settings: Comparison = {
  workloads: ['uniform'],
  contenders: [
    service,
    again(service),
    variant(service, '… with RATE_LIMIT', { RATE_LIMIT: '1000000000' }, { uniform: '≤ 1.03' }),
    variant(service, '… with METRICS_PORT, LOG_LEVEL=debug', observed, { uniform: '≤ 1.05' }),
  ],
};

export const postgres: Comparison = {
  workloads: ['uniform', 'lists', 'posts'],
  contenders: [
    { ...peer, name: 'Fastify + pg' },
    {
      ...service,
      name: 'this service on PostgreSQL',
      wanted: { uniform: '≤ 0.53', lists: '≤ 0.77', posts: '≥ 1.5' },
    },
    {
      ...service,
      name: '… on a database that was new, and grew',
      isGrown: true,
      wanted: { uniform: '≤ 0.6', lists: '≤ 0.85', posts: '≥ 1.5' },
    },
  ],
};
