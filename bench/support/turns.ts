/** One contender's turn: a burst of requests to its server, some milliseconds long, and what it has taken. */
import { setTimeout } from 'node:timers/promises';
import type { Databases } from './databases.ts';
import { burst, openClient, type Sent, steady } from './load.ts';
import { cpuTimer } from './machine.ts';
import type { Limits } from './report.ts';
import type { Environment, Program, Server } from './servers.ts';
import { putAny, WORKLOADS, type Words, type WorkloadName } from './workloads.ts';

/** A server to compare. */
export interface Contender {
  readonly name: string;
  /** Of the trees that its requests go to, one after the other. */
  readonly words: readonly [Words, ...Words[]];
  readonly program: Program;
  readonly env?: Environment;
  /** Whether its database is new when it starts, and grows under it, rather than a copy of one that was analysed. */
  readonly isGrown?: boolean;
  /** A second, from another client. */
  readonly writes: number;
  /** Of the ratio to the first contender, by workload. */
  readonly wanted?: Partial<Record<WorkloadName, Limits>>;
  /** Milliseconds that item reads beside its POSTs may take, 99th percentile. */
  readonly readsWithin?: number;
}

/** What a burst, or all of a round, has taken. */
export interface Sample extends Sent {
  /** Microseconds of CPU, of the server and of its database's server. */
  readonly cpu: number;
  readonly database: number;
  /** Milliseconds of each item read beside POSTs. */
  readonly reads: readonly number[];
}

/** Item reads a second beside POSTs: enough for a 99th percentile, too few to be a load. */
const READ_RATE = 200;
/** Connections of these reads, open before: as many as may wait at once. */
const READERS = 64;

/** @returns sends and measures a burst, where a request of the first contender costs that many microseconds */
export const turnsOf = (
  { words, writes }: Contender,
  { origin, pid }: Server,
  { cars, server }: Databases,
  workload: WorkloadName,
  connections: number,
) => {
  const send = openClient(origin);
  const isPosting = workload === 'posts';
  let [asked, read, changes] = [0, 0, 0];
  const wordsAt = (at: number): Words => words[at % words.length] ?? words[0];
  const textAt = (at: number): string => WORKLOADS[workload].requestAt(wordsAt(at), cars, at);
  const nextRead = (): string => WORKLOADS.uniform.requestAt(wordsAt(read), cars, read++);
  return async (count: number, cost: number): Promise<Sample> => {
    // A server under load may accept one connection at a time, long after it is open here.
    const open = connections + READERS;
    if (isPosting) await burst(open, open, () => send(nextRead()));
    // As many changes as there would be if the first one answered all the time: most bursts have none of ten a second.
    const every = Math.ceil(1e6 / cost / writes);
    let changed = Promise.resolve();
    const ask = (): Promise<void> => {
      if (++asked % every === 0) changed = changed.then(() => send(putAny(wordsAt(changes), cars, changes++)));
      return send(textAt(asked));
    };
    const [cpu, database] = [cpuTimer(pid), cpuTimer(server)];
    const sending = burst(connections, count, ask);
    const reads = isPosting ? await steady(send, nextRead, READ_RATE, sending) : [];
    const sent = await sending;
    await changed;
    // Work that a burst leaves behind belongs to it.
    await setTimeout(2);
    return { ...sent, cpu: cpu(), database: database(), reads };
  };
};
