/** `npm run bench -- [PART …] [--rounds 9] [--seconds 2] [--cars n] [--many n] [--write]`; the parts are those of `parts`. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { capacity } from './capacity.ts';
import * as comparisons from './comparisons.ts';
import { imports } from './imports.ts';
import { large, searching } from './large.ts';
import { settings } from './settings.ts';
import { type Comparison, compare, type Options } from './support/compare.ts';
import { type Dataset, postgresDataset, sqliteDataset } from './support/databases.ts';
import { here, preface, prepare } from './support/machine.ts';
import type { Report } from './support/report.ts';

async function* tables(dataset: Dataset, all: readonly Comparison[], options: Options): AsyncGenerator<Report> {
  const { rounds, seconds } = options;
  yield [`# ${dataset.name}, ${dataset.cars.toLocaleString('en')} cars, ${rounds} rounds of ${seconds} s`, ''];
  for (const each of all) yield await compare(each, dataset, options);
}

type Part = (options: Options) => AsyncGenerator<Report>;

let files: Promise<Dataset> | undefined;
const onFile = (all: readonly Comparison[]): Part =>
  async function* (options) {
    files ??= sqliteDataset(options.folder, options.cars);
    yield* tables(await files, all, options);
  };

const parts: Readonly<Record<string, Part>> = {
  reads: onFile(comparisons.reads),
  writes: onFile(comparisons.writes),
  settings: async function* (options) {
    files ??= sqliteDataset(options.folder, options.cars);
    yield* settings(await files, options);
  },
  workers: onFile(comparisons.workers),
  million: async function* (options) {
    const dataset = await sqliteDataset(mkdtempSync(join(options.folder, 'many-')), options.many);
    yield* tables(dataset, comparisons.manyReads, options);
    yield* large(dataset, options);
  },
  postgres: async function* (options) {
    const dataset = await postgresDataset(options.cars);
    try {
      yield* tables(dataset, comparisons.postgres, options);
      yield await searching(dataset);
    } finally {
      await dataset.remove();
    }
  },
  imports,
  capacity,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '2' },
    cars: { type: 'string', default: '20000' },
    many: { type: 'string', default: '1000000' },
    write: { type: 'boolean', default: false },
  },
});
const numberOf = (name: 'rounds' | 'seconds' | 'cars' | 'many'): number => {
  const value = Number(values[name]);
  if (!(value > 0)) throw new Error(`--${name} must be a positive number`);
  return value;
};
const wanted = (positionals.length > 0 ? positionals : Object.keys(parts)).map((name) => {
  if (parts[name]) return parts[name];
  throw new Error(`${name}: the parts are ${Object.keys(parts).join(', ')}`);
});

prepare();
/** The peers are installed where their lock file is newer than what is there. */
const [installed, lock] = [here('node_modules/.package-lock.json'), here('package-lock.json')];
if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs) {
  execFileSync('npm', ['ci', '--prefix', here('.')], { stdio: 'inherit' });
}

const written: string[] = [];
const print = (report: Report): void => {
  written.push(...report);
  process.stdout.write(`${report.join('\n')}\n`);
};
const folder = mkdtempSync(join(tmpdir(), 'car-dealer-bench-'));
try {
  const [rounds, seconds, cars, many] = [numberOf('rounds'), numberOf('seconds'), numberOf('cars'), numberOf('many')];
  print(preface());
  for (const part of wanted) for await (const report of part({ folder, rounds, seconds, cars, many })) print(report);
  if (values.write) writeFileSync(here('RESULTS.md'), `${written.join('\n').trimEnd()}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
