/**
 * Each contender has its own server. All get the same requests in alternating bursts of some milliseconds, so that changes in the
 * machine's speed affect all of them. A ratio is computed per round, because garbage is not collected in every burst.
 */
import { setTimeout } from 'node:timers/promises';
import { type Comparison, type Contender, type Options, SHAPES, type Shape, type Wanted } from './comparison.ts';
import type { Dataset } from './databases.ts';
import { burst, openClient, type Sent, steady, textsOf } from './load.ts';
import { memory, pinLoad, type Role, usedBy, usedSince } from './machine.ts';
import { carAt } from './records.ts';
import { type Server, startServer } from './servers.ts';
import { spotCheck } from './spot-check.ts';
import { changesOf, itemPath, requestsOf, type Workload } from './workloads.ts';
import { wrkLoad } from './wrk.ts';

/** The results of a round. */
export interface Figures {
  /** Microseconds for each request. */
  readonly cpu: number;
  readonly database: number;
  /** Requests a second. */
  readonly rate: number;
}

/** What a side of a comparison is to do. */
interface Task {
  readonly contender: Contender;
  readonly writes: number;
  readonly wanted: Wanted;
}

/** What it has shown. */
export interface Row extends Task {
  readonly rounds: readonly Figures[];
  /** Milliseconds of each item read beside POSTs. */
  readonly reads: readonly number[];
  /** MiB at the end. */
  readonly rss: number;
}

export interface Measured {
  readonly workload: Workload;
  readonly shape: Shape;
  readonly rows: readonly Row[];
  /** How they were measured. */
  readonly note: string;
}

interface Player extends Task {
  readonly server: Server;
}

interface Burst extends Sent {
  /** Microseconds. */
  readonly cpu: number;
  readonly database: number;
  readonly reads: readonly number[];
}

const SMALLEST_BURST = 64;
/** Requests for each car, on average, that warm a server up: more of them change nothing. */
const MOST_VISITS = 5;
/** Item reads a second beside POSTs: enough for a 99th percentile, too few to be a load. */
const READ_RATE = 200;
/** Connections of these reads, open before: as many as may wait at once. */
const READERS = 64;

/** @returns what sends and measures one burst, where a request of the first side costs that many microseconds */
const bursts = (player: Player, workload: Workload, { connections, isOnAllCores }: Shape, dataset: Dataset) => {
  const { cars, place, folder } = dataset;
  const { contender, writes, server } = player;
  const { words } = contender;
  const { origin } = server;
  const send = openClient(origin);
  const isPosting = workload === 'posts';
  const method = isPosting ? 'POST' : 'GET';
  const requests = requestsOf(workload, words, cars);
  const byWrk = isOnAllCores && wrkLoad({ origin, connections, method, requests, folder });
  const next = textsOf(method, requests);
  const nextRead = textsOf('GET', requestsOf('repeated', words, cars));
  const change = textsOf('PUT', changesOf(words, cars));
  let asked = 0;
  return async (count: number, cost: number): Promise<Burst> => {
    // A server under load may accept one connection at a time, long after it is open here.
    const open = connections + READERS;
    if (isPosting) await burst(send, { connections: open, count: open, next: nextRead });
    // As many changes as there would be if the first one answered all the time: most bursts have none of ten a second.
    const every = Math.ceil(1e6 / cost / writes);
    const nextChange = () => (++asked % every === 0 ? change() : undefined);
    const before = [usedBy(server.pid), usedBy(place.server)] as const;
    const sending = byWrk ? byWrk(count) : burst(send, { connections, count, next, nextChange });
    const reads = isPosting ? await steady(send, nextRead, READ_RATE, sending) : [];
    const sent = await sending;
    // Work that a burst leaves behind belongs to it.
    await setTimeout(2);
    const used = { cpu: usedSince(before[0], server.pid), database: usedSince(before[1], place.server) };
    return { ...used, ...sent, reads };
  };
};

