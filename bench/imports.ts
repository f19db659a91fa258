/** A file of cars from the command line into an empty database, while a server reads; against plain inserts into the same tables. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { startPostgres } from '../test/support/database/postgres-server.ts';
import type { Options } from './options.ts';
import { peakRss } from './support/machine.ts';
import { serviceArguments } from './support/peers.ts';
import { copyPlainly, insertPlainly, storedCar } from './support/plain-inserts.ts';
import { SETTINGS, withClient } from './support/postgres-databases.ts';
import { carAt } from './support/records.ts';
import { goalTable, type Report } from './support/report.ts';
import { project, startServer } from './support/servers.ts';
import { spreadOf } from './support/statistics.ts';

/** Milliseconds between two looks. */
const EVERY = 10;

const writeLines = async (file: string, count: number, lineAt: (number: number) => string): Promise<void> => {
  await pipeline(function* () {
    for (let number = 0; number < count; number++) yield `${lineAt(number)}\n`;
  }, createWriteStream(file));
};

/** https://www.postgresql.org/docs/current/sql-copy.html: its text format; no car has what would need escapes. */
const copyLine = (number: number): string =>
  storedCar(number)
    .map((cell) => cell ?? '\\N')
    .join('\t');

interface Imported {
  readonly seconds: number;
  /** MiB. */
  readonly memory: number;
}

const importFile = async (file: string, url: string): Promise<Imported> => {
  const start = performance.now();
  const line = ['run', '--silent', 'import', '--', file, '--on-duplicate', 'merge'];
  const child = spawn('npm', line, { cwd: project, stdio: 'ignore', env: { ...process.env, DATABASE_URL: url } });
  const exited = once(child, 'exit');
  let memory = 0;
  while (child.exitCode === null) {
    // The process may have ended since.
    try {
      memory = Math.max(memory, peakRss(child.pid ?? 0));
    } catch {}
    await Promise.race([setTimeout(EVERY), exited]);
  }
  if (child.exitCode !== 0) throw new Error(`the import ended with ${child.exitCode}`);
  return { seconds: (performance.now() - start) / 1_000, memory };
};

/** @returns milliseconds of each request, once `work` is over */
const asking = async (address: string, work: Promise<unknown>): Promise<readonly number[]> => {
  const taken: number[] = [];
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const start = performance.now();
    await (await fetch(address)).arrayBuffer();
    taken.push(performance.now() - start);
    await setTimeout(EVERY);
  }
  await over;
  return taken.toSorted((one, other) => one - other);
};

interface Place {
  readonly name: string;
  /** The least ratio of rates that is wanted. */
  readonly wanted: number;
  readonly plain: () => Promise<number>;
  /** An empty database. */
  readonly url: () => Promise<string>;
}

const measure = async (
  { name, wanted, plain, url }: Place,
  file: string,
  { many, rounds }: Options,
): Promise<Report> => {
  const found: Record<'ratio' | 'first' | 'again' | 'memory' | 'read', number[]> = {
    ratio: [],
    first: [],
    again: [],
    memory: [],
    read: [],
  };
  for (let round = 0; round < rounds; round++) {
    const plainly = await plain();
    const database = await url();
    const server = await startServer({
      args: () => serviceArguments,
      env: { DATABASE_URL: database },
      readyPath: '/livez',
    });
    try {
      const importing = importFile(file, database);
      const reads = await asking(`${server.origin}/api/cars/car-0`, importing);
      const first = await importing;
      found.ratio.push(plainly / first.seconds);
      found.first.push(many / first.seconds);
      found.memory.push(first.memory);
      found.read.push(reads[Math.floor(reads.length * 0.99)] ?? 0);
    } finally {
      await server.stop();
    }
    found.again.push(many / (await importFile(file, database)).seconds);
  }
  return [
    `## ${many.toLocaleString('en')} cars into ${name}`,
    '',
    ...goalTable([
      {
        name: 'rate to plain inserts, start of the program included',
        unit: '×',
        found: spreadOf(found.ratio),
        atLeast: wanted,
      },
      { name: 'rate', unit: 'rows/s', found: spreadOf(found.first) },
      { name: 'rate of the same file again', unit: 'rows/s', found: spreadOf(found.again) },
      { name: 'memory of `npm run import`, npm included', unit: 'MiB', found: spreadOf(found.memory), atMost: 260 },
      {
        name: 'item reads of a server meanwhile, 99th percentile',
        unit: 'ms',
        found: spreadOf(found.read),
        atMost: 20,
      },
    ]),
  ];
};

/** @returns the tables of both databases */
export async function* imports(options: Options): AsyncGenerator<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'car-dealer-bench-'));
  const [file, copied] = [join(folder, 'cars.ndjson'), join(folder, 'cars.copy')];
  // The server's user reads what is copied.
  chmodSync(folder, 0o755);
  const server = await startPostgres({ settings: SETTINGS });
  let databases = 0;
  const newFile = (): string => join(folder, `${++databases}.db`);
  const newDatabase = async (): Promise<string> => {
    const name = `imports_${++databases}`;
    await withClient(server.url(), (client) => client.query(`CREATE DATABASE ${name}`));
    return server.url(name);
  };
  try {
    await writeLines(file, options.many, (number) => JSON.stringify(carAt(number)));
    await writeLines(copied, options.many, copyLine);
    yield ['# Imports', ''];
    yield await measure(
      {
        name: 'SQLite',
        wanted: 0.7,
        plain: () => insertPlainly(newFile(), options.many),
        url: async () => `sqlite:${newFile()}`,
      },
      file,
      options,
    );
    yield await measure(
      {
        name: 'PostgreSQL, against `COPY`',
        wanted: 0.5,
        plain: async () => copyPlainly(await newDatabase(), copied),
        url: newDatabase,
      },
      file,
      options,
    );
  } finally {
    await server.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}
