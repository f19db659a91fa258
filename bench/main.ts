/** `npm run bench -- [http|languages|million|postgres …] [--rounds 9] [--seconds 3] [--only item,list,post] [--cars n] [--many n] [--write]` */
import { execFileSync } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { http } from './http.ts';
import { languages } from './languages.ts';
import { pinSelf } from './machine.ts';
import { million } from './million.ts';
import { readOptions } from './options.ts';
import { postgres } from './postgres.ts';
import { preface, type Report } from './report.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** The peers are installed where their lock file is newer than what is there. */
const installPeers = (): void => {
  const installed = here('node_modules/.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(here('package-lock.json')).mtimeMs) return;
  execFileSync('npm', ['ci', '--prefix', here('.')], { stdio: 'inherit' });
};

const programs = { http, languages, million, postgres };
const options = readOptions(process.argv.slice(2));
installPeers();
pinSelf();

const written: string[] = [];
const tell = (report: Report): void => {
  written.push(...report);
  process.stdout.write(`${report.join('\n')}\n`);
};
tell(preface());
for (const [name, program] of Object.entries(programs)) {
  if (!options.programs.includes(name)) continue;
  for await (const report of program(options)) tell(report);
}
if (options.write) writeFileSync(here('RESULTS.md'), `${written.join('\n').trimEnd()}\n`);
