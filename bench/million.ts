/** What a large catalogue costs: start and memory, a stream of everything, first pages of searches, pages in the middle. */
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { stream } from './peers/stream.ts';
import type { Options } from './support/comparison.ts';
import { type Dataset, pathOf } from './support/databases.ts';
import { memory } from './support/machine.ts';
import { carAt } from './support/records.ts';
import { type Goal, goalTable, type Report } from './support/report.ts';
import { get, startServer } from './support/servers.ts';
import { ENGLISH, itemPath } from './support/workloads.ts';

const ROUNDS = 3;
/** Until what a start leaves behind is done. */
const QUIET_MS = 2_000;

const starting = async (DATABASE_URL: string, { many, rounds = ROUNDS }: Options): Promise<readonly Goal[]> => {
  const times: number[] = [];
  const sizes: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const readyPath = itemPath(ENGLISH, carAt(many - 1));
    await using server = await startServer({ env: { DATABASE_URL }, readyPath, role: 'any' });
    times.push(server.startTime);
    await setTimeout(QUIET_MS);
    sizes.push(memory(server.pid, 'VmRSS'));
  }
  return [
    ['first response after node starts', 'ms', times, { atMost: 350 }],
    ['RSS when idle', 'MiB', sizes, { atMost: 95 }],
  ];
};

/** @returns bytes */
const drain = async (url: string): Promise<number> => {
  let bytes = 0;
  for await (const chunk of await get(url)) bytes += chunk.length;
  return bytes;
};

const streaming = async (DATABASE_URL: string, { rounds = ROUNDS }: Options): Promise<Goal> => {
  await using server = await startServer({ env: { DATABASE_URL } });
  const ratios: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now();
    const expected = stream(pathOf(DATABASE_URL));
    const middle = performance.now();
    const bytes = await drain(server.origin + ENGLISH.collection);
    if (bytes !== expected) throw new Error(`the list of all cars has ${bytes} bytes instead of ${expected}`);
    ratios.push((middle - start) / (performance.now() - middle));
  }
  // The first one warms up.
  return ['stream of all, speed to a bare program’s', '×', ratios.slice(1), { atLeast: 0.7 }];
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

/** Times pages, from the second or the middle one on: each time the next one, because that is not cached. */
const pages = async (origin: string, query: string, isMiddle: boolean, atMost: number): Promise<Goal> => {
  const list = `${origin}${ENGLISH.collection}?${query}&${ENGLISH.size}=${SIZE}&${ENGLISH.page}=`;
  const [, total] = await timeOf(`${list}1`);
  const first = isMiddle ? Math.ceil(total / SIZE / 2) : 2;
  const times: number[] = [];
  for (let at = 0; at < WARM_UP + TIMES; at++) times.push((await timeOf(`${list}${first + at}`))[0]);
  return [`${decodeURIComponent(query)} (${total.toLocaleString('en')} cars)`, 'ms', times.slice(WARM_UP), { atMost }];
};

/** Of these records: rare and common words, in one text and in several, beginnings, three words. */
const SEARCHES = ['ibiza tdi', 'seat i', 'citroen c4', 'diesel 2', 'diesel 2.0', '1.9 tdi sport'];

export const searching = async (dataset: Dataset): Promise<Report> => {
  await using server = await startServer({ env: { DATABASE_URL: await dataset.copyFor('service') } });
  const goals: Goal[] = [];
  for (const search of SEARCHES) {
    goals.push(await pages(server.origin, `search=${encodeURIComponent(search)}`, false, 50));
  }
  return goalTable('Searches, pages of 50 with the total', goals);
};

/** Sorts and filters that no index answers; and two by an index, for comparison. */
const MIDDLES = ['sort_by=year&order=desc', 'sort_by=identifier', 'sort_by=doors', 'fuel=diesel&sort_by=brand'];

const paging = async (DATABASE_URL: string): Promise<Report> => {
  await using server = await startServer({ env: { DATABASE_URL } });
  const goals: Goal[] = [];
  for (const query of MIDDLES) goals.push(await pages(server.origin, query, true, 300));
  return goalTable('Middle pages', goals);
};

/** @returns the tables, one subject after the other */
export async function* large(dataset: Dataset, options: Options): AsyncGenerator<Report> {
  const url = await dataset.copyFor('service');
  yield goalTable('Start, memory, stream', [...(await starting(url, options)), await streaming(url, options)]);
  yield await paging(url);
  yield await searching(dataset);
}
