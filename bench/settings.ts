/**
 * What settings cost an item: services with one each, in one process, in turns at the same requests. Two processes differ by more
 * than the settings do, and of two that run for equal times the slower one has fewer responses in its cache.
 */
import { freePort } from '../test/support/process/free-port.ts';
import type { Options } from './support/compare.ts';
import type { Dataset } from './support/databases.ts';
import { type LoadRequest, send } from './support/load.ts';
import { here, threadTime } from './support/machine.ts';
import { type Limits, type Report, ratiosOf, shown, spreadOf, table, verdictOf } from './support/report.ts';
import { withServer } from './support/servers.ts';
import { ENGLISH, requestsOf } from './support/workloads.ts';

interface Side {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly wanted: Limits;
}

const sides: readonly Side[] = [
  { name: 'neither', env: {}, wanted: {} },
  { name: 'the same again, to see what a ratio is worth', env: {}, wanted: {} },
  { name: 'RATE_LIMIT', env: { RATE_LIMIT: '1000000000' }, wanted: { atMost: 1.03 } },
  { name: 'METRICS_PORT, LOG_LEVEL=debug', env: { METRICS_PORT: '0', LOG_LEVEL: 'debug' }, wanted: { atMost: 1.05 } },
];

const BURST = 128;
const CONNECTIONS = 16;
/** Requests to each side before anything is measured. */
const WARM_UP = 40_000;

const burst = async (origin: string, requests: readonly LoadRequest[]): Promise<void> => {
  const rest = requests.values();
  const connection = async (): Promise<void> => {
    for (const request of rest) await send(origin, request);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
};

/** @returns microseconds of CPU for each request, of each side in each round: the median of its bursts */
const measure = async (pid: number, origins: readonly string[], cars: number, { rounds, seconds }: Options) => {
  const requests = requestsOf('uniform', ENGLISH, cars);
  let at = 0;
  const next = (count: number): readonly LoadRequest[] => {
    at = at + count > requests.length ? count : at + count;
    return requests.slice(at - count, at);
  };
  const warmUp = next(WARM_UP);
  for (const origin of origins) await burst(origin, warmUp);
  const medians: number[][] = origins.map(() => []);
  for (let round = 0; round < rounds; round++) {
    const found: number[][] = origins.map(() => []);
    const end = performance.now() + seconds * 1_000 * origins.length;
    for (let turn = 0; performance.now() < end; turn++) {
      const same = next(BURST);
      for (let step = 0; step < origins.length; step++) {
        // Nobody is always after the same one.
        const side = (turn + (turn % 2 === 0 ? step : origins.length - step)) % origins.length;
        const before = threadTime(pid);
        await burst(origins[side] ?? '', same);
        found[side]?.push((threadTime(pid) - before) / BURST);
      }
    }
    for (const [side, each] of found.entries()) medians[side]?.push(spreadOf(each).median);
  }
  return medians;
};

/** @returns one table */
export async function* settings(dataset: Dataset, options: Options): AsyncGenerator<Report> {
  // The last one, which is ready after the others, gets the port of the server.
  const ports = await Promise.all(sides.slice(1).map(freePort));
  const environments = sides.map(({ env }, at) => ({ ...env, ...(ports[at] ? { PORT: String(ports[at]) } : {}) }));
  const launch = {
    args: ['--import', './src/preload.js', here('support/services.ts'), JSON.stringify(environments)],
    env: { DATABASE_URL: await dataset.copyOf('service') },
  };
  const found = await withServer(launch, ({ pid, origin }) => {
    const origins = [...ports.map((port) => `http://127.0.0.1:${port}`), origin];
    return measure(pid, origins, dataset.cars, options);
  });
  const rows = sides.map(({ name, wanted }, at) => {
    const ratio = ratiosOf(found[at] ?? [], found[0] ?? []);
    return [name, shown(spreadOf(found[at] ?? [])), shown(ratio), verdictOf(ratio, wanted)];
  });
  yield ['## GET item, by settings', '', ...table(['', 'CPU µs/request', '× CPU of the first', 'wanted'], rows)];
}
