/** What a large catalogue costs: start and memory, a stream of everything, first pages of searches, pages in the middle. */
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { iterate } from './peers/iterate.js';
import type { Dataset } from './support/databases.ts';
import { memory } from './support/machine.ts';
import { carAt } from './support/records.ts';
import { type Goal, goalTable, type Report, spreadOf } from './support/report.ts';
import { get, serviceArguments, startServer, withServer } from './support/servers.ts';
import { type Options, ROUNDS } from './support/turns.ts';
import { ENGLISH, itemPath } from './support/workloads.ts';

const launch = (url: string, readyPath?: string) => ({
  args: serviceArguments,
  env: { DATABASE_URL: url },
  ...(readyPath === undefined ? {} : { readyPath }),
});

const starting = async (url: string, { many, rounds = ROUNDS }: Options): Promise<readonly Goal[]> => {
  const times: number[] = [];
  const sizes: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const server = await startServer(launch(url, itemPath(ENGLISH, carAt(many - 1))));
    times.push(server.startTime);
    await setTimeout(2_000);
    sizes.push(memory(server.pid, 'VmRSS'));
    await server.stop();
  }
  return [
    ['first response after node starts', 'ms', spreadOf(times), { atMost: 350 }],
    ['RSS when idle', 'MiB', spreadOf(sizes), { atMost: 95 }],
  ];
};

/** @returns bytes */
const drain = async (url: string): Promise<number> => {
  let bytes = 0;
  for await (const chunk of await get(url)) bytes += chunk.length;
  return bytes;
};

const streaming = async (url: string, { rounds = ROUNDS }: Options): Promise<readonly Goal[]> => {
  const ratios = await withServer(launch(url), async ({ origin }) => {
    const found: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const start = performance.now();
      const expected = iterate(url.slice('sqlite:'.length));
      const middle = performance.now();
      const bytes = await drain(origin + ENGLISH.collection);
      if (bytes !== expected) throw new Error(`the list of all cars has ${bytes} bytes instead of ${expected}`);
      // The first one warms up.
      if (round > 0) found.push((middle - start) / (performance.now() - middle));
    }
    return found;
  });
  return [['stream of all, speed to a bare program’s', '×', spreadOf(ratios), { atLeast: 0.7 }]];
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

/** Times pages from the first or the middle one on: each time the next one, because that is not cached. */
const pages = async (origin: string, query: string, isMiddle: boolean, atMost: number): Promise<Goal> => {
  const list = `${origin}${ENGLISH.collection}?${query}&${ENGLISH.size}=${SIZE}&${ENGLISH.page}=`;
  const [, total] = await timeOf(`${list}1`);
  const first = isMiddle ? Math.ceil(total / SIZE / 2) : 2;
  const times: number[] = [];
  for (let at = 0; at < WARM_UP + TIMES; at++) times.push((await timeOf(`${list}${first + at}`))[0]);
  const name = `${isMiddle ? 'middle page' : 'page'} of ${decodeURIComponent(query)} (${total.toLocaleString('en')} cars)`;
  return [name, 'ms', spreadOf(times.slice(WARM_UP)), { atMost }];
};

/** Of these records: rare and common words, in one text and in several, beginnings, three words. */
const SEARCHES = ['ibiza tdi', 'seat i', 'citroen c4', 'diesel 2', 'diesel 2.0', '1.9 tdi sport'];

export const searching = async (dataset: Dataset): Promise<Report> =>
  withServer(launch(await dataset.copyOf('service')), async ({ origin }) => {
    const goals: Goal[] = [];
    for (const search of SEARCHES) goals.push(await pages(origin, `search=${encodeURIComponent(search)}`, false, 50));
    return ['## Searches, pages of 50 with the total', '', ...goalTable(goals)];
  });

/** Sorts and filters that no index answers; and two by an index, for comparison. */
const MIDDLES = ['sort_by=year&order=desc', 'sort_by=identifier', 'sort_by=doors', 'fuel=diesel&sort_by=brand'];

/** @returns the tables, one subject after the other */
export async function* large(dataset: Dataset, options: Options): AsyncGenerator<Report> {
  const url = await dataset.copyOf('service');
  const found = [...(await starting(url, options)), ...(await streaming(url, options))];
  yield ['## Start, memory, stream', '', ...goalTable(found)];
  const middles = await withServer(launch(url), async ({ origin }) => {
    const goals: Goal[] = [];
    for (const query of MIDDLES) goals.push(await pages(origin, query, true, 300));
    return goals;
  });
  yield ['## Middle pages', '', ...goalTable(middles)];
  yield await searching(dataset);
}
