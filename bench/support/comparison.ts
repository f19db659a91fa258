/** What a comparison is, and how each workload is measured. */
import type { Limits } from './report.ts';
import type { Environment } from './servers.ts';
import type { Words, Workload } from './workloads.ts';

export interface Options {
  /** A temporary folder, removed after the run. */
  readonly folder: string;
  /** Only tables of comparisons whose title contains this are made. */
  readonly only: string;
  /** Replaces the number of rounds of each table. */
  readonly rounds: number | undefined;
  readonly cars: number;
  /** Cars of `million` and `imports`. */
  readonly many: number;
}

/** A server to compare. */
export interface Contender {
  readonly name: string;
  readonly words: Words;
  readonly program: 'service' | 'peer';
  readonly env?: Environment;
}

/** What is wanted in the table of each workload. */
export type Wanted = Partial<Record<Workload, Limits>>;

/**
 * A contender, at a number of writes a second from another client. The first one with as many writes is in each table, and the
 * others are compared with it; the others are in those of which something is wanted. The first ones are compared with the very first.
 */
export type Side = readonly [contender: Contender, writes: number, wanted?: Wanted];

/** How a workload is measured. */
export interface Shape {
  readonly title: string;
  /** What is divided: the CPU of a side by that of the first, or the first one's requests/s by those of a side. */
  readonly ratio: 'cpu' | 'rate';
  readonly connections: number;
  /** Whether servers and load share all cores; wrk makes the load then, in bursts of whole seconds. */
  readonly isOnAllCores?: boolean;
  /** Requests before anything is measured: what has run for days is compiled, and has in memory what it can have. */
  readonly warmUp: number;
  readonly rounds: number;
  /** Turns of a round. */
  readonly turns: number;
  /** Length of a burst, in milliseconds of the first one's CPU. */
  readonly burst: number;
}

const READS = { ratio: 'cpu', connections: 32, rounds: 12, turns: 20, burst: 12 } as const;
export const SHAPES: Readonly<Record<Workload, Shape>> = {
  uniform: { title: 'GET item, uniformly at random', warmUp: 100_000, ...READS },
  zipf: { title: 'GET item, Zipf (s = 1)', warmUp: 20_000, ...READS },
  repeated: { title: 'GET item, a thousand again and again', warmUp: 10_000, ...READS },
  lists: { title: 'GET list of some 50, filtered, no two alike', warmUp: 4_000, ...READS },
  posts: {
    title: 'POST, durable, 64 connections',
    ratio: 'rate',
    connections: 64,
    warmUp: 4_000,
    rounds: 24,
    turns: 1,
    // What is committed together must come together.
    burst: 400,
  },
};
export interface Comparison {
  /** A table for each; what changes much comes last. */
  readonly workloads: readonly Workload[];
  readonly sides: readonly Side[];
  readonly shape?: Partial<Shape>;
  /** Milliseconds that item reads beside the first one's POSTs may take, 99th percentile. */
  readonly readsWithin?: number;
}
