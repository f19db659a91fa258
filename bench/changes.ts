/** What it costs to follow changes: open streams of events, the time until an event is there, and a delta of many cars. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { en } from '../test/support/app/trees.ts';
import type { Databases } from './support/databases.ts';
import { burst, openClient, requestText, type Send } from './support/load.ts';
import { memory } from './support/machine.ts';
import { type Goal, goalTable, percentile } from './support/report.ts';
import { get, type Server, startServer } from './support/servers.ts';

const STREAMS = 1_000;
/** Requests before memory is measured: the heap of a service that has answered little grows by more than what is kept. */
const WARM_UP = 15_000;
/** Milliseconds until what that leaves behind is done. */
const QUIET = 3_000;

/** @param onEvents called with the bytes of each stream that arrive after its head */
const openStreams = async ({ origin }: Server, onEvents: (bytes: Buffer) => void): Promise<AsyncDisposable> => {
  const sockets: Socket[] = [];
  for (let at = 0; at < STREAMS; at++) {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`GET ${en.cars} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n`);
    await once(socket, 'data');
    sockets.push(socket.on('data', onEvents));
  }
  return {
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await setTimeout(QUIET);
    },
  };
};

const readItem = (send: Send, cars: number) => (): Promise<void> =>
  send(requestText('GET', `${en.cars}/car-${Math.floor(Math.random() * cars)}`));

const readList = (send: Send) => (): Promise<void> =>
  send(requestText('GET', `${en.cars}?${en.number_of_elements}=50`));

/** @param warmUp what the service has answered before. @returns KiB of each stream */
const memoryOf = async (url: string, warmUp: (send: Send) => () => Promise<void>): Promise<number> => {
  await using server = await startServer(url);
  await burst(32, WARM_UP, warmUp(openClient(server.origin)));
  await setTimeout(QUIET);
  const before = memory(server.pid, 'VmRSS');
  await using _streams = await openStreams(server, () => {});
  await setTimeout(QUIET);
  return ((memory(server.pid, 'VmRSS') - before) * 1_024) / STREAMS;
};

const WRITES = 100;
/** Milliseconds between two of them: a person's changes, not an import. */
const APART = 100;

/** @returns milliseconds from the response to a write until each stream has its event */
const delaysOf = async (url: string): Promise<readonly number[]> => {
  await using server = await startServer(url);
  const arrived: number[] = [];
  await using _streams = await openStreams(server, () => arrived.push(performance.now()));
  const send = openClient(server.origin);
  const delays: number[] = [];
  for (let write = 0; write < WRITES; write++) {
    arrived.length = 0;
    await send(requestText('PUT', `${en.cars}/car-${write}`, { [en.version]: `bench ${write}` }));
    const committed = performance.now();
    while (arrived.length < STREAMS) await setTimeout(APART);
    delays.push(...arrived.map((time) => Math.max(0, time - committed)));
  }
  return delays;
};

const BURST = 5_000;

/** @returns requests a second beside open streams to those without, by turns */
const ratesOf = async (url: string, other: string, cars: number, rounds: number): Promise<readonly number[]> => {
  await using alone = await startServer(url);
  await using beside = await startServer(other);
  await using _streams = await openStreams(beside, () => {});
  const asks = [alone, beside].map(({ origin }) => readItem(openClient(origin), cars));
  for (const ask of asks) await burst(32, WARM_UP, ask);
  return await Array.fromAsync({ length: rounds }, async (_, round) => {
    const seconds = [0, 0];
    for (const turn of [0, 1, 1, 0]) {
      const at = (turn + round) % 2;
      const ask = asks[at];
      if (ask) seconds[at] = (seconds[at] ?? 0) + (await burst(32, BURST, ask)).seconds;
    }
    return (seconds[0] ?? 0) / (seconds[1] ?? 1);
  });
};

const CHANGES = 1_000;
const TIMES = 20;

/** @returns milliseconds of a delta with so many changes, spread over all cars */
const deltasOf = async (url: string, cars: number): Promise<readonly number[]> => {
  await using server = await startServer(url);
  const list = `${server.origin}${en.cars}`;
  const start = await get(`${list}?${en.changed_since}=now`);
  start.resume();
  const send = openClient(server.origin);
  let changed = 0;
  await burst(64, CHANGES, () => {
    const at = Math.floor((changed++ * cars) / CHANGES);
    return send(requestText('PUT', `${en.cars}/car-${at}`, { [en.version]: `bench ${at}` }));
  });
  return await Array.fromAsync({ length: TIMES }, async () => {
    let [position, told] = [start.headers['x-change'], 0];
    const sent = performance.now();
    while (told < CHANGES) {
      const response = await fetch(`${list}?${en.changed_since}=${position}`);
      told += ((await response.json()) as readonly object[]).length;
      position = response.headers.get('x-change') ?? '';
    }
    return performance.now() - sent;
  });
};

/** @returns the tables, one after the other */
export async function* changes(some: Databases, many: Databases, rounds = 6): AsyncGenerator<string> {
  const copy = () => some.copyFor('service');
  const sizesAfter = (warmUp: Parameters<typeof memoryOf>[1]) =>
    Array.fromAsync({ length: 3 }, async () => memoryOf(await copy(), warmUp));
  const afterItems = await sizesAfter((send) => readItem(send, some.cars));
  const afterLists = await sizesAfter(readList);
  const delays = await delaysOf(await copy());
  const rates = await ratesOf(await copy(), await copy(), some.cars, rounds);
  const goals: readonly Goal[] = [
    [
      `memory of each of ${STREAMS.toLocaleString('en')} streams, in a service that has answered items`,
      'KiB',
      afterItems,
      '≤ 20',
    ],
    ['… in one that has answered lists of 50', 'KiB', afterLists, '≤ 20'],
    ['from the response to a PUT to its event on every stream, p50', 'ms', [percentile(delays, 0.5)], '≤ 20'],
    ['… p99', 'ms', [percentile(delays, 0.99)], '≤ 150'],
    ['items a second beside them, to the same without', '×', rates, '≥ 0.9'],
  ];
  yield goalTable(`Events, SQLite, ${some.cars.toLocaleString('en')} cars`, goals);
  const deltas = await deltasOf(await many.copyFor('service'), many.cars);
  yield goalTable(`Deltas, SQLite, ${many.cars.toLocaleString('en')} cars`, [
    [`${CHANGES.toLocaleString('en')} changes in four pages, read and parsed`, 'ms', deltas, '≤ 10'],
  ]);
}
