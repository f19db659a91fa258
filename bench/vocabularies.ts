/** What the translator costs over HTTP: the English tree alone beside the same with Spanish around it, by turns. */
import { burst, openClient, requestText, type Send } from './support/load.ts';
import { cpuTimer, memory, pinLoad } from './support/machine.ts';
import { get, type Server, startServer } from './support/servers.ts';

/** Requests of one turn, so that a turn takes some milliseconds. */
const WORKLOADS = [
  { name: 'an item', english: '/api/cars/car-7', spanish: '/api/coches/car-7', count: 800, wanted: '≤ 1.20' },
  {
    name: 'a list of 50',
    english: '/api/cars?number_of_elements=50',
    spanish: '/api/coches?numero_de_elementos=50',
    count: 200,
    wanted: '≤ 1.30',
  },
  {
    name: '33,000 items',
    english: '/api/cars?number_of_elements=33000',
    spanish: '/api/coches?numero_de_elementos=33000',
    count: 1,
    wanted: '≤ 1.50',
  },
  {
    name: 'an item of a bare Hono handler',
    english: '/bare/cars/7',
    spanish: '/bare/coches/7',
    count: 800,
    wanted: '',
  },
];
const CONNECTIONS = 16;
const CARS = 33_000;

async function readWhole(url: string): Promise<void> {
  const response = await get(url);
  if (response.statusCode !== 200) throw new Error(`${url} is answered ${response.statusCode}`);
  for await (const _ of response);
}

/** @returns microseconds of CPU of a request in the server */
async function take({ pid, origin }: Server, send: Send, path: string, count: number): Promise<number> {
  const ask = () => send(requestText('GET', path));
  // The other server had the caches of the core.
  await burst(CONNECTIONS, count >> 2, ask);
  const readTime = cpuTimer(pid);
  // What is long has no length in its head.
  if (count === 1) await readWhole(origin + path);
  else await burst(CONNECTIONS, count, ask);
  return readTime() / count;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}

/** Compares each workload by turns. @returns a table in Markdown, and the memory of both servers */
export async function* vocabularies(rounds = 60, cars = CARS): AsyncGenerator<string> {
  const env = { CARS: String(cars) };
  await using own = await startServer('sqlite::memory:', { program: 'around', env });
  await using around = await startServer('sqlite::memory:', { program: 'around', env: { ...env, TABLE: 'es' } });
  pinLoad('load');
  const [sendOwn, sendAround] = [openClient(own.origin), openClient(around.origin)];
  yield '## The translator around the English tree: CPU of a request over HTTP beside the same without it\n\n| | without, µs | Spanish | wanted | English through it | wanted |\n|---|---|---|---|---|---|';
  for (const { name, english, spanish, count, wanted } of WORKLOADS) {
    // Until its code is compiled, a request takes twice the time.
    for (const [send, path] of [
      [sendOwn, english],
      [sendAround, spanish],
      [sendAround, english],
    ] as const) {
      if (count > 1) await burst(CONNECTIONS, rounds * count, () => send(requestText('GET', path)));
    }
    const turns: [alone: number, spanish: number, english: number][] = [];
    for (let round = 0; round < rounds; round++) {
      turns.push([
        await take(own, sendOwn, english, count),
        await take(around, sendAround, spanish, count),
        await take(around, sendAround, english, count),
      ]);
    }
    const measured = turns;
    const ratio = (at: 1 | 2) => median(measured.map((turn) => turn[at] / turn[0])).toFixed(2);
    yield `| ${name} | ${median(measured.map(([alone]) => alone)).toFixed(1)} | ${ratio(1)} | ${wanted} | ${ratio(2)} | ${wanted && '≤ 1.02'} |`;
  }
  const [without, within] = [own, around].map(({ pid }) => Math.round(memory(pid, 'VmHWM')));
  yield `\nAfter that the most memory of the process is ${without} MiB without it and ${within} MiB with it.`;
}
