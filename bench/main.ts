/** `npm run bench -- [reads|writes|million|postgres|imports|workers|capacity …] [--rounds 9] [--seconds 2] [--cars n] [--many n] [--write]` */
import { execFileSync } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { capacity } from './capacity.ts';
import { imports } from './imports.ts';
import { million } from './million.ts';
import { type Options, type Program, readOptions } from './options.ts';
import { postgres } from './postgres.ts';
import { reads } from './reads.ts';
import { here } from './support/load.ts';
import { pinSelf, requireWrk } from './support/machine.ts';
import { preface, type Report } from './support/report.ts';
import { workers } from './workers.ts';
import { writes } from './writes.ts';

/** The peers are installed where their lock file is newer than what is there. */
const installPeers = (): void => {
  const installed = here('node_modules/.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(here('package-lock.json')).mtimeMs) return;
  execFileSync('npm', ['ci', '--prefix', here('.')], { stdio: 'inherit' });
};

const programs: Readonly<Record<Program, (options: Options) => AsyncGenerator<Report>>> = {
  reads,
  writes,
  million,
  postgres,
  imports,
  workers,
  capacity,
};
const options = readOptions(process.argv.slice(2));
requireWrk();
installPeers();
pinSelf();

const written: string[] = [];
const print = (report: Report): void => {
  written.push(...report);
  process.stdout.write(`${report.join('\n')}\n`);
};
print(preface());
for (const name of options.programs) for await (const report of programs[name](options)) print(report);
if (options.write) writeFileSync(here('RESULTS.md'), `${written.join('\n').trimEnd()}\n`);
