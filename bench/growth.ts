/** From a thousand cars to many: what grows and what must not. */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as bodyOf } from 'node:stream/consumers';
import { load, writeRequests } from './load.ts';
import { cpuTime } from './machine.ts';
import type { Options } from './options.ts';
import { PAGE, service } from './peers.ts';
import { probe, writeProbe } from './probe.ts';
import { answerOf, type Kind, pagePath, type Question, questions, totalPath } from './questions.ts';
import { type Car, carAt, carsUpTo } from './records.ts';
import { type Goal, goalTable, type Report, shown, table } from './report.ts';
import type { Running } from './servers.ts';
import { ratiosOf, type Spread, spreadOf } from './statistics.ts';

const SMALL = 1_000;
/** Items that are asked for in turn: more than the service keeps in memory, from everywhere in the file. */
const KEYS = 100_000;

interface Files {
  readonly small: string;
  readonly large: string;
}

interface Answer {
  readonly total: number;
  readonly body: string;
  readonly milliseconds: number;
}

/** A connection of its own for each series: the server closes one that was idle while answers were worked out here. */
const newAgent = (): Agent => new Agent({ keepAlive: true, maxSockets: 1 });

/** Asks for what only the database knows: an answer that the service has kept is for other requests. */
const UNKEPT = { Accept: 'application/*' };

