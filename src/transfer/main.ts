/** Moves a catalogue from one database to another. Progress goes to standard error, the result to standard output. */
import { catalogue } from '../catalogue.ts';
import { startOrExit } from '../process.ts';
import { isServer, locationOf } from '../store/open.ts';
import type { Link } from './link.ts';
import { type Options, readOptions, USAGE } from './options.ts';
import { transfer } from './transfer.ts';
import type { Sum } from './verify.ts';

const open = async (url: string, isSource: boolean): Promise<Link> => {
  if (isServer(url)) return (await import('./postgres-link.ts')).openPostgresLink(url, catalogue);
  return (await import('./sqlite-link.ts')).openSqliteLink(locationOf(url), catalogue, isSource);
};

const run = async ({ from, to, replace }: Options): Promise<readonly Sum[]> => {
  const source = await open(from, true);
  const target = await open(to, false);
  const tell = (line: string): void => void process.stderr.write(`${line}\n`);
  tell(`from ${source.name} to ${target.name}`);
  const sums = await transfer(source, target, catalogue, replace, tell);
  await target.close();
  await source.close();
  return sums;
};

const text = await startOrExit(async () => {
  const options = readOptions(process.argv.slice(2));
  if (!options) return USAGE;
  const sums = await run(options);
  return sums.map(({ table, count, sha256 }) => `${table}: ${count} rows, sha256 ${sha256}\n`).join('');
});
process.stdout.write(text);