const figuresOf = (all: readonly Burst[]): Figures => {
  const sum = (value: (each: Burst) => number): number => all.reduce((total, each) => total + value(each), 0);
  const requests = sum(({ sent, reads }) => sent + reads.length);
  return {
    cpu: sum(({ cpu }) => cpu) / requests,
    database: sum(({ database }) => database) / requests,
    rate: sum(({ sent }) => sent) / sum(({ seconds }) => seconds),
  };
};

/** @returns how much of a core the busiest of the servers uses, in per cent, while nobody asks for anything */
const idleUse = async (players: readonly Player[]): Promise<number> => {
  const before = players.map(({ server }) => usedBy(server.pid));
  await setTimeout(1_000);
  return Math.max(...players.map(({ server }, at) => usedSince(before[at] ?? new Map(), server.pid))) / 10_000;
};

/** Rotates and reverses the order, so that no server always follows the same one. */
const orderOf = <T>(all: readonly T[], turn: number): readonly T[] => {
  const order = [...all.slice(turn % all.length), ...all.slice(0, turn % all.length)];
  return turn % 2 === 0 ? order : order.toReversed();
};

const takeTurns = async (workload: Workload, shape: Shape, players: readonly Player[], dataset: Dataset) => {
  const { turns, rounds, isOnAllCores } = shape;
  const all = players.map((player) => ({
    ...player,
    measure: bursts(player, workload, shape, dataset),
    rounds: [] as Figures[],
    reads: [] as number[],
  }));
  const warmUp = Math.min(shape.warmUp, MOST_VISITS * dataset.cars);
  let cost = Number.NaN;
  for (const { measure } of all) {
    await measure(warmUp / 2, cost);
    const { cpu } = figuresOf([await measure(warmUp / 2, cost)]);
    if (Number.isNaN(cost)) cost = cpu;
  }
  const idle = await idleUse(players);
  const count = Math.max(SMALLEST_BURST, Math.round((shape.burst * 1_000) / cost));
  for (let round = 0; round < rounds; round++) {
    const found = new Map(all.map((each) => [each, [] as Burst[]]));
    for (let turn = 0; turn < turns; turn++) {
      for (const each of orderOf(all, round * turns + turn)) found.get(each)?.push(await each.measure(count, cost));
    }
    for (const [each, own] of found) {
      each.rounds.push(figuresOf(own));
      for (const { reads } of own) each.reads.push(...reads);
    }
  }
  const size = isOnAllCores ? 'a second, by wrk' : `${count.toLocaleString('en')} requests`;
  return {
    workload,
    shape,
    rows: all.map(({ server, ...row }) => ({ ...row, rss: memory(server.pid, 'VmRSS') })),
    note: `${rounds} rounds of ${turns} bursts of ${size}; idle servers used ${idle.toFixed(2)} % of a core at most`,
  };
};

const start = async ({ program, words, env }: Contender, dataset: Dataset, role: Role): Promise<Server> => {
  const DATABASE_URL = await dataset.copyFor(program);
  return startServer({ program, env: { DATABASE_URL, ...env }, readyPath: itemPath(words, carAt(0)), role });
};

/** @returns what each side has shown, a workload after the other */
export async function* measure(comparison: Comparison, dataset: Dataset, options: Options): AsyncGenerator<Measured> {
  const { sides, workloads } = comparison;
  const role = comparison.shape?.isOnAllCores ? 'any' : 'server';
  const players: Player[] = [];
  await using servers = new AsyncDisposableStack();
  for (const [contender, writes, wanted = {}] of sides) {
    const server = servers.use(await start(contender, dataset, role));
    await spotCheck(server.origin, contender.words, dataset.cars);
    players.push({ contender, writes, wanted, server });
  }
  pinLoad(role === 'any' ? 'any' : 'load');
  for (const workload of workloads) {
    const shape = { ...SHAPES[workload], ...comparison.shape };
    if (!shape.title.includes(options.only)) continue;
    const isFirst = (player: Player): boolean => players.find(({ writes }) => writes === player.writes) === player;
    const present = players.filter((player) => isFirst(player) || player.wanted[workload]);
    yield await takeTurns(workload, { ...shape, rounds: options.rounds ?? shape.rounds }, present, dataset);
  }
}
