/** `npm run bench -- [PART …] [--only TITLE] [--rounds n] [--cars n] [--many n] [--write]`; the parts are those of `parts`. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as comparisons from './comparisons.ts';
import { imports } from './imports.ts';
import { large, searching } from './million.ts';
import { compare } from './support/compare.ts';
import type { Comparison, Options } from './support/comparison.ts';
import { datasetIn, ownPostgres, sqliteIn } from './support/databases.ts';
import { here, pinLoad, preface } from './support/machine.ts';
import type { Report } from './support/report.ts';

type Part = (options: Options) => AsyncGenerator<Report>;

const onFiles = (...all: readonly Comparison[]): Part =>
  async function* (options) {
    await using place = await sqliteIn(options.folder);
    const dataset = datasetIn(place, options.folder, options.cars);
    for (const comparison of all) yield* compare(comparison, dataset, options);
  };

const parts: Readonly<Record<string, Part>> = {
  reads: onFiles(...comparisons.reads),
  writes: onFiles(comparisons.writes),
  settings: onFiles(comparisons.settings),
  workers: onFiles(comparisons.workers),
  million: async function* (options) {
    await using place = await sqliteIn(options.folder);
    const dataset = datasetIn(place, options.folder, options.many);
    for (const comparison of comparisons.million) yield* compare(comparison, dataset, options);
    yield* large(dataset, options);
  },
  postgres: async function* (options) {
    await using place = await ownPostgres();
    const dataset = datasetIn(place, options.folder, options.cars);
    yield* compare(comparisons.postgres, dataset, options);
    yield await searching(dataset);
  },
  'workers-postgres': async function* (options) {
    // Started from here, PostgreSQL may use the same cores.
    pinLoad('any');
    await using place = await ownPostgres();
    yield* compare(comparisons.workers, datasetIn(place, options.folder, options.cars), options);
  },
  imports,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    rounds: { type: 'string' },
    cars: { type: 'string', default: '20000' },
    many: { type: 'string', default: '1000000' },
    write: { type: 'boolean', default: false },
  },
});
const positive = (text: string): number => {
  if (!(Number(text) > 0)) throw new Error(`${text} is no positive number`);
  return Number(text);
};
const wanted = (positionals.length > 0 ? positionals : Object.keys(parts)).map((name) => {
  if (parts[name]) return parts[name];
  throw new Error(`${name}: the parts are ${Object.keys(parts).join(', ')}`);
});

/** The peers are installed where their lock file is newer than what is there. */
const [installed, lock] = [here('node_modules/.package-lock.json'), here('package-lock.json')];
if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs) {
  execFileSync('npm', ['ci', '--prefix', here('.')], { stdio: 'inherit' });
}

const written: string[] = [];
const print = (report: Report): void => {
  written.push(...report);
  process.stdout.write(`${report.join('\n')}\n`);
  if (values.write) writeFileSync(here('RESULTS.md'), `${written.join('\n').trimEnd()}\n`);
};
const options = {
  only: values.only,
  rounds: values.rounds === undefined ? undefined : positive(values.rounds),
  cars: positive(values.cars),
  many: positive(values.many),
  folder: mkdtempSync(join(tmpdir(), 'car-dealer-bench-')),
};
// A server that has just been killed may still make a file there.
process.on('exit', () => rmSync(options.folder, { recursive: true, force: true, maxRetries: 5 }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

print(preface());
for (const part of wanted) {
  pinLoad('load');
  for await (const report of part(options)) print(report);
}
