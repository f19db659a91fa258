/** What a large catalogue costs: start and memory, a stream of everything, first pages of searches, pages in the middle. */
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { en } from '../test/support/app/trees.ts';
import { stream } from './peers/stream.ts';
import { type Databases, pathOf } from './support/databases.ts';
import { memory } from './support/machine.ts';
import { type Goal, goalTable } from './support/report.ts';
import { get, startServer } from './support/servers.ts';

/** Until what a start leaves behind is done. */
const QUIET_MS = 2_000;

const starting = async (url: string, rounds: number): Promise<readonly Goal[]> => {
  const found = await Array.fromAsync({ length: rounds }, async () => {
    await using server = await startServer(url, { role: 'any' });
    await setTimeout(QUIET_MS);
    return { time: server.startTime, size: memory(server.pid, 'VmRSS') };
  });
  return [
    ['first response after node starts', 'ms', found.map(({ time }) => time), '≤ 350'],
    ['RSS when idle', 'MiB', found.map(({ size }) => size), '≤ 95'],
  ];
};

const streaming = async (url: string, rounds: number): Promise<Goal> => {
  await using server = await startServer(url);
  const ratios = await Array.fromAsync({ length: rounds + 1 }, async () => {
    const start = performance.now();
    const expected = stream(pathOf(url));
    const middle = performance.now();
    let bytes = 0;
    for await (const chunk of await get(server.origin + en.cars)) bytes += chunk.length;
    if (bytes !== expected) throw new Error(`the list of all cars has ${bytes} bytes instead of ${expected}`);
    return (middle - start) / (performance.now() - middle);
  });
  // The first one warms up.
  return ['stream of all, speed to a bare program’s', '×', ratios.slice(1), '≥ 0.7'];
};

/** @returns milliseconds, and the number of all items */
const timeOf = async (url: string): Promise<readonly [number, number]> => {
  const sent = performance.now();
  const response = await get(url);
  await buffer(response);
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode}`);
  return [performance.now() - sent, Number(response.headers['x-total-count'])];
};

const SIZE = 50;
const TIMES = 15;
const WARM_UP = 6;

/** Times pages of 50, each time the next one, because that is not cached. @param firstOf tells where to begin by the number of cars */
const pages = async (url: string, queries: readonly string[], firstOf: (total: number) => number, atMost: number) => {
  await using server = await startServer(url);
  return await Array.fromAsync(queries, async (query): Promise<Goal> => {
    const list = `${server.origin}${en.cars}?${query}&${en.number_of_elements}=${SIZE}&${en.page}=`;
    const [, total] = await timeOf(`${list}1`);
    const first = firstOf(total);
    const found = await Array.fromAsync({ length: WARM_UP + TIMES }, (_, at) => timeOf(`${list}${first + at}`));
    const times = found.slice(WARM_UP).map(([time]) => time);
    return [`${decodeURIComponent(query)} (${total.toLocaleString('en')} cars)`, 'ms', times, `≤ ${atMost}`];
  });
};

/** Of these records: rare and common words, in one text and in several, beginnings, three words. */
const SEARCHES = ['ibiza tdi', 'seat i', 'citroen c4', 'diesel 2', 'diesel 2.0', '1.9 tdi sport'];

export const searching = async (url: string): Promise<string> => {
  const queries = SEARCHES.map((search) => `search=${encodeURIComponent(search)}`);
  return goalTable('Searches, pages of 50 with the total', await pages(url, queries, () => 2, 50));
};

/** Sorts and filters that no index answers; and two by an index, for comparison. */
const MIDDLES = ['sort_by=year&order=desc', 'sort_by=identifier', 'sort_by=doors', 'fuel=diesel&sort_by=brand'];

/** @returns the tables, one subject after the other */
export async function* large(databases: Databases, rounds = 3): AsyncGenerator<string> {
  const url = await databases.copyFor('service');
  yield goalTable('Start, memory, stream', [...(await starting(url, rounds)), await streaming(url, rounds)]);
  yield goalTable('Middle pages', await pages(url, MIDDLES, (total) => Math.ceil(total / SIZE / 2), 300));
  yield await searching(url);
}