const ask = async (agent: Agent, url: string, method: 'GET' | 'HEAD'): Promise<Answer> => {
  const sent = performance.now();
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    request(url, { agent, method, headers: UNKEPT }, resolve).on('error', reject).end(),
  );
  const body = await bodyOf(response);
  const milliseconds = performance.now() - sent;
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode} ${body.slice(0, 300)}`);
  return { total: Number(response.headers['x-total-count']), body, milliseconds };
};

/** One request of a question, and what it must answer. */
interface Exchange {
  readonly name: string;
  readonly kind: Kind;
  readonly path: string;
  readonly method: 'GET' | 'HEAD';
  readonly total: number;
  readonly body: string;
  readonly atMost: number;
}

const exchangesOf = (question: Question, cars: readonly Car[]): readonly Exchange[] => {
  const { kind, query } = question;
  const answer = answerOf(question, cars);
  const total = answer.length;
  const shared = { kind, total };
  const name = query || 'all';
  if (kind === 'total') {
    const path = totalPath(service.collection, question);
    return [{ ...shared, name: `${name}, total only`, path, method: 'HEAD', body: '', atMost: 1 }];
  }
  const page = (label: string, number: number, atMost: number): Exchange => ({
    ...shared,
    name: `${name}, ${label} page`,
    path: pagePath(service.collection, question, number),
    method: 'GET',
    body: JSON.stringify(answer.slice((number - 1) * PAGE, number * PAGE)),
    atMost: kind === 'rest' ? 300 : atMost,
  });
  return [page('first', 1, 5), page('middle', Math.ceil(total / PAGE / 2) || 1, 10)];
};

/** Enough of quick answers for a median; slow ones vary less. */
const TIMES: Readonly<Record<Kind, number>> = { page: 40, total: 40, rest: 5 };

const timesOf = async (origin: string, exchange: Exchange): Promise<Spread> => {
  const { path, method, kind, total, body, name } = exchange;
  const agent = newAgent();
  const times: number[] = [];
  for (let at = -2; at < TIMES[kind]; at++) {
    const answer = await ask(agent, origin + path, method);
    if (answer.total !== total || answer.body !== body)
      throw new Error(`${name}: ${answer.total} instead of ${total}; ${answer.body.slice(0, 300)}`);
    // The first ones compile statements.
    if (at >= 0) times.push(answer.milliseconds);
  }
  agent.destroy();
  return spreadOf(times);
};

/** @returns p99 of item reads while a question is asked over and over */
const readsMeanwhile = async (origin: string, { path, method }: Exchange, file: string, seconds: number) => {
  const agent = newAgent();
  let isOver = false;
  const asking = (async () => {
    while (!isOver) await ask(agent, origin + path, method);
  })();
  const { p99 } = await probe(origin, file, seconds);
  isOver = true;
  await asking;
  agent.destroy();
  return p99;
};

const itemGrowth = async (small: Running, large: Running, folder: string, options: Options): Promise<Goal> => {
  const file = (server: Running): string => join(folder, `items-${server.pid}.txt`);
  const write = (server: Running, count: number): void => {
    const keys = Math.min(KEYS, count);
    const numbers = Array.from({ length: keys }, (_, at) => Math.floor((at * count) / keys));
    writeRequests(
      file(server),
      numbers.map((number) => ({ path: service.itemPath(carAt(number)) })),
    );
  };
  write(small, SMALL);
  write(large, options.many);
  const costs = new Map<Running, number[]>([small, large].map((server) => [server, []]));
  for (let round = -1; round < options.rounds; round++) {
    for (const server of [small, large]) {
      const before = cpuTime(server.pid);
      const { requests, failures } = await load(server.origin, file(server), 32, options.seconds);
      if (failures > 0 || requests === 0) throw new Error(`${failures} failures in ${requests} requests`);
      if (round >= 0) costs.get(server)?.push((cpuTime(server.pid) - before) / requests);
    }
  }
  const found = ratiosOf(costs.get(large) ?? [], costs.get(small) ?? []);
  return {
    name: `GET item (of the thousand all are kept), CPU, ${SMALL} → ${options.many}`,
    found,
    atMost: 2,
    unit: '×',
  };
};

interface Grown {
  readonly exchange: Exchange;
  readonly before: Spread;
  readonly after: Spread;
  /** p99 of item reads meanwhile. */
  readonly reads?: number;
}

const grown = async (small: Running, large: Running, folder: string, options: Options): Promise<readonly Grown[]> => {
  const few = carsUpTo(SMALL);
  const many = carsUpTo(options.many);
  const file = join(folder, 'probe.txt');
  writeProbe(file, few, service.itemPath);
  const all: Grown[] = [];
  for (const question of questions) {
    const smaller = exchangesOf(question, few);
    for (const [at, exchange] of exchangesOf(question, many).entries()) {
      const counterpart = smaller[at] ?? exchange;
      const before = await timesOf(small.origin, counterpart);
      const after = await timesOf(large.origin, exchange);
      const reads =
        exchange.kind === 'rest' ? await readsMeanwhile(large.origin, exchange, file, options.seconds) : undefined;
      all.push({ exchange, before, after, ...(reads === undefined ? {} : { reads }) });
    }
  }
  return all;
};

const growthTable = (all: readonly Grown[], kinds: readonly Kind[]): Report =>
  table(
    ['ms over HTTP: median [range]', '1,000 cars', 'many cars', 'wanted', '', 'item reads meanwhile: p99', ''],
    all
      .filter(({ exchange }) => kinds.includes(exchange.kind))
      .map(({ exchange, before, after, reads }) => [
        exchange.name,
        shown(before),
        shown(after),
        `≤ ${exchange.atMost}`,
        after.median <= exchange.atMost ? 'met' : '**missed**',
        reads === undefined ? '' : reads.toFixed(1),
        reads === undefined ? '' : reads <= 10 ? 'met' : '**missed**',
      ]),
  );

/** @returns the tables of growth */
export async function* growth(
  files: Files,
  serve: (file: string) => Promise<Running>,
  options: Options,
): AsyncGenerator<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'car-dealer-bench-'));
  const small = await serve(files.small);
  const large = await serve(files.large);
  try {
    yield ['## Growth', '', ...goalTable([await itemGrowth(small, large, folder, options)])];
    const all = await grown(small, large, folder, options);
    yield ['One filter or one sort on an indexed field, and totals:', '', ...growthTable(all, ['page', 'total'])];
    yield ['Anything else, off the loop (item reads meanwhile: p99 ≤ 10 ms):', '', ...growthTable(all, ['rest'])];
  } finally {
    await small.stop();
    await large.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
