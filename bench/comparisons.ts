/** Every comparison: who takes turns at what, and what is wanted of it. */
import type { Comparison, Contender } from './support/compare.ts';
import { ENGLISH, SPANISH } from './support/workloads.ts';

const service: Contender = { name: 'this service, /api/cars', words: ENGLISH, program: 'service' };
const spanish: Contender = { ...service, name: 'this service, /api/coches', words: SPANISH };
const peer: Contender = { name: 'Fastify + node:sqlite', words: ENGLISH, program: 'peer' };
const counter: Contender = { ...peer, name: '… with a counter for the total', env: { TECHNIQUE: 'counter' } };
const group: Contender = { ...peer, name: '… with group commit', env: { TECHNIQUE: 'group' } };

const UNIFORM = { title: 'GET item, uniformly at random', workload: 'uniform' } as const;
const LISTS = { title: 'GET list of some 50, filtered, total and links, no two alike', workload: 'lists' } as const;
const POSTS = { title: 'POST, durable, 64 connections', workload: 'posts', ratio: 'rate' } as const;

/** Writes a second from another client. */
const WRITES = [0, 10, 200];
/** Of the Spanish tree, to the English one. */
const ALIKE = { atMost: 1.03 };

const items = (atLeast: number) => ({
  contenders: [service, spanish, peer],
  writes: WRITES,
  wanted: ({ name }: Contender) => (name === spanish.name ? ALIKE : { atLeast }),
  dearer: 1.15,
});

const readsOf = (atLeast: number): readonly Comparison[] => [
  { ...UNIFORM, ...items(atLeast) },
  { title: 'GET item, Zipf (s = 1)', workload: 'zipf', ...items(atLeast) },
  { title: 'GET item, a thousand again and again', workload: 'repeated', ...items(atLeast) },
  {
    ...LISTS,
    contenders: [service, spanish, peer, counter],
    writes: WRITES,
    wanted: ({ name }, writes) => {
      if (name === spanish.name) return ALIKE;
      return { atLeast: name === peer.name && writes === 0 ? 1.8 : 1.4 };
    },
  },
];

export const reads = readsOf(1.2);

const uncached: Contender = { ...service, name: '… with CACHE_LIMIT=0', env: { CACHE_LIMIT: '0' } };

export const manyReads: readonly Comparison[] = [
  ...readsOf(1),
  // At most 1.05 times as dear as without a cache.
  { ...UNIFORM, contenders: [service, uncached], wanted: () => ({ atLeast: 0.95 }) },
];

export const writes: readonly Comparison[] = [
  {
    ...POSTS,
    contenders: [service, peer, group],
    wanted: ({ name }) => ({ atLeast: name === group.name ? 0.9 : 4 }),
    readsWithin: 10,
  },
];

const two: Contender = { ...service, name: 'WORKERS=2', env: { WORKERS: '2' } };
const onAllCores = { contenders: [two, service], ratio: 'rate', role: 'any' } as const;

/** The load takes its part of the same cores. */
export const workers: readonly Comparison[] = [
  { ...UNIFORM, ...onAllCores, wanted: () => ({ atLeast: 1.4 }) },
  { ...LISTS, ...onAllCores, wanted: () => ({ atLeast: 1.6 }) },
  { ...POSTS, ...onAllCores, wanted: () => ({ atLeast: 1 }) },
];

/** Connections of each server to PostgreSQL. */
const POOL = '10';
const onPostgres = {
  contenders: [
    { ...service, name: 'this service on PostgreSQL', env: { DATABASE_POOL: POOL } },
    { ...peer, name: 'Fastify + pg', env: { POOL } },
  ],
};

export const postgres: readonly Comparison[] = [
  { ...UNIFORM, ...onPostgres, wanted: () => ({ atLeast: 1.9 }) },
  { ...LISTS, ...onPostgres, wanted: () => ({ atLeast: 1.3 }) },
  { ...POSTS, ...onPostgres, wanted: () => ({ atLeast: 1.5 }) },
];
