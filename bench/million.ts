/** A million cars: items and lists, one stream of all of them, pages that no index gives, start and memory. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Options } from './options.ts';
import { readsOf } from './reads.ts';
import { searchPages } from './searches.ts';
import { serviceDatabase } from './support/databases.ts';
import { here, runOnLoadCore, type SteadyResult, steady, writeSteady } from './support/load.ts';
import { peakRss, rss } from './support/machine.ts';
import { serviceArguments } from './support/peers.ts';
import { carAt, carsUpTo } from './support/records.ts';
import { type Goal, goalTable, type Report, shown, table } from './support/report.ts';
import { type Running, startServer } from './support/servers.ts';
import { spreadOf } from './support/statistics.ts';
import { ENGLISH, itemPath } from './support/workloads.ts';

const serve = (file: string, readyPath = '/livez'): Promise<Running> =>
  startServer({
    args: () => ['--import', here('tools/loop-delay.js'), ...serviceArguments],
    env: { DATABASE_URL: `sqlite:${file}` },
    readyPath,
  });

/** @returns milliseconds of the event loop's delay, 99.9th percentile */
const loopDelay = async ({ child }: Running): Promise<number> => {
  const message = once(child, 'message');
  child.send('read');
  return (await message)[0].p999;
};

interface Drained {
  readonly status: number;
  readonly complete: boolean;
  readonly total: number;
  readonly bytes: number;
  readonly milliseconds: number;
  readonly hash: string;
}

const hashOfAll = (count: number): string => {
  const hash = createHash('sha256');
  for (let number = 0; number < count; number++) {
    hash.update(`${number === 0 ? '[' : ','}${JSON.stringify(carAt(number))}`);
  }
  return hash.update(']').digest('hex');
};

interface Pass {
  /** MB/s. */
  readonly speed: number;
  /** MB/s of the bare program. */
  readonly bare: number;
  readonly delay: number;
  readonly reads: SteadyResult;
}

const speedOf = ({ bytes, milliseconds }: Pick<Drained, 'bytes' | 'milliseconds'>): number =>
  bytes / 1_000 / milliseconds;

/** Reads everything once while items are asked for, and once more by a bare program. */
const streamOnce = async (
  server: Running,
  file: string,
  items: string,
  wanted: Pick<Drained, 'total' | 'hash'>,
): Promise<Pass> => {
  const bare = (await runOnLoadCore(process.execPath, [here('tools/iterate.js'), file])) as Drained;
  server.child.send('reset');
  const [drained, reads] = await Promise.all([
    runOnLoadCore(process.execPath, [here('tools/drain.js'), server.origin + ENGLISH.collection]) as Promise<Drained>,
    steady(server.origin, items, 200, 2),
  ]);
  const delay = await loopDelay(server);
  const { status, complete, total, hash } = drained;
  if (status !== 200 || !complete || total !== wanted.total || hash !== wanted.hash)
    throw new Error(`the list of all cars is not what is claimed: ${JSON.stringify(drained)}`);
  return { speed: speedOf(drained), bare: speedOf(bare), delay, reads };
};

