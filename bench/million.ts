/** A million cars: one stream of all of them, the growth from a thousand, start and memory. */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { askAt } from './checks.ts';
import { fillStore } from './databases.ts';
import { growth } from './growth.ts';
import { runOnLoadCore } from './load.ts';
import { peakRss, rss } from './machine.ts';
import type { Options } from './options.ts';
import { service, serviceArguments } from './peers.ts';
import { type ProbeResult, probe, writeProbe } from './probe.ts';
import { carAt, carsUpTo } from './records.ts';
import { type Goal, goalTable, type Report } from './report.ts';
import { project, type Running, startServer } from './servers.ts';
import { spreadOf } from './statistics.ts';

const FOLDER = join(tmpdir(), 'car-dealer-catalogue-bench');

/** Whatever decides what is in the file: a store that was changed gets a new one. */
const fingerprint = (): string => {
  const hash = createHash('sha256');
  const store = join(project, 'src/store');
  const files = readdirSync(store, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const paths = files.map((file) => join(store, file));
  for (const file of ['src/catalogue.ts', 'src/model/fold.ts', 'bench/records.ts']) paths.push(join(project, file));
  for (const path of paths.toSorted()) hash.update(readFileSync(path));
  return hash.digest('hex').slice(0, 12);
};

/** @returns the database of that many cars, built where it is not there yet */
const databaseOf = async (count: number): Promise<string> => {
  mkdirSync(FOLDER, { recursive: true });
  const file = join(FOLDER, `${count}-${fingerprint()}.db`);
  if (existsSync(file)) return file;
  for (const old of readdirSync(FOLDER)) if (old.startsWith(`${count}-`)) rmSync(join(FOLDER, old));
  const unfinished = `${file}.${randomUUID()}`;
  process.stderr.write(`building ${file} …\n`);
  await fillStore(`sqlite:${unfinished}`, count);
  renameSync(unfinished, file);
  return file;
};

const serve = (file: string): Promise<Running> =>
  startServer({
    args: () => ['--import', fileURLToPath(new URL('loop-delay.js', import.meta.url)), ...serviceArguments],
    env: { DATABASE_URL: `sqlite:${file}` },
    readyPath: '/livez',
  });

/** Milliseconds. */
interface LoopDelay {
  readonly p999: number;
  readonly max: number;
}

const loopDelay = async ({ child }: Running): Promise<LoopDelay> => {
  const answer = once(child, 'message');
  child.send('read');
  return (await answer)[0] as LoopDelay;
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
  readonly speed: number;
  readonly delay: number;
  readonly reads: ProbeResult;
}

/** Reads everything once while items are asked for, from the same process. */
const streamOnce = async (server: Running, count: number, hash: string, questions: string): Promise<Pass> => {
  server.child.send('reset');
  const [drained, reads] = await Promise.all([
    runOnLoadCore(process.execPath, [
      fileURLToPath(new URL('drain.js', import.meta.url)),
      server.origin + service.collection,
    ]) as Promise<Drained>,
    probe(server.origin, questions, 2),
  ]);
  const { p999 } = await loopDelay(server);
  const isWhole = drained.status === 200 && drained.complete && drained.total === count && drained.hash === hash;
  if (!isWhole) throw new Error(`the list of all cars is not what is claimed: ${JSON.stringify(drained)}`);
  return { speed: drained.bytes / 1_000 / drained.milliseconds, delay: p999, reads };
};

const streaming = async (file: string, { many, rounds }: Options): Promise<Report> => {
  const hash = hashOfAll(many);
  const questions = join(FOLDER, 'questions.txt');
  writeProbe(questions, carsUpTo(1_000), service.itemPath);
  const server = await serve(file);
  try {
    await streamOnce(server, many, hash, questions);
    const passes: Pass[] = [];
    for (let round = 0; round < rounds; round++) passes.push(await streamOnce(server, many, hash, questions));
    const figure = (name: string, unit: string, values: readonly number[], goal: Partial<Goal>): Goal => ({
      name,
      unit,
      found: spreadOf(values),
      ...goal,
    });
    return [
      `## Streaming all of ${many.toLocaleString('en')} cars`,
      '',
      ...goalTable([
        figure(
          'speed',
          'MB/s',
          passes.map(({ speed }) => speed),
          { atLeast: 70 },
        ),
        figure(
          'event-loop delay p99.9',
          'ms',
          passes.map(({ delay }) => delay),
          { atMost: 20 },
        ),
        figure(
          'item reads meanwhile, p99',
          'ms',
          passes.map(({ reads }) => reads.p99),
          { atMost: 5 },
        ),
        figure('RSS, the highest of all passes', 'MiB', [peakRss(server.pid)], { atMost: 260 }),
      ]),
    ];
  } finally {
    await server.stop();
  }
};

const IDLE = 2_000;

const starting = async (file: string, { many, rounds }: Options): Promise<Report> => {
  const times: number[] = [];
  const sizes: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const server = await startServer({
      args: () => serviceArguments,
      env: { DATABASE_URL: `sqlite:${file}` },
      readyPath: service.itemPath(carAt(many - 1)),
    });
    times.push(server.startTime);
    const response = await askAt(server.origin)(service.itemPath(carAt(0)));
    if ((await response.text()) !== JSON.stringify(carAt(0))) throw new Error('the first answer is wrong');
    await new Promise((resolve) => setTimeout(resolve, IDLE));
    sizes.push(rss(server.pid));
    await server.stop();
  }
  return [
    `## Start and memory with ${many.toLocaleString('en')} cars`,
    '',
    ...goalTable([
      { name: 'first answer after node starts', found: spreadOf(times), atMost: 350, unit: 'ms' },
      { name: 'RSS, idle after two answers', found: spreadOf(sizes), atMost: 110, unit: 'MiB' },
    ]),
  ];
};

/** @returns the tables, one subject after the other */
export async function* million(options: Options): AsyncGenerator<Report> {
  const small = await databaseOf(1_000);
  const large = await databaseOf(options.many);
  yield [`# ${options.many.toLocaleString('en')} cars`, ''];
  yield await starting(large, options);
  yield await streaming(large, options);
  yield* growth({ small, large }, serve, options);
}
