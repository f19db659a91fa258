/** Every comparison: who takes turns at what, and what is wanted of it. */
import type { Comparison, Contender, Subject } from './support/turns.ts';
import { ENGLISH, SPANISH } from './support/workloads.ts';

const service: Contender = { name: 'this service, /api/cars', words: ENGLISH, program: 'service' };
const control: Contender = { ...service, name: 'the same again: what a ratio is worth', isControl: true };
const spanish: Contender = { ...service, name: 'this service, /api/coches', words: SPANISH };
const peer: Contender = { name: 'Fastify + node:sqlite', words: ENGLISH, program: 'peer' };
const counter: Contender = { ...peer, name: '… with a counter for the total', env: { TECHNIQUE: 'counter' } };
const group: Contender = { ...peer, name: '… with group commit', env: { TECHNIQUE: 'group' } };

const BURSTS = { rounds: 12, turns: 20, burst: 12 } as const;
const UNIFORM = { title: 'GET item, uniformly at random', workload: 'uniform', ...BURSTS } as const;
const ZIPF = { title: 'GET item, Zipf (s = 1)', workload: 'zipf', ...BURSTS } as const;
const REPEATED = { title: 'GET item, a thousand again and again', workload: 'repeated', ...BURSTS } as const;
const LISTS = { title: 'GET list of some 50, filtered, no two alike', workload: 'lists', ...BURSTS } as const;
const POSTS = {
  title: 'POST, durable, 64 connections',
  workload: 'posts',
  ratio: 'rate',
  rounds: 24,
  turns: 1,
  // What is committed together must come together.
  burst: 400,
} as const;

/** Writes a second from another client. */
const WRITES = [0, 10, 200];
/** What the control must show. */
const SAME = { atLeast: 0.97, atMost: 1.03 };
/** Of the Spanish tree, to the English one. */
const ALIKE = { atMost: 1.03 };

/** @param atLeast wanted of items */
const readsOf = (atLeast: number): readonly Subject[] => {
  const wanted = (contender: Contender) => {
    if (contender.isControl) return SAME;
    return contender === spanish ? ALIKE : { atLeast };
  };
  const items = { wanted, without: counter, dearer: 1.15 };
  const lists = (contender: Contender, writes: number) => {
    if (contender.program === 'service') return wanted(contender);
    return { atLeast: contender === peer && writes === 0 ? 1.8 : 1.4 };
  };
  return [
    { ...UNIFORM, ...items },
    { ...ZIPF, ...items },
    { ...REPEATED, ...items },
    { ...LISTS, wanted: lists },
  ];
};

const readers = [service, control, spanish, peer, counter];
export const reads: readonly Comparison[] = [{ contenders: readers, writes: WRITES, subjects: readsOf(1.2) }];

const uncached: Contender = { ...service, name: '… with CACHE_LIMIT=0', env: { CACHE_LIMIT: '0' } };

export const manyReads: readonly Comparison[] = [
  // At most 1.05 times as dear as without a cache.
  { contenders: [service, uncached], subjects: [{ ...UNIFORM, wanted: () => ({ atLeast: 0.95 }) }] },
  { contenders: readers, writes: WRITES, subjects: readsOf(1) },
];

const creating = (contender: Contender) => {
  if (contender.isControl) return SAME;
  return { atLeast: contender === group ? 0.9 : 4 };
};
export const writes: readonly Comparison[] = [
  { contenders: [service, control, peer, group], subjects: [{ ...POSTS, wanted: creating, readsWithin: 10 }] },
];

const limited: Contender = { ...service, name: 'RATE_LIMIT', env: { RATE_LIMIT: '1000000000' } };
const OBSERVED = { METRICS_PORT: '0', LOG_LEVEL: 'debug' };
const observed: Contender = { ...service, name: 'METRICS_PORT, LOG_LEVEL=debug', env: OBSERVED };

export const settings: readonly Comparison[] = [
  {
    contenders: [{ ...service, name: 'neither' }, control, limited, observed],
    isTogether: true,
    subjects: [
      {
        ...UNIFORM,
        title: 'GET item, by settings, all in one process',
        rounds: 20,
        wanted: (contender) => (contender.isControl ? SAME : { atMost: contender === limited ? 1.03 : 1.05 }),
      },
    ],
  },
];

const two: Contender = { ...service, name: 'WORKERS=2', env: { WORKERS: '2' } };
const BY_SECONDS = { ratio: 'rate', rounds: 15, turns: 1 } as const;

export const workers: readonly Comparison[] = [
  {
    contenders: [two, service],
    isOnAllCores: true,
    subjects: [
      { ...UNIFORM, ...BY_SECONDS, wanted: () => ({ atLeast: 1.4 }) },
      { ...LISTS, ...BY_SECONDS, wanted: () => ({ atLeast: 1.6 }) },
      { ...POSTS, ...BY_SECONDS, wanted: () => ({ atLeast: 1 }) },
    ],
  },
];

/** Connections of each server to PostgreSQL. */
const POOL = '10';
const atLeast = (ratio: number) => ({
  wanted: ({ isControl }: Contender) => (isControl ? SAME : { atLeast: ratio }),
});

export const postgres: readonly Comparison[] = [
  {
    contenders: [
      { ...service, name: 'this service on PostgreSQL', env: { DATABASE_POOL: POOL } },
      { ...control, env: { DATABASE_POOL: POOL } },
      { ...peer, name: 'Fastify + pg', env: { POOL } },
    ],
    subjects: [
      { ...UNIFORM, ...atLeast(1.9) },
      { ...LISTS, ...atLeast(1.3) },
      { ...POSTS, ...atLeast(1.5) },
    ],
  },
];
