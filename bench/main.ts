/** `npm run bench -- [PART …] [--only TITLE] [--rounds n] [--cars n] [--many n] [--write]`; the parts are those of `parts`. */
import { rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { beforeAnApi } from './before-an-api.ts';
import { changes } from './changes.ts';
import * as comparisons from './comparisons.ts';
import { imports } from './imports.ts';
import { large, searching } from './million.ts';
import { type Comparison, compare } from './support/compare.ts';
import { type Databases, ownPostgres, sqliteFiles } from './support/databases.ts';
import { folder, here, pinLoad, preface } from './support/machine.ts';
import { vocabularies } from './vocabularies.ts';

// A server that has just been killed may still make a file there.
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

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
const [cars, many] = [Number(values.cars), Number(values.many)];
/** Each table has its own number of them otherwise. */
const rounds = values.rounds === undefined ? undefined : Number(values.rounds);

async function* compareAll(databases: Databases, ...all: readonly Comparison[]): AsyncGenerator<string> {
  for (const comparison of all) yield* compare(comparison, databases, values.only, rounds);
}

const parts: Readonly<Record<string, () => AsyncGenerator<string>>> = {
  reads: () => compareAll(sqliteFiles(cars), ...comparisons.reads),
  writes: () => compareAll(sqliteFiles(cars), comparisons.writes),
  settings: () => compareAll(sqliteFiles(cars), comparisons.settings),
  million: async function* () {
    const databases = sqliteFiles(many);
    yield* compareAll(databases, ...comparisons.million);
    yield* large(databases, rounds);
  },
  postgres: async function* () {
    await using databases = await ownPostgres(cars);
    yield* compareAll(databases, comparisons.postgres);
    yield await searching(await databases.copyFor('service'));
  },
  changes: () => changes(sqliteFiles(cars), sqliteFiles(many), rounds),
  imports: () => imports(many, rounds),
  vocabularies: () => vocabularies(rounds),
  'before-an-api': () => beforeAnApi(rounds),
};
const wanted = (positionals.length > 0 ? positionals : Object.keys(parts)).map((name) => {
  if (parts[name]) return parts[name];
  throw new Error(`${name}: the parts are ${Object.keys(parts).join(', ')}`);
});

let written = '';
const print = (report: string): void => {
  process.stdout.write(`${report}\n`);
  written += `${report}\n`;
  if (values.write) writeFileSync(here('RESULTS.md'), `${written.trimEnd()}\n`);
};
print(preface());
for (const part of wanted) {
  pinLoad('load');
  for await (const report of part()) print(report);
}