const streaming = async (file: string, folder: string, { many, rounds }: Options): Promise<Report> => {
  const items = join(folder, 'items.txt');
  writeSteady(
    items,
    carsUpTo(1_000).map((car) => ({ path: itemPath(ENGLISH, car), expected: JSON.stringify(car) })),
  );
  const wanted = { total: many, hash: hashOfAll(many) };
  const server = await serve(file);
  try {
    await streamOnce(server, file, items, wanted);
    const passes: Pass[] = [];
    for (let round = 0; round < rounds; round++) passes.push(await streamOnce(server, file, items, wanted));
    const goal = (name: string, unit: string, values: readonly number[], wanted: Partial<Goal>): Goal => ({
      name,
      unit,
      found: spreadOf(values),
      ...wanted,
    });
    const of = (pick: (pass: Pass) => number): readonly number[] => passes.map(pick);
    return [
      `## Streaming all of ${many.toLocaleString('en')} cars`,
      '',
      ...goalTable([
        goal(
          'speed',
          'MB/s',
          of(({ speed }) => speed),
          {},
        ),
        goal(
          'to a bare program that iterates and concatenates',
          '×',
          of(({ speed, bare }) => speed / bare),
          { atLeast: 0.7 },
        ),
        goal(
          'event-loop delay p99.9',
          'ms',
          of(({ delay }) => delay),
          { atMost: 20 },
        ),
        goal(
          'item reads meanwhile, p99',
          'ms',
          of(({ reads }) => reads.p99),
          { atMost: 5 },
        ),
        goal('RSS, the highest of all passes', 'MiB', [peakRss(server.pid)], { atMost: 260 }),
      ]),
    ];
  } finally {
    await server.stop();
  }
};

/** Sorts and filters that no index answers, at their middle page; and one by an index, for comparison. */
const PAGES: readonly string[] = [
  'sort_by=year&order=desc',
  'sort_by=identifier',
  'sort_by=doors',
  'sort_by=fuel',
  'fuel=diesel',
  'fuel=diesel&sort_by=brand',
];
const SIZE = 50;
const TIMES = 5;

const timeOf = async (url: string): Promise<number> => {
  const sent = performance.now();
  const response = await fetch(url);
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
  return performance.now() - sent;
};

const middlePages = async (file: string): Promise<Report> => {
  const server = await serve(file);
  try {
    const rows: string[][] = [];
    for (const query of PAGES) {
      const list = `${server.origin}${ENGLISH.collection}?${query}&${ENGLISH.size}=${SIZE}`;
      const total = Number((await fetch(list, { method: 'HEAD' })).headers.get('x-total-count'));
      const middle = Math.ceil(total / SIZE / 2);
      const times: number[] = [];
      // Each time another page: one that was requested before is cached.
      for (let at = 0; at < TIMES; at++) times.push(await timeOf(`${list}&${ENGLISH.page}=${middle + at}`));
      const found = spreadOf(times);
      rows.push([query, shown(found), '≤ 300', found.median <= 300 ? 'met' : '**missed**']);
    }
    return ['## Middle pages', '', ...table(['', 'ms: median [range]', 'wanted', ''], rows)];
  } finally {
    await server.stop();
  }
};

const searching = async (file: string): Promise<Report> => {
  const server = await serve(file);
  try {
    return await searchPages(server.origin);
  } finally {
    await server.stop();
  }
};

const IDLE = 2_000;

const starting = async (file: string, { many, rounds }: Options): Promise<Report> => {
  const times: number[] = [];
  const sizes: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const server = await serve(file, itemPath(ENGLISH, carAt(many - 1)));
    times.push(server.startTime);
    const text = await (await fetch(server.origin + itemPath(ENGLISH, carAt(0)))).text();
    if (text !== JSON.stringify(carAt(0))) throw new Error(`the first response is wrong: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, IDLE));
    sizes.push(rss(server.pid));
    await server.stop();
  }
  return [
    `## Start and memory with ${many.toLocaleString('en')} cars`,
    '',
    ...goalTable([
      { name: 'first response after node starts', found: spreadOf(times), atMost: 350, unit: 'ms' },
      { name: 'RSS, idle after two responses', found: spreadOf(sizes), atMost: 95, unit: 'MiB' },
    ]),
  ];
};

/** @returns the tables, one subject after the other */
export async function* million(options: Options): AsyncGenerator<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'car-dealer-bench-'));
  try {
    const file = await serviceDatabase(options.many);
    yield [`# ${options.many.toLocaleString('en')} cars`, ''];
    yield await starting(file, options);
    yield await streaming(file, folder, options);
    yield await middlePages(file);
    yield await searching(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  yield* readsOf(options.many, options, true);
}
